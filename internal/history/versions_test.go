package history_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/disk"
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

// TestShowAt finds versions by every kind of name, in the checkpoint ref or in a commit of the branch that was taken in.
// A revision of the branch means a commit and a file of the branch, where the file may be marked as current.
func TestShowAt(t *testing.T) {
	p := newStory(t)
	const (
		made    = "refs/ckpt/checkpoints ckpt: new chk-auth: Logins fail."
		noted   = "refs/ckpt/checkpoints ckpt: note chk-auth: step: Read the log."
		renamed = "main Say when"
		left    = "main ckpt: new chk-broken: It breaks." // marks another one as current, so the file of chk-auth changed
		first   = "main ckpt: new chk-auth: Logins fail."
		second  = "main ckpt: note chk-auth: step: Read the log."
		stored  = "refs/ckpt/checkpoints ckpt: archive chk-auth: It works."
	)
	versionOf := func(version string) (commit, subject string) {
		ref, subject, _ := strings.Cut(version, " ")
		return p.Git("log", "-1", "--format=%H", "--fixed-strings", "--grep", subject, ref), subject
	}
	short := func(version string) string {
		commit, _ := versionOf(version)
		return commit[:7]
	}
	notedHere := short(second)
	tests := []struct {
		name, rev string
		version   string // a ref, and the subject of the commit there
		want      failure
	}{
		{name: "chk-auth", rev: "@{0}", version: stored},
		{name: "chk-auth", rev: "-0", version: stored},
		{name: "auth", rev: "@{1}", version: renamed},
		{name: "chk-auth", rev: "-2", version: noted},
		{name: "chk-auth", rev: "@{3}", version: made},
		{name: "chk-auth", rev: "auth@{2}", version: noted},
		{name: "", rev: "chk-auth@{2}", version: noted},
		{name: "chk-auth", rev: "2026-01-02T11:00:00Z", version: noted},
		{name: "chk-auth", rev: "2026-01-02T11:59:59Z", version: noted},
		{name: "chk-auth", rev: "2026-01-02T12:00:00Z", version: renamed},
		{name: "chk-auth", rev: "2026-01-02", version: stored},
		{name: "chk-auth", rev: "2026-01", version: stored},
		{name: "chk-auth", rev: "first", version: first},
		{name: "chk-auth", rev: "oops", version: left},
		{name: "chk-auth", rev: "HEAD~4", version: left},
		{name: "chk-auth", rev: notedHere, version: second},
		{name: "chk-auth", rev: short(noted), version: noted},
		{name: "chk-auth", rev: short(noted) + "~", version: made},
		{name: "chk-gone", rev: "@{1}", version: "refs/ckpt/checkpoints ckpt: new chk-gone: No more."},
		{name: "chk-broken", rev: "@{1}", version: "refs/ckpt/checkpoints ckpt: new chk-broken: It breaks."},
		{name: "chk-main", rev: "main@{0}", version: "refs/ckpt/checkpoints ckpt: new chk-main: Not a branch."},
		{name: "chk-auth", rev: "main@{4}", version: left}, // a position of the branch
		{
			name: "chk-auth", rev: "@{4}",
			want: failure{fault.NotFound, `chk-auth has 4 versions, and "@{4}" is before the first`, "ckpt log chk-auth"},
		},
		{
			name: "chk-auth", rev: "2026-01-01",
			want: failure{fault.NotFound, `chk-auth is not at "2026-01-01": it begins with`, "ckpt log chk-auth"},
		},
		{name: "chk-auth", rev: "first~1", want: failure{fault.NotFound, `chk-auth is not at "first~1"`, "ckpt log chk-auth"}},
		{name: "chk-auth", rev: "nowhere", want: failure{fault.NotFound, `"nowhere" is not a revision`, "ckpt log shows the versions"}},
		{name: "chk-auth", rev: "chk-main@{0}", want: failure{fault.Usage, `"chk-main@{0}" is a version of chk-main, not of chk-auth`, "@{0} is"}},
		{name: "chk-gone", rev: "@{0}", want: failure{fault.NotFound, `at "@{0}" chk-gone was gone`, "ckpt show chk-gone --at"}},
		{
			name: "chk-broken", rev: "@{0}",
			want: failure{fault.Invalid, `at "@{0}" chk-broken.md cannot be read`, "ckpt show chk-broken --at @{0} --raw"},
		},
		{name: "chk-pay", rev: "@{0}", want: failure{fault.NotFound, `"chk-pay"`, ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name+" at "+tt.rev, func(t *testing.T) {
			c, v, err := p.history().ShowAt(context.Background(), tt.name, tt.rev)
			if tt.want.check(t, err) {
				return
			}
			if commit, subject := versionOf(tt.version); v.Subject != subject || v.Commit != commit {
				t.Errorf("the version is %s %q, want %q", v.Short(), v.Subject, tt.version)
			}
			want := p.Git("show", v.Commit+":checkpoints/"+v.Path) + "\n"
			if got := string(c.Doc.Bytes()); got != want {
				t.Errorf("the text is\n%s\nwant\n%s", got, want)
			}
			raw, err := p.history().RawAt(context.Background(), tt.name, tt.rev)
			if err != nil || string(raw) != want {
				t.Errorf("RawAt: %v\n%s\nwant\n%s", err, raw, want)
			}
		})
	}
	raw, err := p.history().RawAt(context.Background(), "chk-broken", "@{0}")
	if err != nil || !strings.Contains(string(raw), "created: [") {
		t.Errorf("RawAt of a version that cannot be read: %v\n%s", err, raw)
	}
}

// TestResumeAt builds a brief from a former version, which states that it is one.
func TestResumeAt(t *testing.T) {
	p := newStory(t)
	b, err := p.history().ResumeAt(context.Background(), "chk-auth", "first")
	if err != nil {
		t.Fatal(err)
	}
	facts := fmt.Sprint(b.Facts)
	if !b.Moment.ReadOnly || b.Path != auth || !strings.Contains(facts, "As it was at first: ") {
		t.Errorf("read-only %v, path %q, facts %q", b.Moment.ReadOnly, b.Path, facts)
	}
	if _, err := p.history().ResumeAt(context.Background(), "chk-auth", "first~1"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("before the first version: %v, want an error of kind not-found", err)
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
			name: "too large to read", asked: "chk-main", changes: []string{"new +problem"}, edited: true,
			do: func(p *project) {
				if err := os.Truncate(filepath.Join(p.Dir, "checkpoints/active/chk-main.md"), disk.MaxFile+1); err != nil {
					p.Test.Fatal(err)
				}
			},
		},
		{name: "the current one", asked: "", changes: []string{"new +problem"}},
		{
			name: "deleted, and another id begins with it", asked: "chk-gone", changes: []string{"delete deleted", "new +problem"},
			do: func(p *project) { p.New("gone-too", "More.") },
		},
		{name: "unknown", asked: "chk-pay", want: failure{fault.NotFound, `no checkpoint is called "chk-pay"`, ""}},
		{name: "one version", asked: "chk-auth@{1}", want: failure{fault.Usage, `"chk-auth@{1}" is one version`, "ckpt show chk-auth@{1}"}},
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

// TestLogOfCopies makes commits of the branch without new content: the versions keep their numbers,
// at once and after the next operation. A change by a person in such a commit is a version.
func TestLogOfCopies(t *testing.T) {
	tests := []struct {
		name, mode string
		do         func(*project)
		gained     []string // the subjects of the new versions, the newest first
	}{
		{name: "a rebase", mode: "own", do: func(p *project) { p.Git("rebase", "-q", "--force-rebase", "--root") }},
		{name: "an amended commit", mode: "own", do: func(p *project) { p.Git("commit", "-q", "--amend", "-m", "Step two") }},
		{
			name: "an amended copy of an operation that was undone", mode: "own", do: func(p *project) {
				p.undo(1)
				p.Git("reset", "-q", "--hard", "HEAD~")
				p.Git("commit", "-q", "--amend", "-m", "Step two")
			},
			gained: []string{"ckpt: undo chk-auth: undid: note chk-auth: step: Two."},
		},
		{
			name: "a squash", mode: "own", do: func(p *project) {
				p.Git("reset", "-q", "--soft", "HEAD~3")
				p.Git("commit", "-q", "-m", "All of it")
			},
		},
		{name: "the user's own commit", mode: "off", do: func(p *project) { p.commitAll("Code") }},
		{
			name: "the user's own commit of a deletion", mode: "off", do: func(p *project) {
				p.commitAll("Code")
				p.delete("chk-auth")
				p.commitAll("Code")
				p.undo(1)
			},
			gained: []string{"ckpt: undo chk-auth: undid: delete chk-auth: from active/", "ckpt: delete chk-auth: from active/"},
		},
		{
			name: "a commit with an edit", mode: "off", gained: []string{"Say when"}, do: func(p *project) {
				p.replace(auth, "Logins fail.", "Logins fail on Mondays.")
				p.commitAll("Say when")
			},
		},
		{
			name: "a rebase on top of a commit with an edit", mode: "own", gained: []string{"Say when"}, do: func(p *project) {
				p.replace(auth, "Logins fail.", "Logins fail on Mondays.")
				p.commitAll("Say when")
				p.Git("rebase", "-q", "--force-rebase", "--root")
			},
		},
		{
			name: "a commit that takes a step back", mode: "own", gained: []string{`Revert "ckpt: note chk-auth: step: Two."`},
			do: func(p *project) { p.Git("revert", "--no-edit", "HEAD") },
		},
	}
	subjects := func(p *project) []string {
		p.Test.Helper()
		log, err := p.history().Log(context.Background(), "chk-auth", 0)
		if err != nil {
			p.Test.Fatal(err)
		}
		var all []string
		for _, c := range log.Changes {
			all = append(all, c.Subject)
		}
		return all
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.Git("config", "ckpt.commit", tt.mode)
			p.New("auth", "Logins fail.")
			p.Note("", "step", "One.")
			p.Note("", "step", "Two.")
			want := append(slices.Clone(tt.gained), subjects(p)...)
			p.Later()
			tt.do(p)
			if got := subjects(p); !slices.Equal(got, want) {
				t.Errorf("the versions are %q, want %q", got, want)
			}
			p.Note("", "context", "Two users.")
			want = append([]string{"ckpt: note chk-auth: context: Two users."}, want...)
			if got := subjects(p); !slices.Equal(got, want) {
				t.Errorf("after an operation the versions are %q, want %q", got, want)
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
		{name: "from a version to now", asked: "chk-auth", from: "@{2}", fromOp: "note", words: "problem rewritten, +completion, -status"},
		{name: "between versions", asked: "chk-auth", from: "@{3}", to: "@{2}", fromOp: "new", toOp: "note", words: "+1 step"},
		{name: "backwards", asked: "chk-auth", from: "@{2}", to: "@{3}", fromOp: "note", toOp: "new", words: "-1 step"},
		{name: "by versions of the id", from: "auth@{3}", to: "chk-auth@{2}", fromOp: "new", toOp: "note", words: "+1 step"},
		{name: "to the checkpoint itself", from: "auth@{0}", to: "chk-auth", fromOp: "archive"},
		{
			name: "versions of two checkpoints", from: "chk-auth@{1}", to: "chk-main@{0}",
			want: failure{fault.Usage, `"chk-main@{0}" is a version of chk-main, not of chk-auth`, "@{0} is the version of chk-auth"},
		},
		{
			name: "one that is gone", asked: "chk-gone", from: "@{1}",
			want: failure{fault.NotFound, `chk-gone is gone: there is nothing to compare "@{1}" with`, "ckpt diff -c chk-gone "},
		},
		{name: "unknown", asked: "chk-pay", want: failure{fault.NotFound, `no checkpoint is called "chk-pay"`, ""}},
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

// TestDecisions follows decisions through history. Each is listed as "WHAT made by OP", with
// what happened to it.
func TestDecisions(t *testing.T) {
	tests := []struct {
		name      string
		do        func(*project)
		decisions []string
		losses    []string
		lost      int // the losses for which Fails is true
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
			name: "removed by hand and brought back", decisions: []string{"Redis made by note"}, losses: []string{"Redis lost by , back"}, lost: 1,
			do: func(p *project) {
				p.replace(auth, "- **Redis**: it works\n", "")
				p.commitAll("Clean up")
				p.Git("revert", "--no-edit", "HEAD")
			},
		},
		{
			name: "removed by hand, and taken in by an operation", losses: []string{"Redis lost by "}, lost: 1,
			do: func(p *project) {
				p.replace(auth, "- **Redis**: it works\n", "")
				p.commitAll("Clean up")
				p.Note("", "step", "Read the log.")
			},
		},
		{name: "undone", losses: []string{"Redis lost by undo"}, do: func(p *project) { p.undo(1) }},
		{
			name: "pending", decisions: []string{"Redis made by note", "Postgres made by note"},
			do: func(p *project) {
				p.Git("bisect", "start")
				p.decide("", "Postgres", "")
			},
		},
		{name: "deleted", decisions: []string{"Redis made by note"}, do: func(p *project) { p.delete("chk-auth") }},
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
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.New("auth", "Logins fail.")
			p.decide("", "Redis", "")
			tt.do(p)
			record, err := p.history().DecisionsMade(context.Background(), "chk-auth", time.Time{})
			if err != nil {
				t.Fatal(err)
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
