package history_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
)

// newStory makes a repository in which chk-auth was renamed and archived, chk-gone deleted, and
// chk-broken cannot be read now.
func newStory(t *testing.T) *project {
	p := newProject(t)
	p.New("auth", "Logins fail.") // 10:00
	p.Git("tag", "first")
	p.Note("", "step", "Read the log.") // 11:00
	p.Git("mv", auth, "checkpoints/active/login.md")
	p.replace("checkpoints/active/login.md", "Logins fail.", "Logins fail on Mondays.")
	p.commitAll("Say when") // 12:00
	p.New("broken", "It breaks.")
	p.replace("checkpoints/active/chk-broken.md", "created:", "created: [")
	p.commitAll("Oops") // 14:00
	p.Git("tag", "oops")
	p.archive("chk-auth", "Clocks drift.") // 15:00
	p.New("gone", "No more.")              // 16:00
	p.delete("chk-gone")                   // 17:00
	p.New("main", "Not a branch.")         // 18:00
	return p
}

func TestVersion(t *testing.T) {
	for name, want := range map[string][2]string{
		"chk-auth@{2}": {"chk-auth", "@{2}"},
		"@{2}":         {"", "@{2}"},
		"chk-auth":     {"chk-auth", ""},
		"main@{u}":     {"main@{u}", ""},
		"chk-auth@{2":  {"chk-auth@{2", ""},
		"":             {"", ""},
	} {
		if id, rev := history.Version(name); id != want[0] || rev != want[1] {
			t.Errorf("Version(%q) = %q, %q, want %q", name, id, rev, want)
		}
	}
}

// TestLog lists the versions of a checkpoint through renames, the archive and deletion.
func TestLog(t *testing.T) {
	tests := []struct {
		name    string
		asked   string
		do      func(*project)
		limit   int
		changes []string
		older   int
		edited  bool
		want    failure
	}{
		{
			name: "archived and renamed", asked: "chk-auth",
			changes: []string{
				"archive moved to archive/, +completion, -status",
				"renamed from chk-auth.md, problem rewritten", "note +1 step", "new +problem, anchor",
			},
		},
		{name: "a part of the id", asked: "aut", limit: 1, changes: []string{"archive moved to archive/"}, older: 3},
		{name: "a limit above the number", asked: "chk-gone", limit: 5, changes: []string{"delete deleted", "new +problem"}},
		{name: "deleted, without chk-", asked: "gone", changes: []string{"delete deleted", "new +problem"}},
		{name: "unreadable", asked: "chk-broken", changes: []string{"chk-broken.md cannot be read", "new +problem"}},
		{
			name: "edited", asked: "chk-main", changes: []string{"new +problem"}, edited: true,
			do: func(p *project) { p.replace("checkpoints/active/chk-main.md", "Not a branch.", "Not one branch.") },
		},
		{
			name: "the current one", asked: "", changes: []string{"new +problem"},
		},
		{
			name: "deleted, and another id begins with it", asked: "chk-gone", changes: []string{"delete deleted", "new +problem"},
			do: func(p *project) { p.New("gone-too", "More.") },
		},
		{name: "unknown", asked: "chk-pay", want: failure{fault.NotFound, `no checkpoint is called "chk-pay"`, ""}},
		{name: "one version", asked: "chk-auth@{1}", want: failure{fault.Usage, `"chk-auth@{1}" is one version`, "ckpt log chk-auth; or ckpt show chk-auth@{1}"}},
	}
	story := newStory(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := story
			if tt.do != nil {
				p = newStory(t)
				tt.do(p)
			}
			log, err := p.history().Log(context.Background(), tt.asked, tt.limit)
			if tt.want.check(t, err) {
				return
			}
			if len(log.Changes) != len(tt.changes) || log.Older != tt.older || log.Edited != tt.edited {
				t.Fatalf("%d versions, %d older, edited %v, want %d, %d, %v", len(log.Changes), log.Older, log.Edited,
					len(tt.changes), tt.older, tt.edited)
			}
			for i, c := range log.Changes {
				if got := strings.TrimSpace(c.Op + " " + c.Words()); !strings.HasPrefix(got, tt.changes[i]) {
					t.Errorf("version %d is %q, want %q", i, got, tt.changes[i])
				}
			}
		})
	}
}

