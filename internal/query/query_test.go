package query

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/search"
	"example.com/ckpt/internal/workspace"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// chk returns a valid checkpoint with lines of frontmatter and a problem.
func chk(id, problem string, fields ...string) string {
	src := "---\ncheckpoint: " + id + "\n" + strings.Join(fields, "\n") + "\n---\n\n## Problem\n\n" + problem + "\n"
	src += "\n### Session Intent\n\nNone yet.\n\n## Essential Information\n\n### Decisions\n\nNone yet.\n\n" +
		"### Technical Context\n\nNone yet.\n\n### Play-By-Play\n\n- Read two of five files\n"
	return src + "\n### Artifact Trail\n\nNone yet.\n\n### Current State\n\nAs it was.\n\n### Next Actions\n\n1. Read the code\n"
}

const completion = "\n---\n\n## Completion\n\n- **Status**: Archived\n- **Outcome**: Bills are in time\n" +
	"- **Learnings**: Ask first.\n- **Date**: 2026-01-03\n"

const learned = `# Learnings

## 2026-02-02 — chk-old
- Retry with a delay
- Cookies need a Domain

## 2026-01-03 — chk-older
- Ask the customer first
`

// shop returns a repository with three active checkpoints, of which chk-auth is current, a
// file that cannot be read, and two archived ones. All were committed on 2026-01-02.
func shop(t *testing.T) *gittest.Repo {
	t.Helper()
	r := gittest.New(t)
	r.Commit("Begin", "main.go", "package main\n",
		"checkpoints/active/.gitkeep", "", "checkpoints/archive/.gitkeep", "",
		"checkpoints/active/chk-auth.md", chk("chk-auth", "Logins fail. It began with 2.3.",
			"created: 2026-02-01", "last_delta: 2026-02-10T10:00:00Z", "status: current", "agent: claude", "session: s1"),
		"checkpoints/active/chk-pay.md", chk("chk-pay", "Payments hang.",
			"created: 2026-02-20", "parent: chk-auth", "workflow: ship", "phase: build", "agent: codex"),
		"checkpoints/active/chk-docs.md", chk("chk-docs", "Nobody finds the guide.",
			"created: 2026-02-10T10:00:00Z", "parent: chk-old"),
		"checkpoints/active/chk-bad.md", "---\ncheckpoint: [chk-bad\ncreated: 2026-02-01\n---\n\n## Problem\n\nHalf a login.\n",
		"checkpoints/archive/chk-old.md", chk("chk-old", "Bills are late.", "created: 2026-02-12", "agent: claude")+completion,
		"checkpoints/archive/chk-older.md", chk("chk-older", "A first login.", "created: 2025-12-01", "parent: chk-lost")+completion,
		"checkpoints/LEARNINGS.md", learned)
	return r
}

func open(t *testing.T, r *gittest.Repo) *workspace.Workspace { return openAt(t, r, now) }

