package validate_test

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/validate"
)

//go:embed testdata/good.md
var good string

var now = time.Date(2026, 1, 3, 10, 0, 0, 0, time.UTC)

// archived is the good file after it was archived.
var archived = change(good, "status: current\n", "") + `
---

## Completion

- **Status**: Archived
- **Outcome**: Login survives an expired session
- **Date**: 2026-01-02T18:00:00Z
`

// example is a folder that breaks one rule.
type example struct {
	code  string
	name  string // the file's name, if not chk-auth
	at    string // the beginning of the finding's line
	text  string
	in    string // the folder of the text; empty: active
	other string // a second file, in active/ if the first is archived
}

var examples = []example{
	{code: "CK101", at: "created: [", text: change(good, "created: 2026-01-01T10:00:00Z\n", "created: [\n", "anchor: end of phase 1\nlast_delta: 2026-01-02T10:00:00Z\nstatus: current\n", "")},
	{code: "CK102", at: "---", text: change(good, "created: 2026-01-01T10:00:00Z\n", "")},
	{code: "CK103", at: "created: last Tuesday", text: change(good, "created: 2026-01-01T10:00:00Z", "created: last Tuesday")},
	{code: "CK104", at: "last_delta: after lunch", text: change(good, "last_delta: 2026-01-02T10:00:00Z", "last_delta: after lunch")},
	{code: "CK105", at: "last_delta: 2025-12-31T00:00:00Z", text: change(good, "last_delta: 2026-01-02T10:00:00Z", "last_delta: 2025-12-31T00:00:00Z")},
	{code: "CK106", at: "last_delta: 2026-01-02T10:00:00Z", text: withoutDelta()},

	{code: "CK201", at: "### Decisions", text: cut(good, "### Technical Context", "### Breadcrumbs")},
	{code: "CK202", at: "### Current State", text: section("### Current State\n\n<!-- What exists now: what works, what does not yet. -->\n\n", "### Next Actions")},
	{code: "CK203", at: "## Problem", text: change(good, "\n---\n\n## Delta", "\n## Problem\n\nThe same again.\n\n---\n\n## Delta")},
	{code: "CK204", at: "### Breadcrumbs", text: swap(good, "### Breadcrumbs", "### Play-By-Play", "### Current State")},
	{code: "CK205", at: "### Decisions", text: change(good, "## Essential Information\n", "")},
	{code: "CK206", at: "- **Sessions live in Redis**", text: change(good, "- **No new dep", "- **Sessions live in Redis**\n- **No new dep")},
	{code: "CK207", at: "- ~~**Redis**: ops know it~~", text: change(good, "- **No new dep", "- ~~**Redis**: ops know it~~ → **Postgres**, → **SQLite**\n- **No new dep")},
	{code: "CK208", at: "## Problem", text: section("## Problem\n\n<!-- What is wrong, for whom, and how it shows. -->\n\n", "## Session Intent")},
	{code: "CK209", at: "```go", text: good + "\n```go\nfunc main() {\n"},
	{code: "CK211", at: "| `auth.go` | modified | accepts a | b |", text: change(good, "| `auth/refresh.go` | modified | Reads the table `session` |", "| `auth.go` | modified | accepts a | b |")},
	{code: "CK212", at: "| File | Key Change |", text: section("### Artifact Trail\n\n| File | Key Change |\n|------|------------|\n| `auth.go` | made |\n\n", "### Current State")},
	{code: "CK213", at: "| `auth.go` | touched | Login handler |", text: change(good, "| `auth/refresh.go` | modified | Reads the table `session` |", "| `auth.go` | touched | Login handler |")},
	{code: "CK214", at: "| thing | `auth.go` | Where login is |", text: change(good, "| file | `auth/refresh.go` | Where the token is exchanged |", "| thing | `auth.go` | Where login is |")},
	{code: "CK215", at: "```json", text: good + "\n## Further Fields\n\n```json\n{\"protocol\": {\"summary\": {\"goal\": \"G\" oops}}}\n```\n"},
	{code: "CK216", at: "- **No new dep\x00", text: change(good, "- **No new dep", "- **No new dep\x00")},

	{code: "CK301", at: "checkpoint: chk-auth", text: archived, in: "archive", other: good},
	{code: "CK302", at: "parent: chk-gone", text: change(good, "status: current\n", "status: current\nparent: chk-gone\n")},
	{code: "CK303", at: "parent: chk-auth", text: change(good, "status: current\n", "status: current\nparent: chk-auth\n")},
	{code: "CK304", at: "parent: chk-child", text: change(good, "status: current\n", "status: current\nparent: chk-child\n"), other: change(good, "chk-auth", "chk-child", "status: current", "parent: chk-auth")},
	{code: "CK305", at: "checkpoint: chk-other", text: change(good, "checkpoint: chk-auth", "checkpoint: chk-other")},
	{code: "CK306", at: "- Go on with chk-gone in `auth.go`", text: change(good, "1. Find in", "- Go on with chk-gone in `auth.go`\n1. Find in")},
	{code: "CK307", at: "checkpoint: aux.notes", text: change(good, "checkpoint: chk-auth", "checkpoint: aux.notes"), name: "aux.notes"},

	{code: "CK401", at: "status: in progress", text: change(good, "status: current", "status: in progress")},
	{code: "CK402", at: "status: current", text: good, other: change(good, "chk-auth", "chk-other")},
	{code: "CK403", at: "status: current", text: change(archived, "anchor: end of phase 1", "status: current"), in: "archive"},

	{code: "CK501", at: "## Delta: second session", text: change(good, "## Delta: 2026-01-02T10:00:00Z", "## Delta: second session")},
	{code: "CK502", at: "## Delta: 2025-12-30T10:00:00Z", text: good + delta("2025-12-30T10:00:00Z")},
	{code: "CK503", at: "## Delta: 2026-01-02T10:00:00Z", text: change(good, "### What Changed", "### What Was Done")},
	{code: "CK504", at: "### Artifacts", text: change(good, "| File | Action | Description |\n|------|--------|-------------|\n| `auth/refresh.go` | modified | Lookup by token in `session` |\n", "- `auth.go`\n")},
	{code: "CK505", at: "### What Changed", text: change(good, "The lookup reads the table `session` instead of the dropped store.", "Login works now. The session store was the reason.")},
	{code: "CK506", at: "### Delta: 2026-01-02T12:00:00Z", text: good + strings.ReplaceAll(delta("2026-01-02T12:00:00Z"), "##", "###")},

	{code: "CK601", at: "## Completion", text: good + "\n## Completion\n\n- **Status**: Archived\n"},
	{code: "CK602", at: "---", text: change(good, "status: current\n", ""), in: "archive"},
	{code: "CK603", at: "## Completion", text: change(archived, "- **Outcome**: Login survives an expired session\n", "", "2026-01-02T18:00", "2026-01-02T12:00"), in: "archive"},
	{code: "CK604", at: "## Completion", text: change(archived, "- **Date**: 2026-01-02T18:00:00Z", "- **Date**: yesterday"), in: "archive"},

	{code: "CK701", at: "## Problem", text: section("## Problem\n\nLogin fails.\n\n", "## Session Intent")},
	{code: "CK702", at: "### Decisions", text: change(good, "- **No new dependency**: the vendor folder is frozen until the audit\n", "")},
	{code: "CK703", at: "### Play-By-Play", text: section("### Play-By-Play\n\n- Phase 1 → wrote `auth.go` → login works\n\n", "### Artifact Trail")},
	{code: "CK704", at: "### Artifact Trail", text: section("### Artifact Trail\n\n| File | Status | Key Change |\n|------|--------|------------|\n\n", "### Current State")},
	{code: "CK705", at: "### Next Actions", text: section("### Next Actions\n\nNone.\n\n", "## User Rules")},
	{code: "CK706", at: "### Current State", text: section("### Current State\n\nLogin works.\n\n", "### Next Actions")},
	{code: "CK707", at: "created: 2025-12-01T10:00:00Z", text: change(withoutDelta(), "2026-01-01T10:00:00Z", "2025-12-01T10:00:00Z", "last_delta: 2026-01-02T10:00:00Z\n", "")},
	{code: "CK708", at: "## Delta: 2025-12-29T10:00:00Z", text: change(good, "2026-01-01T10:00:00Z", "2025-12-01T10:00:00Z", "2026-01-02T10:00:00Z", "2025-12-29T10:00:00Z")},

	{code: "CK801", at: "1. Continue working", text: change(good, "1. Find in `auth/refresh.go` why tokens older than a day are refused", "1. Continue working")},
	{code: "CK802", at: "1. Write better tests", text: change(good, "1. Find in `auth/refresh.go` why tokens older than a day are refused", "1. Write better tests")},
	{code: "CK803", at: "completed: []", text: change(good, "known yet.\n", "known yet.\n\ncompleted: []\n")},
	{code: "CK804", at: "## Delta: 2026-01-02T10:00:00Z", text: often(6)},
	{code: "CK811", at: "See previous conversation for the details.", text: change(good, "known yet.\n", "known yet.\n\nSee previous conversation for the details.\n")},
	{code: "CK812", at: "```go", text: change(good, "known yet.\n", "known yet.\n\n```go\n"+strings.Repeat("x := 1\n", 41)+"```\n")},
	{code: "CK813", at: "User: can you fix the login?", text: change(good, "known yet.\n", "known yet.\n\nUser: can you fix the login?\n\nAssistant: Yes, I will look at `auth.go`.\n")},

	{code: "CK901", at: "## Mark: 2026-01-03T09:00:00Z", text: good + mark("2026-01-03T08:00:00Z", "> Why?") + mark("2026-01-03T09:00:00Z", "> How?")},
	{code: "CK902", at: "## Mark: 2026-01-03T09:00:00Z", text: good + mark("2026-01-03T09:00:00Z", "Why?")},
	{code: "CK903", at: "## Mark: 2026-01-02T12:00:00Z", text: archived + mark("2026-01-02T12:00:00Z", "> Why?"), in: "archive"},
}