// TestDiff compares versions with each other and with the present file.
func TestDiff(t *testing.T) {
	const main = "checkpoints/active/chk-main.md"
	tests := []struct {
		name         string
		do           func(*project)
		asked        string
		from, to     string
		fromOp, toOp string // the operations of the compared versions; no toOp means the present file
		words        string
		want         failure
	}{
		{name: "nothing changed", asked: "chk-main", fromOp: "new"},
		{
			name: "an edit since the newest version", asked: "chk-main", fromOp: "new", words: "problem rewritten",
			do: func(p *project) { p.replace(main, "Not a branch.", "Not one branch.") },
		},
		{name: "to the checkpoint itself", from: "auth@{0}", to: "chk-auth", fromOp: "archive"},
		{
			name: "versions of two checkpoints", from: "chk-auth@{1}", to: "chk-main@{0}",
			want: failure{fault.Usage, `"chk-auth" and "chk-main" are versions of two checkpoints`, "ckpt diff chk-main@{1} chk-main@{0}"},
		},
		{
			name: "one that is gone", asked: "chk-gone", from: "@{1}",
			want: failure{fault.NotFound, `chk-gone is gone: there is nothing to compare "@{1}" with`, "ckpt diff -c chk-gone @{1}"},
		},
		{
			name: "a name that matches no checkpoint", asked: "chk-pay",
			want: failure{fault.NotFound, `no checkpoint is called "chk-pay"`, ""},
		},
	}
	p := newStory(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.do != nil {
				tt.do(p)
				defer p.Git("checkout", "-q", "--", "checkpoints")
			}
			c, err := p.history().Diff(context.Background(), tt.asked, tt.from, tt.to)
			if tt.want.check(t, err) {
				return
			}
			toOp := ""
			if c.To != nil {
				toOp = c.To.Op
			}
			if c.From.Op != tt.fromOp || toOp != tt.toOp {
				t.Errorf("compared %q with %q, want %q with %q", c.From.Op, toOp, tt.fromOp, tt.toOp)
			}
			if got := c.Diff.Words(); got != tt.words {
				t.Errorf("the difference is %q, want %q", got, tt.words)
			}
		})
	}
}

// TestDiffParent compares a fork with its parent, which may have changed or be gone.
func TestDiffParent(t *testing.T) {
	const orphan = "---\ncheckpoint: chk-orphan\ncreated: 2026-01-01\nparent: %s\n---\n\n## Problem\n\nP\n"
	tests := []struct {
		name        string
		do          func(*project)
		own, gained string
		remark      string
		want        failure
	}{
		{name: "a new fork", do: func(*project) {}},
		{
			name: "both changed", own: "+1 decision", gained: "+1 rule",
			do: func(p *project) {
				p.decide("chk-fork", "Log once", "")
				p.Note("chk-auth", "rule", "Ask first.")
			},
		},
		{
			name: "what the fork has too is not gained", own: "+1 rule",
			do: func(p *project) {
				p.Note("chk-fork", "rule", "Ask first.")
				p.Note("chk-auth", "rule", "Ask first.")
			},
		},
		{
			name: "a superseded decision of the parent", gained: "+1 decision, 1 decision superseded",
			do: func(p *project) { p.decide("chk-auth", "Postgres", "Redis") },
		},
		{
			name: "a parent that is gone", gained: "+1 rule", remark: "chk-auth is gone: it is compared as it was in",
			do: func(p *project) {
				p.Note("chk-auth", "rule", "Ask first.")
				p.delete("chk-auth")
			},
		},
		{
			name: "no parent", do: func(p *project) { p.use("chk-auth") },
			want: failure{fault.Usage, "chk-auth has no parent", "ckpt diff -c chk-auth"},
		},
		{
			name: "a parent that never was",
			do: func(p *project) {
				p.Write("checkpoints/active/chk-orphan.md", fmt.Sprintf(orphan, "chk-nobody"))
				p.use("chk-orphan")
			},
			want: failure{fault.NotFound, "the parent of chk-orphan, chk-nobody, is missing", "ckpt validate chk-orphan"},
		},
		{
			name: "its own parent",
			do: func(p *project) {
				p.Write("checkpoints/active/chk-orphan.md", fmt.Sprintf(orphan, "chk-orphan"))
				p.use("chk-orphan")
			},
			want: failure{fault.Invalid, "chk-orphan is its own parent", "ckpt validate chk-orphan"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.New("auth", "Logins fail.")
			p.decide("", "Redis", "")
			p.fork("fork", "chk-auth")
			tt.do(p)
			f, err := p.history().DiffParent(context.Background(), "")
			if tt.want.check(t, err) {
				return
			}
			if own, gained := f.Own.Words(), f.Gained.Words(); own != tt.own || gained != tt.gained {
				t.Errorf("own %q, gained %q, want %q, %q", own, gained, tt.own, tt.gained)
			}
			if remarks := strings.Join(f.Remarks, "\n"); !strings.Contains(remarks, tt.remark) || tt.remark == "" && remarks != "" {
				t.Errorf("remarks %q, want %q", remarks, tt.remark)
			}
		})
	}
}

