package settings

import (
	"slices"
	"strings"
	"testing"
)

func TestTrusts(t *testing.T) {
	for _, c := range []struct {
		agent, name, src string
		want             Trust
	}{
		{"claude", "accepted", `{"projects": {"/w/shop": {"hasTrustDialogAccepted": true}}}`, Trusted},
		{"claude", "not accepted", `{"projects": {"/w/shop": {"hasTrustDialogAccepted": false}}}`, Untrusted},
		{"claude", "above", `{"projects": {"/w": {"hasTrustDialogAccepted": true}}}`, Untrusted},
		{"claude", "nothing", `{}`, Untrusted},
		{"claude", "odd", `{"projects": []}`, Untrusted},
		{"claude", "no JSON", `{`, Unknown},
		{"codex", "table", "model = \"o3\"\n[projects.\"/w/shop\"]\ntrust_level = \"trusted\"\n", Trusted},
		{"codex", "literal, CRLF", "[ projects . '/w/shop' ]\r\ntrust_level = 'trusted' # mine\r\n", Trusted},
		{"codex", "dotted", "projects.\"/w/shop\".trust_level = \"trusted\"\n", Trusted},
		{"codex", "one line", "[projects]\n\"/w/shop\" = { trust_level = \"trusted\" }\n", Trusted},
		{"codex", "untrusted", "[projects.\"/w/shop\"]\ntrust_level = \"untrusted\"\n", Untrusted},
		{"codex", "another", "[projects.\"/w\"]\ntrust_level = \"trusted\"\n", Untrusted},
		{"codex", "in a text", "x = \"\"\"\n[projects.\"/w/shop\"]\ntrust_level = \"trusted\"\n\"\"\"\n", Untrusted},
		{"codex", "another table", "[projects.\"/w/shop\"]\n[other]\ntrust_level = \"trusted\"\n", Untrusted},
		{"gemini", "folder", `{"/w/shop": "TRUST_FOLDER"}`, Trusted},
		{"gemini", "above", `{"/w": "TRUST_FOLDER"}`, Trusted},
		{"gemini", "parent", `{"/w/other": "TRUST_PARENT"}`, Trusted},
		{"gemini", "the longest counts", `{"/w": "TRUST_FOLDER", "/w/shop": "DO_NOT_TRUST"}`, Untrusted},
		{"gemini", "half a name", `{"/w/sh": "TRUST_FOLDER"}`, Untrusted},
		{"gemini", "comment", "{ // mine\n\"/w/shop\": \"TRUST_FOLDER\", }", Trusted},
		{"gemini", "half a comment", "{ /* mine\n}", Unknown},
		{"codex", "no TOML", "x = ", Unknown},
		{"copilot", "folder", "// User settings belong in settings.json.\n// This file is managed automatically.\n{\"trustedFolders\": [\"/w/shop\"]}\n", Trusted},
		{"copilot", "above, old name", `{"trusted_folders": ["/w/"]}`, Trusted},
		{"copilot", "none", `{"trustedFolders": []}`, Untrusted},
		{"copilot", "no JSON", `x`, Unknown},
	} {
		a, _ := Find(c.agent)
		if got := a.Trusts([]byte(c.src), []string{"/elsewhere", "/w/shop"}); got != c.want {
			t.Errorf("%s, %s: %d, want %d", c.agent, c.name, got, c.want)
		}
	}
}

func TestUntrustedHooks(t *testing.T) {
	codex, _ := Find("codex")
	src, err := hooksOf(codex).Add([]byte(`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, h := range codex.hooks {
		all = append(all, h.native)
	}
	got := UntrustedHooks(nil, "/w/.codex/hooks.json", src)
	slices.Sort(got)
	slices.Sort(all)
	if !slices.Equal(got, all) {
		t.Errorf("%q", got)
	}
	// Somebody's own hook comes first under Stop.
	trusted := "[hooks.state]\n\n[hooks.state.\"/w/.codex/hooks.json:session_start:0:0\"]\ntrusted_hash = \"sha256:ab\"\n" +
		"[hooks.state.\"/w/.codex/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:ab\"\n" +
		"[hooks.state.'/w/.codex/hooks.json:user_prompt_submit:0:0']\nenabled = true\ntrusted_hash = \"sha256:ab\"\n"
	got = UntrustedHooks([]byte(trusted), "/w/.codex/hooks.json", src)
	if slices.Contains(got, "SessionStart") || slices.Contains(got, "UserPromptSubmit") || !slices.Contains(got, "Stop") {
		t.Errorf("%q", got)
	}
	trusted = strings.Replace(trusted, "stop:0:0", "stop:1:0", 1)
	if got = UntrustedHooks([]byte(trusted), "/w/.codex/hooks.json", src); slices.Contains(got, "Stop") {
		t.Errorf("%q", got)
	}
}
