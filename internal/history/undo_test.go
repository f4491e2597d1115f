package history_test

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
)

// TestUndoInEveryCommitMode undoes the same operations in every commit mode, and those that --no-commit has kept
// from the branch: the files are again as they were, and what a person has staged remains staged.
func TestUndoInEveryCommitMode(t *testing.T) {
	operations := []struct {
		name string
		do   func(*project)
		undo int
	}{
		{name: "a note", do: func(p *project) { p.Note("", "context", "Two users.") }, undo: 1},
		{name: "a delta", do: func(p *project) { p.delta("", "Wrote the parser.") }, undo: 1},
		{name: "a new checkpoint", do: func(p *project) { p.New("pay", "Payments hang.") }, undo: 1},
		{name: "an archive with its learnings", do: func(p *project) { p.archive("chk-auth", "Clocks drift.") }, undo: 1},
		{name: "a deletion", do: func(p *project) { p.delete("chk-auth") }, undo: 1},
		{
			name: "several of one file and of a new one", undo: 3,
			do: func(p *project) {
				p.Note("", "context", "Two users.")
				p.New("pay", "Payments hang.")
				p.Note("chk-auth", "rule", "Ask first.")
			},
		},
		{
			name: "a move and back", undo: 2,
			do: func(p *project) {
				p.archive("chk-auth", "Clocks drift.")
				p.Edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
					return e.Reopen(ctx, "chk-auth", false)
				})
			},
		},
		{
			name: "one that was not current for a while", undo: 3,
			do: func(p *project) {
				p.Edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) { return e.UseNone(ctx) })
				p.use("chk-auth")
				p.archive("chk-auth", "Clocks drift.")
			},
		},
		{
			name: "what is undone does not count again", undo: 1,
			do: func(p *project) {
				p.Note("", "context", "Two users.")
				p.Note("", "context", "Three users.")
				p.undo(1)
			},
		},
	}
	for _, mode := range []string{"own", "off", "ref", "own --no-commit"} {
		for _, tt := range operations {
			t.Run(mode+"/"+tt.name, func(t *testing.T) {
				p := newProject(t)
				mode, noCommit := strings.CutSuffix(mode, " --no-commit")
				p.Git("config", "ckpt.commit", mode)
				p.New("auth", "Logins fail.")
				p.Write("more.go", "package more\n")
				p.Git("add", "more.go")
				before, head := p.files(), p.Git("rev-parse", "HEAD")
				p.Settings.NoCommit = noCommit
				tt.do(p)
				if maps.Equal(p.files(), before) {
					t.Fatal("the operations changed no file")
				}
				p.undo(tt.undo)
				p.checkFiles(before)
				if staged := p.Git("diff", "--cached", "--name-status"); staged != "A\tmore.go" {
					t.Errorf("staged is %q, want only more.go", staged)
				}
				published := mode == "own" && !noCommit
				if after := p.Git("rev-parse", "HEAD"); (after != head) != published {
					t.Errorf("HEAD was %s and is %s", head, after)
				}
				if status := p.Git("status", "--porcelain"); mode != "off" && status != "A  more.go" {
					t.Errorf("git status prints %q, want only more.go as staged", status)
				}
			})
		}
	}
}