func openAt(t *testing.T, r *gittest.Repo, at time.Time) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(t.Context(), workspace.Settings{Dir: r.Dir, Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func ids(o *result.Overview) string {
	var all []string
	for _, e := range o.Entries {
		all = append(all, e.ID)
	}
	return strings.Join(all, " ")
}

func day(d int) time.Time { return time.Date(2026, 2, d, 0, 0, 0, 0, time.UTC) }

func TestList(t *testing.T) {
	q := New(open(t, shop(t)))
	for _, c := range []struct {
		name string
		req  ListRequest
		want string
	}{
		{"active ones without a request, equal times by id", ListRequest{}, "chk-pay chk-auth chk-docs chk-bad"},
		{"active ones", ListRequest{Active: true}, "chk-pay chk-auth chk-docs chk-bad"},
		{"archived ones", ListRequest{Archived: true}, "chk-old chk-older"},
		{"all", ListRequest{Active: true, Archived: true}, "chk-pay chk-old chk-auth chk-docs chk-older chk-bad"},
		{"since a day", ListRequest{Since: day(11)}, "chk-pay chk-bad"},
		{"since the very moment", ListRequest{Since: day(10).Add(10 * time.Hour)}, "chk-pay chk-auth chk-docs chk-bad"},
		{"since then, all", ListRequest{Active: true, Archived: true, Since: day(11)}, "chk-pay chk-old chk-bad"},
		{"a limit, which leaves in what cannot be read", ListRequest{Limit: 2}, "chk-pay chk-auth chk-bad"},
		{"a limit above their number", ListRequest{Limit: 9}, "chk-pay chk-auth chk-docs chk-bad"},
		{"of an agent", ListRequest{Of: progress.Filter{Agent: "claude"}}, "chk-auth chk-bad"},
		{"of an agent, all", ListRequest{Active: true, Archived: true, Of: progress.Filter{Agent: "claude"}},
			"chk-old chk-auth chk-bad"},
		{"of a session", ListRequest{Of: progress.Filter{Session: "s1"}}, "chk-auth chk-bad"},
		{"of a workflow and another agent", ListRequest{Of: progress.Filter{Workflow: "ship", Agent: "claude"}}, "chk-bad"},
		{"of a workflow", ListRequest{Of: progress.Filter{Workflow: "ship"}}, "chk-pay chk-bad"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, err := q.List(t.Context(), c.req)
			if err != nil {
				t.Fatal(err)
			}
			if got := ids(o); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if o.Of != c.req.Of.String() {
				t.Errorf("it is %q, want %q", o.Of, c.req.Of)
			}
		})
	}
}

// TestStatus changes a repository and checks the answer of status.
func TestStatus(t *testing.T) {
	auth := func(fields ...string) string {
		return chk("chk-auth", "Logins fail.", append([]string{"created: 2026-02-01", "status: current"}, fields...)...)
	}
	for _, c := range []struct {
		name    string
		change  func(*gittest.Repo)
		of      progress.Filter
		want    string
		edited  string
		warning string // in the only one; empty if there is none
	}{
		{name: "the current one first", change: func(*gittest.Repo) {}, want: "chk-auth chk-pay chk-docs chk-bad"},
		{name: "of an agent", change: func(*gittest.Repo) {}, of: progress.Filter{Agent: "codex"}, want: "chk-pay chk-bad"},
		{
			name: "an edit", change: func(r *gittest.Repo) { r.Write("checkpoints/active/chk-auth.md", auth("agent: other")) },
			want: "chk-auth chk-pay chk-docs chk-bad", edited: "chk-auth",
		},
		{
			name:   "an edit of the archive, which is not read",
			change: func(r *gittest.Repo) { r.Write("checkpoints/archive/chk-old.md", "broken") },
			want:   "chk-auth chk-pay chk-docs chk-bad",
		},
		{
			name: "two that are marked current",
			change: func(r *gittest.Repo) {
				r.Commit("Two", "checkpoints/active/chk-x.md", chk("chk-x", "X.", "created: 2026-01-01", "status: current"))
			},
			want: "chk-auth chk-pay chk-docs chk-x chk-bad", warning: "chk-x",
		},
		{
			name:   "a file that was deleted",
			change: func(r *gittest.Repo) { remove(r, "checkpoints/active/chk-docs.md") },
			want:   "chk-auth chk-pay chk-bad", warning: "checkpoints/active/chk-docs.md is deleted, and no commit says so",
		},
		{
			name:   "a deletion that was committed",
			change: func(r *gittest.Repo) { r.Git("rm", "-q", "checkpoints/active/chk-docs.md"); r.Commit("Drop it") },
			want:   "chk-auth chk-pay chk-bad",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := shop(t)
			c.change(r)
			o, err := New(open(t, r)).Status(t.Context(), c.of)
			if err != nil {
				t.Fatal(err)
			}
			if got := ids(o); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			var edited []string
			for _, e := range o.Entries {
				if e.Edited {
					edited = append(edited, e.ID)
				}
			}
			if got := strings.Join(edited, " "); got != c.edited {
				t.Errorf("edited: %q, want %q", got, c.edited)
			}
			checkWarnings(t, o.Warnings, c.warning)
		})
	}
}

func remove(r *gittest.Repo, path string) {
	r.T.Helper()
	r.Git("rm", "-q", "--", path)
	r.Git("reset", "-q")
}

// checkWarnings checks that there is one warning with a text, or none if the text is empty.
func checkWarnings(t *testing.T, got []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(got) > 0:
		t.Errorf("warnings: %q", got)
	case want != "" && (len(got) != 1 || !strings.Contains(got[0], want)):
		t.Errorf("warnings: %q, want one with %q", got, want)
	}
}

