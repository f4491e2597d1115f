package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/git/pending"
	"example.com/ckpt/internal/result"
)

const pendingRef = "refs/ckpt/pending/main"

// TestPendingLands applies operations during a bisect, changes the working tree after it, and
// lands them.
func TestPendingLands(t *testing.T) {
	tests := []struct {
		name   string
		during []PlanFunc
		after  func(*project) // the bisect is over
		remark string         // of the landing
		want   map[string][]string
		stays  bool // something stays pending
	}{
		{
			name: "a note", during: []PlanFunc{adding(alpha, "Two.")}, remark: "1 operation that waited in " + pendingRef + " landed",
			want: map[string][]string{alpha: {"- One.", "- Two."}},
		},
		{
			name: "two notes", during: []PlanFunc{adding(alpha, "Two."), adding(alpha, "Three.")}, remark: "2 operations",
			want: map[string][]string{alpha: {"- Two.\n- Three."}},
		},
		{
			name: "a new file", during: []PlanFunc{writing("active/chk-new.md", chk("chk-new"))},
			want: map[string][]string{"active/chk-new.md": {"chk-new"}},
		},
		{name: "a deletion", during: []PlanFunc{removing(beta)}, want: map[string][]string{beta: {"!chk-beta"}}},
		{
			name: "of a file that has changed since", during: []PlanFunc{adding(alpha, "Two.")},
			after: func(p *project) {
				p.Commit("By hand", "checkpoints/"+alpha, strings.Replace(p.onDisk(alpha), "Problem of", "The problem of", 1))
			},
			want: map[string][]string{alpha: {"The problem of", "- Two."}},
		},
		{
			name: "of a file that was edited by hand", during: []PlanFunc{adding(alpha, "Two.")},
			after: func(p *project) { p.edit(alpha, "Problem of", "The problem of") },
			want:  map[string][]string{alpha: {"The problem of", "- Two."}},
		},
		{
			name: "of a checkpoint that has moved", during: []PlanFunc{adding(beta, "Two.")},
			after: func(p *project) {
				p.Git("mv", "checkpoints/"+beta, "checkpoints/archive/chk-beta.md")
				p.Commit("Archived")
			},
			want: map[string][]string{"archive/chk-beta.md": {"- Two."}, beta: {"!chk-beta"}},
		},
		{
			name: "of a file that cannot be read any more", during: []PlanFunc{adding(alpha, "Two."), adding(beta, "Two.")},
			after:  func(p *project) { p.Commit("Broken", "checkpoints/"+alpha, "---\ncheckpoint: [\n---\n") },
			remark: "checkpoints/" + alpha + " cannot take what waits for it",
			want:   map[string][]string{beta: {"- Two."}, alpha: {"!- Two."}}, stays: true,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.Git("bisect", "start")
			head := p.Git("rev-parse", "HEAD")
			for _, plan := range tt.during {
				receipt, err := p.change(plan)
				gittest.Must(t, err)
				checkHas(t, "pending", receipt.Pending, "a bisect is in progress: kept in "+pendingRef)
			}
			if p.Git("rev-parse", "HEAD") != head || p.Git("status", "--porcelain") != "" {
				t.Error("HEAD or the working tree has changed")
			}
			remark, err := p.open().Pending().Remark(t.Context())
			gittest.Must(t, err)
			checkHas(t, "remark", remark, pendingRef, "a bisect is in progress")
			gittest.Must(t, p.open().LandNow(t.Context())) // does nothing yet
			p.Git("bisect", "reset")
			if tt.after != nil {
				tt.after(p)
			}
			for rel, want := range tt.want {
				checkHas(t, "the view of "+rel, p.read(p.view(), rel), want...)
			}
			receipt, err := p.change(func(*View, time.Time) (*Tx, error) { return &Tx{Op: OpLand}, nil })
			gittest.Must(t, err)
			checkHas(t, "remarks", strings.Join(receipt.Remarks, "\n"), tt.remark)
			for rel, want := range tt.want {
				checkHas(t, rel, p.onDisk(rel), want...)
			}
			checkHas(t, "the last commit", p.Git("log", "-1", "--format=%B"), "Checkpoint-Op: land")
			if status := p.Git("status", "--porcelain"); status != "" {
				t.Errorf("git status %q", status)
			}
			if _, err := p.TryGit("rev-parse", "-q", "--verify", pendingRef); (err == nil) != tt.stays {
				t.Errorf("the ref is there: %v, want %v", err == nil, tt.stays)
			}
		})
	}
}