// TestUndoKeepsLaterEdits undoes operations in files that have changed since.
func TestUndoKeepsLaterEdits(t *testing.T) {
	tests := []struct {
		name  string
		do    func(*project)
		path  string // active/chk-auth.md, if it is empty
		has   string // in the file
		lacks string
	}{
		{
			name: "an edit of another section", has: "Logins fail on Mondays.", lacks: "Read the log.",
			do: func(p *project) {
				p.Note("", "step", "Read the log.")
				p.replace(auth, "Logins fail.", "Logins fail on Mondays.")
			},
		},
		{
			name: "a commit of a person", has: "Logins fail on Mondays.", lacks: "Read the log.",
			do: func(p *project) {
				p.Note("", "step", "Read the log.")
				p.replace(auth, "Logins fail.", "Logins fail on Mondays.")
				p.commitAll("Say when")
			},
		},
		{
			name: "a file that a person renamed", path: "checkpoints/active/login.md", has: "Logins fail.", lacks: "Read the log.",
			do: func(p *project) {
				p.Note("", "step", "Read the log.")
				p.Git("mv", auth, "checkpoints/active/login.md")
				p.commitAll("Rename")
			},
		},
		{
			name: "a file that a person moved to the archive", path: archived, has: "Logins fail.", lacks: "Read the log.",
			do: func(p *project) {
				p.Note("", "step", "Read the log.")
				p.Git("mv", auth, archived)
				p.commitAll("Put it away")
			},
		},
		{
			name: "a merge of both sides", has: "On side.", lacks: "On main.",
			do: func(p *project) {
				p.Git("switch", "-q", "-c", "side")
				p.Note("", "step", "On side.")
				p.Git("switch", "-q", "main")
				p.Note("", "context", "On main.")
				p.Git("merge", "-q", "--no-edit", "side")
			},
		},
		{
			name: "archived on both sides of a merge", path: archived, has: "Side is done.", lacks: "It works.",
			do: func(p *project) {
				p.inClone("side", func(side *project) {
					side.Edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
						return e.Archive(ctx, edit.ArchiveRequest{ID: "chk-auth", Outcome: "Side is done."})
					})
				})
				p.archive("chk-auth", "Clocks drift.")
				_, _ = p.TryGit("merge", "-q", "--no-edit", "side")
				src := p.Git("show", "side:"+archived)
				p.Write(archived, strings.Replace(src, "Side is done.", "It works.\n**Outcome**: Side is done.", 1)+"\n")
				p.Git("add", "-A")
				p.Git("commit", "-q", "--no-edit")
			},
		},
		{
			name: "a rebase, which renames the commits", has: "First.", lacks: "Second.",
			do: func(p *project) {
				p.Note("", "step", "First.")
				p.Note("", "step", "Second.")
				p.Note("", "step", "Third.")
				p.undo(1)
				p.Later()
				p.Git("rebase", "-q", "--force-rebase", "--root")
			},
		},
		{
			name: "a commit-msg hook that drops the trailers", has: "Logins fail.", lacks: "Read the log.",
			do: func(p *project) {
				p.Script(".git/hooks/commit-msg", "#!/bin/sh\nhead -n 1 \"$1\" >\"$1.new\" && mv \"$1.new\" \"$1\"\n")
				p.Note("", "step", "Read the log.")
				p.Git("commit", "-q", "--allow-empty", "-m", "ckpt: tidy auth: no operation")
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.New("auth", "Logins fail.")
			tt.do(p)
			p.undo(1)
			src := p.Read(cmp.Or(tt.path, auth))
			if !strings.Contains(src, tt.has) || strings.Contains(src, tt.lacks) {
				t.Errorf("want text with %q and without %q:\n%s", tt.has, tt.lacks, src)
			}
		})
	}
}

// TestUndoRefuses checks that an undo that refuses changes no file and makes no commit.
func TestUndoRefuses(t *testing.T) {
	tests := []struct {
		name string
		do   func(*project)
		n    int
		want failure
	}{
		{
			name: "more than there is", n: 2, do: func(*project) {},
			want: failure{fault.NotFound, "only 1 operation to undo in this worktree", "ckpt undo --list"},
		},
		{
			name: "nothing left", do: func(p *project) { p.undo(1) },
			want: failure{fault.NotFound, "nothing to undo in this worktree", ""},
		},
		{
			name: "an edit of the same text",
			do: func(p *project) {
				p.Note("", "step", "Read the trace.")
				p.replace(auth, "Read the trace.", "Read half of the trace.")
			},
			want: failure{fault.Refused, auth + " has changed in Play-By-Play since", "git diff"},
		},
		{
			name: "a file that is gone",
			do: func(p *project) {
				p.Note("", "step", "Read the trace.")
				p.Git("rm", "-q", auth)
				p.commitAll("Clean up")
			},
			want: failure{fault.Refused, auth + " was removed since", "git diff"},
		},
		{
			name: "a new file that has changed",
			do:   func(p *project) { p.replace(auth, "Logins fail.", "Logins fail on Mondays.") },
			want: failure{fault.Refused, auth + " has changed since", "git diff"},
		},
		{
			name: "a path that another file has taken",
			do: func(p *project) {
				p.archive("chk-auth", "Clocks drift.")
				p.Write(auth, "---\ncheckpoint: chk-other\ncreated: 2026-01-01\n---\n")
			},
			want: failure{fault.Refused, auth + " was made since", "git diff"},
		},
		{
			name: "a shallow clone, whose operations are others'",
			do: func(p *project) {
				p.Note("", "step", "Read the log.")
				p.Git("clone", "-q", "--depth", "1", "file://"+p.Dir, p.Dir+"-clone")
				p.Dir, p.Settings.Dir = p.Dir+"-clone", p.Dir+"-clone"
			},
			want: failure{fault.NotFound, "nothing to undo in this worktree", "ckpt restore ID --at REV"},
		},
		{
			name: "a history that was made shallow",
			do: func(p *project) {
				p.Note("", "step", "Read the log.")
				p.Git("init", "-q", "--bare", p.Dir+"-remote")
				p.Git("push", "-q", p.Dir+"-remote", "refs/ckpt/checkpoints")
				p.Git("fetch", "-q", "--depth", "1", "file://"+p.Dir+"-remote", "refs/ckpt/checkpoints")
			},
			want: failure{fault.NotFound, "is not in this clone, which is a shallow one", "git fetch --unshallow"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.New("auth", "Logins fail.")
			tt.do(p)
			files, head, index := p.files(), p.Git("rev-parse", "HEAD"), p.Git("diff", "--cached")
			p.Later()
			_, err := p.history().Undo(context.Background(), max(tt.n, 1))
			tt.want.check(t, err)
			p.checkFiles(files)
			if p.Git("rev-parse", "HEAD") != head || p.Git("diff", "--cached") != index {
				t.Error("the refused undo changed HEAD or the index")
			}
		})
	}
}