func TestTree(t *testing.T) {
	q := New(open(t, shop(t)))
	for _, c := range []struct {
		name string
		req  TreeRequest
		want string // a word for each node: its depth in dots, - if filtered out, its id
		kind fault.Kind
	}{
		{name: "all, oldest first", want: "chk-older chk-auth .chk-pay chk-old .chk-docs"},
		{name: "below one", req: TreeRequest{ID: "auth"}, want: "chk-auth .chk-pay"},
		{name: "below a leaf", req: TreeRequest{ID: "chk-pay"}, want: "chk-pay"},
		{name: "below an archived one", req: TreeRequest{ID: "old"}, want: "chk-old .chk-docs"},
		{name: "below the current one", req: TreeRequest{ID: "@"}, want: "chk-auth .chk-pay"},
		{name: "active ones", req: TreeRequest{Active: true}, want: "chk-auth .chk-pay -chk-old .chk-docs"},
		{name: "archived ones", req: TreeRequest{Archived: true}, want: "chk-older chk-old"},
		{name: "both", req: TreeRequest{Active: true, Archived: true}, want: "chk-older chk-auth .chk-pay chk-old .chk-docs"},
		{name: "active ones below one", req: TreeRequest{ID: "old", Active: true}, want: "-chk-old .chk-docs"},
		{name: "below none", req: TreeRequest{ID: "chk-nowhere"}, kind: fault.NotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := q.Tree(t.Context(), c.req)
			if fault.KindOf(err) != c.kind {
				t.Fatalf("%v, want kind %v", err, c.kind)
			}
			if err == nil && drawn(f) != c.want {
				t.Errorf("%s, want %s", drawn(f), c.want)
			}
		})
	}
	f, err := q.Tree(t.Context(), TreeRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var problems []string
	for _, n := range f.Walk() {
		for _, p := range n.Problems {
			problems = append(problems, n.Checkpoint.ID+": "+p.Kind.String())
		}
	}
	if want := []string{"chk-older: " + lineage.MissingParent.String()}; !slices.Equal(problems, want) {
		t.Errorf("problems: %q, want %q", problems, want)
	}
	if len(f.Broken) != 1 || f.Broken[0].Path != "active/chk-bad.md" {
		t.Errorf("unreadable: %v", f.Broken)
	}
}

func drawn(f *lineage.Forest) string {
	var all []string
	for depth, n := range f.Walk() {
		name := strings.Repeat(".", depth)
		if n.Skipped {
			name += "-"
		}
		all = append(all, name+n.Checkpoint.ID)
	}
	return strings.Join(all, " ")
}

func TestSearch(t *testing.T) {
	q := New(open(t, shop(t)))
	for _, c := range []struct {
		name    string
		text    string
		narrow  func(*SearchRequest)
		want    string // the files with hits
		hits    int    // if it is not one in each file
		warning string
	}{
		{
			name: "active ones first, then the archive", text: "login", warning: "chk-bad.md was searched as plain text",
			want: "active/chk-auth.md active/chk-bad.md archive/chk-older.md",
		},
		{name: "a word that no file has", text: "lorry"},
		{name: "two words of one file", text: "payments hang", want: "active/chk-pay.md"},
		{name: "two words of two files", text: "payments guide"},
		{name: "learnings before the archive", text: "ask",
			want: "LEARNINGS.md archive/chk-old.md archive/chk-older.md"},
		{name: "active", text: "login", narrow: func(r *SearchRequest) { r.Active = true },
			want: "active/chk-auth.md active/chk-bad.md", warning: "searched as plain text"},
		{name: "archived", text: "login", narrow: func(r *SearchRequest) { r.Archived = true }, want: "archive/chk-older.md"},
		{name: "one checkpoint", text: "login", narrow: func(r *SearchRequest) { r.Only = "auth" }, want: "active/chk-auth.md"},
		{name: "the current one", text: "ask", narrow: func(r *SearchRequest) { r.Only = "@" }},
		{name: "since", text: "bills", narrow: func(r *SearchRequest) { r.Since = day(13) }},
		{
			name: "a section, which a file that cannot be read does not have", text: "login",
			narrow: func(r *SearchRequest) { r.Kinds = []search.Kind{search.Problem} },
			want:   "active/chk-auth.md archive/chk-older.md", warning: "chk-bad.md cannot be read and has no sections",
		},
		{name: "a limit", text: "login", narrow: func(r *SearchRequest) { r.Limit = 1 }, want: "active/chk-auth.md", hits: 3,
			warning: "searched as plain text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := SearchRequest{}
			query, err := search.Parse(c.text)
			if err != nil {
				t.Fatal(err)
			}
			req.Query = query
			if c.narrow != nil {
				c.narrow(&req)
			}
			found, err := q.Search(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			var files []string
			for _, f := range found.Files {
				files = append(files, strings.TrimPrefix(f.Path, "checkpoints/"))
			}
			if got := strings.Join(files, " "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if c.hits > 0 && found.Hits != c.hits {
				t.Errorf("%d hits, want %d", found.Hits, c.hits)
			}
			checkWarnings(t, found.Warnings, c.warning)
		})
	}
	if _, err := q.Search(t.Context(), SearchRequest{Only: "nowhere"}); fault.KindOf(err) != fault.NotFound {
		t.Errorf("in a checkpoint that is not there: %v", err)
	}
}