// TestLandFirst lands what is pending before another operation, which has a commit of its own.
func TestLandFirst(t *testing.T) {
	for _, tt := range []struct {
		name    string
		dryRun  bool
		plan    PlanFunc
		err     string
		commits int
	}{
		{name: "a note", plan: adding(alpha, "Three."), commits: 2},
		{name: "a note to another", plan: adding(beta, "Three."), commits: 2},
		{name: "--dry-run", dryRun: true, plan: adding(alpha, "Three.")},
		{
			name: "one that is impossible", err: "not possible",
			plan: func(*View, time.Time) (*Tx, error) { return nil, fault.New(fault.Refused, "not possible") },
		},
		{name: "one that is refused later", err: "a secret", plan: adding(beta, "key "+secret), commits: 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.Git("bisect", "start")
			p.add(alpha, "Two.")
			p.Git("bisect", "reset")
			p.settings.DryRun = tt.dryRun
			_, err := p.change(tt.plan)
			if tt.err != "" {
				checkError(t, err, tt.err, fault.Refused)
			} else {
				gittest.Must(t, err)
			}
			if n := p.Git("rev-list", "--count", "HEAD"); n != string(rune('1'+tt.commits)) {
				t.Errorf("%s commits, want %d more than one", n, tt.commits)
			}
			checkHas(t, "the view", p.read(p.view(), alpha), "- Two.")
		})
	}
}

// TestPendingRefused refuses what would lose or mix something while git is at work.
func TestPendingRefused(t *testing.T) {
	t.Run("--no-commit of a file that is pending", func(t *testing.T) {
		p := newProject(t)
		p.Git("bisect", "start")
		p.add(alpha, "Two.")
		p.settings.NoCommit = true
		_, err := p.change(adding(alpha, "Three."))
		checkError(t, err, "the working tree does not hold checkpoints/"+alpha, fault.Refused)
		p.add(beta, "Three.")
		checkHas(t, "on disk", p.onDisk(beta), "- Three.")
	})
	t.Run("both sides changed a line", func(t *testing.T) {
		p := newProject(t)
		p.Git("bisect", "start")
		_, err := p.change(func(v *View, _ time.Time) (*Tx, error) {
			src, err := v.Store.Read(alpha)
			o := &Tx{Op: "note", ID: "chk-alpha", Summary: "the problem"}
			o.Put(alpha, src, []byte(strings.Replace(string(src), "Problem of chk-alpha.", "Their problem.", 1)))
			return o, err
		})
		gittest.Must(t, err)
		p.Git("bisect", "reset")
		p.Commit("By hand", "checkpoints/"+alpha, strings.Replace(p.onDisk(alpha), "Problem of chk-alpha.", "My problem.", 1))
		gittest.Must(t, p.open().LandNow(t.Context()))
		checkHas(t, "the file", p.onDisk(alpha), "Their problem.")
		checkHas(t, "history", p.Git("log", "-p", "--format=", "-1"), "My problem.")
	})
}

// TestLeaving moves HEAD to another branch while the operation is made: the operation becomes
// pending for the branch that it began on.
func TestLeaving(t *testing.T) {
	p := newProject(t)
	p.Git("branch", "other")
	receipt, err := p.change(func(v *View, now time.Time) (*Tx, error) {
		p.Git("switch", "-q", "other")
		return adding(alpha, "Two.")(v, now)
	})
	gittest.Must(t, err)
	checkHas(t, "pending", receipt.Pending, "HEAD left main", "lands with the next operation on main")
	if n := p.Git("rev-list", "--count", "--branches"); n != "1" {
		t.Errorf("%s commits", n)
	}
	checkHas(t, "the view of the other branch", p.read(p.view(), alpha), "!- Two.")
	p.add(beta, "On other.")
	remark, err := p.open().Pending().Remark(t.Context())
	gittest.Must(t, err)
	checkHas(t, "remark", remark, "the next operation on main lands them")
	p.Git("bisect", "start")
	_, err = p.change(adding(beta, "Three."))
	checkError(t, err, "pending operations belong to main", fault.Busy)
	p.Git("bisect", "reset")
	p.Git("switch", "-q", "main")
	gittest.Must(t, p.open().LandNow(t.Context()))
	checkHas(t, "main", p.Git("show", "main:checkpoints/"+alpha), "- Two.")
	checkHas(t, "other", p.Git("show", "other:checkpoints/"+alpha), "!- Two.")
}