// TestUndoDryRun shows the change and makes none, for an operation that is published and for one that is not.
func TestUndoDryRun(t *testing.T) {
	for _, unpublished := range []bool{false, true} {
		p := newProject(t)
		p.New("auth", "Logins fail.")
		if unpublished {
			p.Git("bisect", "start")
		}
		p.Note("", "step", "Read the log.")
		before, refs := p.files(), p.Git("for-each-ref")
		p.Settings.DryRun = true
		receipt, err := p.history().Undo(context.Background(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if !receipt.DryRun || !strings.Contains(receipt.Diff, "\n-- Read the log.") {
			t.Errorf("unpublished %v: the diff lacks the removed step:\n%s", unpublished, receipt.Diff)
		}
		p.checkFiles(before)
		if p.Git("for-each-ref") != refs {
			t.Errorf("unpublished %v: the dry run changed refs", unpublished)
		}
	}
}

// TestUndoUnpublished undoes operations that could not be published, the newest first, and leaves the
// files alone.
func TestUndoUnpublished(t *testing.T) {
	p := newProject(t)
	p.New("auth", "Logins fail.")
	p.Git("bisect", "start")
	for _, text := range []string{"One.", "Two.", "Three."} {
		p.Note("", "step", text)
	}
	before, head := p.files(), p.Git("rev-parse", "HEAD")
	for _, tt := range []struct {
		undo  int
		steps []string // that show still has
	}{{undo: 1, steps: []string{"One.", "Two."}}, {undo: 2, steps: nil}} {
		p.undo(tt.undo)
		c, err := p.history().Show(context.Background(), "")
		if err != nil {
			t.Fatal(err)
		}
		src := string(c.Doc.Bytes())
		for _, step := range []string{"One.", "Two.", "Three."} {
			if strings.Contains(src, step) != slices.Contains(tt.steps, step) {
				t.Errorf("after undo %d, want the steps %q:\n%s", tt.undo, tt.steps, src)
			}
		}
	}
	p.checkFiles(before)
	if after := p.Git("rev-parse", "HEAD"); after != head {
		t.Errorf("HEAD was %s and is %s", head, after)
	}
}

// TestOperations lists operations, and which of them were undone.
func TestOperations(t *testing.T) {
	p := newProject(t)
	p.New("auth", "Logins fail.")
	p.Note("", "step", "Read the log.")
	p.replace(auth, "Read the log.", "Read half of the log.")
	p.commitAll("By hand")
	p.Note("", "context", "Two users.")
	p.Note("", "context", "Three users.")
	p.undo(1)
	type row struct{ op, subject string }
	want := []row{
		{op: "undo", subject: "ckpt: undo chk-auth: "},
		{op: "note", subject: "ckpt: note chk-auth: context: Three users. (undone)"},
		{op: "note", subject: "ckpt: note chk-auth: context: Two users."},
		{op: "note", subject: "ckpt: note chk-auth: step: Read the log."},
		{op: "new", subject: "ckpt: new chk-auth: Logins fail."},
	}
	for _, limit := range []int{0, 2} {
		got, err := p.history().Operations(context.Background(), limit)
		if err != nil {
			t.Fatal(err)
		}
		if n := cmp.Or(limit, len(want)); len(got) != n {
			t.Fatalf("limit %d: %d operations, want %d: %+v", limit, len(got), n, got)
		}
		for i, o := range got {
			if o.Undone {
				o.Subject += " (undone)"
			}
			w := want[i]
			if o.Op != w.op || !strings.HasPrefix(o.Subject, w.subject) || o.Commit == "" || o.ID != "chk-auth" {
				t.Errorf("operation %d is %+v, want %+v", i, o, w)
			}
		}
	}
}

// TestOperationsWithoutCommit lists an operation without a commit that is older than all commits
// of the checkpoints, behind more commits by hand than are read at first.
func TestOperationsWithoutCommit(t *testing.T) {
	p := newProject(t)
	p.Settings.NoCommit = true
	p.New("auth", "Logins fail.")
	p.Settings.NoCommit = false
	p.commitAll("By hand")
	p.Note("", "step", "First.")
	for range 7 {
		p.replace(auth, "Logins", "Logins, all logins")
		p.commitAll("By hand")
	}
	p.Note("", "step", "Second.")
	want := []string{"ckpt: note chk-auth: step: Second.", "ckpt: note chk-auth: step: First.", "ckpt: new chk-auth: Logins fail."}
	for limit := range 3 {
		got, err := p.history().Operations(context.Background(), limit)
		if err != nil {
			t.Fatal(err)
		}
		var subjects []string
		for _, o := range got {
			subjects = append(subjects, o.Subject)
		}
		if n := cmp.Or(limit, len(want)); !slices.Equal(subjects, want[:n]) {
			t.Errorf("limit %d: %q, want %q", limit, subjects, want[:n])
		}
	}
}
