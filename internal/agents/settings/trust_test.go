package settings

import (
	"slices"
	"strings"
	"testing"
)

func TestTrusts(t *testing.T) {
	for _, c := range []struct {
		agent, name, src string
		want             bool
		broken           bool
	}{
		{"claude", "accepted", `{"projects": {"/w/shop": {"hasTrustDialogAccepted": true}}}`, true, false},
		{"claude", "not accepted", `{"projects": {"/w/shop": {"hasTrustDialogAccepted": false}}}`, false, false},
		{"claude", "above", `{"projects": {"/w": {"hasTrustDialogAccepted": true}}}`, false, false},
		{"claude", "nothing", `{}`, false, false},
		{"claude", "odd", `{"projects": []}`, false, false},
		{"claude", "no JSON", `{`, false, true},
		{"codex", "table", "model = \"o3\"\n[projects.\"/w/shop\"]\ntrust_level = \"trusted\"\n", true, false},
		{"codex", "literal, CRLF", "[ projects . '/w/shop' ]\r\ntrust_level = 'trusted' # mine\r\n", true, false},
		{"codex", "dotted", "projects.\"/w/shop\".trust_level = \"trusted\"\n", true, false},
		{"codex", "one line", "[projects]\n\"/w/shop\" = { trust_level = \"trusted\" }\n", true, false},
		{"codex", "untrusted", "[projects.\"/w/shop\"]\ntrust_level = \"untrusted\"\n", false, false},
		{"codex", "another", "[projects.\"/w\"]\ntrust_level = \"trusted\"\n", false, false},
		{"codex", "in a text", "x = \"\"\"\n[projects.\"/w/shop\"]\ntrust_level = \"trusted\"\n\"\"\"\n", false, false},
		{"codex", "another table", "[projects.\"/w/shop\"]\n[other]\ntrust_level = \"trusted\"\n", false, false},
		{"gemini", "folder", `{"/w/shop": "TRUST_FOLDER"}`, true, false},
		{"gemini", "above", `{"/w": "TRUST_FOLDER"}`, true, false},
		{"gemini", "parent", `{"/w/other": "TRUST_PARENT"}`, true, false},
		{"gemini", "the longest counts", `{"/w": "TRUST_FOLDER", "/w/shop": "DO_NOT_TRUST"}`, false, false},
		{"gemini", "half a name", `{"/w/sh": "TRUST_FOLDER"}`, false, false},
		{"gemini", "comment", "{ // mine\n\"/w/shop\": \"TRUST_FOLDER\", }", true, false},
		{"gemini", "half a comment", "{ /* mine\n}", false, true},
		{"codex", "no TOML", "x = ", false, true},
		{"copilot", "folder", "// User settings belong in settings.json.\n// This file is managed automatically.\n{\"trustedFolders\": [\"/w/shop\"]}\n", true, false},
		{"copilot", "above, old name", `{"trusted_folders": ["/w/"]}`, true, false},
		{"copilot", "none", `{"trustedFolders": []}`, false, false},
		{"copilot", "no JSON", `x`, false, true},
	} {
		a, _ := Find(c.agent)
		got, err := a.Trusts([]byte(c.src), []string{"/elsewhere", "/w/shop"})
		if got != c.want || (err != nil) != c.broken {
			t.Errorf("%s, %s: %v, %v, want %v", c.agent, c.name, got, err, c.want)
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