// TestDecisions follows decisions through history. Each is listed as "WHAT made by OP", with
// what happened to it.
func TestDecisions(t *testing.T) {
	tests := []struct {
		name      string
		do        func(*project)
		since     string
		decisions []string
		losses    []string
		lost      int // the losses that break the promise
		want      failure
	}{
		{name: "one", do: func(*project) {}, decisions: []string{"Redis made by note"}},
		{
			name: "superseded", do: func(p *project) { p.decide("", "Postgres", "Redis") },
			decisions: []string{"Redis made by note, superseded by note", "Postgres made by note"},
		},
		{
			name: "reworded by hand, and not committed", decisions: []string{"Redis made by note, reworded by "},
			do: func(p *project) { p.replace(auth, "it works", "it works well") },
		},
		{
			name: "removed by hand", losses: []string{"Redis lost by "}, lost: 1,
			do: func(p *project) {
				p.replace(auth, "- **Redis**: it works\n", "")
				p.commitAll("Clean up")
			},
		},
		{
			name: "removed by hand after the revision", since: "HEAD~1", losses: []string{"Redis lost by "}, lost: 1,
			do: func(p *project) {
				p.replace(auth, "- **Redis**: it works\n", "")
				p.commitAll("Clean up")
			},
		},
		{
			name: "undone", losses: []string{"Redis lost by undo"}, do: func(p *project) { p.undo(1) },
		},
		{
			name: "pending", decisions: []string{"Redis made by note", "Postgres made by note"},
			do: func(p *project) {
				p.Git("bisect", "start")
				p.decide("", "Postgres", "")
			},
		},
		{
			name: "deleted", decisions: []string{"Redis made by note"}, do: func(p *project) { p.delete("chk-auth") },
		},
		{
			name: "both sides of a merge", decisions: []string{"Redis made by note", "Ours made by note", "Theirs made by note"},
			do: func(p *project) {
				p.Git("switch", "-q", "-c", "side")
				p.decide("", "Theirs", "")
				p.Git("switch", "-q", "main")
				p.decide("", "Ours", "")
				p.Git("config", "merge.ckpt.driver", "git merge-file --union %A %O %B")
				p.Write(".git/info/attributes", "*.md merge=ckpt\n")
				p.Git("merge", "-q", "--no-edit", "side")
			},
		},
		{
			name: "an unknown revision", since: "nowhere", do: func(*project) {},
			want: failure{fault.NotFound, `git knows no revision "nowhere"`, "ckpt log chk-auth"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.New("auth", "Logins fail.")
			p.decide("", "Redis", "")
			tt.do(p)
			record, err := p.history().DecisionsMade(context.Background(), "chk-auth", tt.since)
			if tt.want.check(t, err) {
				return
			}
			var decisions, losses []string
			for _, d := range record.Decisions {
				text := d.What + " made by " + d.Made.Op
				for _, v := range d.Reworded {
					text += ", reworded by " + v.Op
				}
				if d.Struck != nil {
					text += ", superseded by " + d.Struck.Op
				}
				decisions = append(decisions, text)
			}
			for _, l := range record.Losses {
				text := l.Decision.What + " lost by " + l.In.Op
				if l.Back != nil {
					text += ", back"
				}
				losses = append(losses, text)
			}
			slices.Sort(decisions)
			slices.Sort(tt.decisions)
			if now, err := p.history().Decisions(context.Background(), ""); tt.name != "deleted" {
				if err != nil || len(now.Decisions) != len(record.Decisions) || len(now.Losses) > 0 {
					t.Errorf("Decisions returns %+v, %v", now, err)
				}
			}
			if !slices.Equal(decisions, tt.decisions) || !slices.Equal(losses, tt.losses) || record.Lost() != tt.lost {
				t.Errorf("decisions %q, losses %q, %d of them broke the promise\nwant %q, %q, %d", decisions, losses, record.Lost(),
					tt.decisions, tt.losses, tt.lost)
			}
		})
	}
}