// mark returns an open mark.
func mark(at, goal string) string {
	return "\n---\n\n## Mark: " + at + "\n\n" + goal + "\n\n- step: Read `auth.go`\n"
}

func TestEachRule(t *testing.T) {
	for _, e := range examples {
		t.Run(e.code, func(t *testing.T) {
			path := cmp.Or(e.in, "active") + "/" + cmp.Or(e.name, "chk-auth") + ".md"
			files := map[string]string{path: e.text}
			if e.other != "" {
				files["active/"+idOf(e.other)+".md"] = e.other
			}
			set := read(t, files)
			r := validate.Set(set, now)
			var lines []string
			for _, f := range r.Findings {
				if f.Code != e.code {
					t.Errorf("also breaks %s", show(f))
				}
				if f.Path == path {
					lines = append(lines, lineOf(e.text, f.Line))
				}
				if f.Message == "" || f.Fix == "" || strings.ContainsAny(f.Message, "\n%{") || strings.Contains(f.Fix, "{id}") {
					t.Errorf("a finding without words: %+v", f)
				}
			}
			if len(lines) != 1 || !strings.HasPrefix(lines[0], e.at) {
				t.Errorf("findings on the lines %q, want %q", lines, e.at)
			}
			rule := ruleOf(e.code)
			if len(r.Findings) > 0 && r.Findings[0].Severity != rule.Severity {
				t.Errorf("%v, want %v", r.Findings[0].Severity, rule.Severity)
			}
			_, sample, _ := strings.Cut(rule.Text(), "````markdown\n")
			sample, _, _ = strings.Cut(sample, "\n````")
			if !strings.Contains(e.text, sample) {
				t.Errorf("the text does not have the example of the documentation:\n%s", sample)
			}
		})
	}
}