// TestExamine finds pending operations that nothing is in the way of, and with fix lands them.
func TestExamine(t *testing.T) {
	for _, tt := range []struct {
		name           string
		reset, fix     bool
		problems, fact int
		left           bool
	}{
		{name: "during a bisect", fact: 1, left: true},
		{name: "during a bisect, with fix", fix: true, fact: 1, left: true},
		{name: "after it", reset: true, problems: 1, left: true},
		{name: "after it, with fix", reset: true, fix: true, problems: 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.Git("bisect", "start")
			p.add(alpha, "Two.")
			if tt.reset {
				p.Git("bisect", "reset")
			}
			d := &result.Diagnosis{}
			gittest.Must(t, p.open().Pending().Examine(t.Context(), d, tt.fix))
			if len(d.Problems) != tt.problems || len(d.Facts) != tt.fact {
				t.Errorf("found %+v", d)
			}
			for _, found := range d.Problems {
				if found.Fixed != tt.fix || found.Code != "pending" {
					t.Errorf("found %+v", found)
				}
			}
			remark, err := p.open().Pending().Remark(t.Context())
			if (remark != "") != tt.left || err != nil {
				t.Errorf("pending: %q, %v", remark, err)
			}
		})
	}
}

// TestOrphans finds operations of a worktree that is gone, and lands those of this branch.
func TestOrphans(t *testing.T) {
	for _, tt := range []struct {
		name   string
		before func(p *project, dir string)
		what   string // in the problem
		fixed  bool
	}{
		{name: "of another branch", what: "for topic", before: func(*project, string) {}},
		{
			name: "of this branch", what: "for topic", fixed: true,
			before: func(p *project, _ string) { p.Git("switch", "-q", "topic") },
		},
		{
			name: "of a branch that is gone", what: "which is gone, too", fixed: true,
			before: func(p *project, _ string) { p.Git("branch", "-q", "-D", "topic") },
		},
		{
			name: "while others wait here", what: "for topic",
			before: func(p *project, _ string) {
				p.Git("switch", "-q", "topic")
				p.Git("bisect", "start")
				p.add(beta, "Here.")
				p.Git("bisect", "reset")
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			dir := filepath.Join(t.TempDir(), "gone")
			p.Git("worktree", "add", "-q", "-b", "topic", dir)
			away := &project{Repo: p.At(dir), t: t, settings: p.settings}
			away.settings.Dir = dir
			away.Git("bisect", "start")
			away.add(alpha, "Two.")
			gittest.Must(t, os.RemoveAll(dir))
			p.Git("worktree", "prune")
			tt.before(p, dir)
			remark, err := p.open().Pending().OrphansRemark(t.Context())
			gittest.Must(t, err)
			checkHas(t, "remark", remark, "pending operations of a worktree that is gone: refs/ckpt/pending/gone")
			d := &result.Diagnosis{}
			gittest.Must(t, p.open().Pending().ExamineOrphans(t.Context(), d, true))
			if len(d.Problems) != 1 || d.Problems[0].Fixed != tt.fixed {
				t.Fatalf("found %+v", d.Problems)
			}
			checkHas(t, "problem", d.Problems[0].What, tt.what)
			if landed := strings.Contains(p.onDisk(alpha), "- Two."); landed != tt.fixed {
				t.Errorf("landed: %v", landed)
			}
			left, err := pending.Of(p.Repo.Open()).Orphans(t.Context())
			if (len(left) == 0) != tt.fixed || err != nil {
				t.Errorf("%d orphans, %v", len(left), err)
			}
		})
	}
}