func TestEveryRuleHasAnExample(t *testing.T) {
	codes := []string{}
	for _, r := range validate.Rules() {
		codes = append(codes, r.Code)
		head := "**" + r.Title() + "** (" + r.Severity.String() + ")\n\n"
		if r.ActiveOnly() {
			head = strings.Replace(head, ")\n", ", in active/ only)\n", 1)
		}
		if !strings.HasPrefix(r.Text(), head) || r.Fix() == "" || !strings.Contains(r.Text(), "\n*Source:* ") {
			t.Errorf("rules.md does not explain %s", r.Code)
		}
		if !slices.ContainsFunc(examples, func(e example) bool { return e.code == r.Code }) {
			t.Errorf("no example breaks %s", r.Code)
		}
	}
	if !slices.IsSorted(codes) || len(slices.Compact(codes)) != len(validate.Rules()) {
		t.Errorf("codes are not unique and in order: %v", codes)
	}
}

func TestGoodFilesHaveNoFinding(t *testing.T) {
	bare := change(cut(good, "### Breadcrumbs", "### Play-By-Play"), "anchor: end of phase 1\nlast_delta: 2026-01-02T10:00:00Z\nstatus: current\n", "")
	bare = bare[:strings.Index(bare, "\n## User Rules")]
	for name, files := range map[string]map[string]string{
		"active":   {"active/chk-auth.md": good},
		"archived": {"archive/2026/01/chk-auth.md": archived},
		"fork":     {"active/chk-auth.md": good, "active/chk-fork.md": change(good, "chk-auth", "chk-fork", "status: current", "parent: chk-auth")},
		"parked":   {"active/chk-auth.md": change(good, "status: current", "status: active")},
		"windows":  {"active/chk-auth.md": "\ufeff" + strings.ReplaceAll(good, "\n", "\r\n")},
		// Optional parts of the format, and parts that its first versions did not have.
		"nothing optional": {"active/chk-auth.md": bare},

		"date only":     {"active/chk-auth.md": change(good, "last_delta: 2026-01-02T10:00:00Z", "last_delta: 2026-01-02")},
		"unknown parts": {"active/chk-auth.md": change(good, "## User Rules", "### Ideas\n\nSome.\n\n## User Rules", "status:", "mood: fine\nstatus:")},
	} {
		t.Run(name, func(t *testing.T) {
			set := read(t, files)
			r := validate.Set(set, now)
			for _, f := range r.Findings {
				t.Error(show(f))
			}
			if r.Checked != len(files) {
				t.Errorf("checked %d of %d", r.Checked, len(files))
			}
		})
	}
}

// helpers

// change replaces each old text by the new text after it. It panics if an old text is missing.
func change(text string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			panic(fmt.Sprintf("no %q in the text", pairs[i]))
		}
		text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
	}
	return text
}

// cut removes the text from one heading to before another.
func cut(text, from, to string) string {
	a, b := strings.Index(text, from), strings.Index(text, to)
	return text[:a] + text[b:]
}

// section replaces the section with the same heading, up to before another one.
func section(text, to string) string {
	heading, _, _ := strings.Cut(text, "\n")
	a, b := strings.Index(good, heading), strings.Index(good, to)
	return good[:a] + text + good[b:]
}

// swap exchanges the text from a to before b with the text from b to before c.
func swap(text, a, b, c string) string {
	i, j, k := strings.Index(text, a), strings.Index(text, b), strings.Index(text, c)
	return text[:i] + text[j:k] + text[i:j] + text[k:]
}

func withoutDelta() string { return good[:strings.Index(good, "\n---\n\n## Delta")+1] }

func delta(at string) string {
	return "\n## Delta: " + at + "\n\n### What Changed\n\nThe test passes.\n\n### Artifacts\n\n| File | Action | Description |\n|------|--------|-------------|\n"
}

// often returns the good file with n more deltas, two minutes apart.
func often(n int) string {
	text := good
	for i := range n {
		text += delta(fmt.Sprintf("2026-01-02T10:%02d:00Z", 2*i+2))
	}
	return change(text, "last_delta: 2026-01-02T10:00:00Z", "last_delta: 2026-01-02T10:59:00Z")
}

func read(t testing.TB, files map[string]string) *checkpoint.Set {
	set := &checkpoint.Set{}
	var paths []string
	for path := range files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		c, err := checkpoint.Parse(path, []byte(files[path]))
		if err != nil {
			set.Broken = append(set.Broken, checkpoint.Broken{Path: path, Err: err})
			continue
		}
		set.All = append(set.All, c)
	}
	return set
}

func ruleOf(code string) validate.Rule {
	for _, r := range validate.Rules() {
		if r.Code == code {
			return r
		}
	}
	return validate.Rule{}
}

func show(f result.Finding) string {
	return fmt.Sprintf("%s:%d %s %s: %s", f.Path, f.Line, f.Code, f.Severity, f.Message)
}

func lineOf(text string, n int) string { return strings.Split(text, "\n")[n-1] }

func idOf(text string) string {
	_, rest, _ := strings.Cut(text, "checkpoint: ")
	id, _, _ := strings.Cut(rest, "\n")
	return id
}
