package history_test

import (
	"cmp"
	"context"
	"strings"
	"testing"

	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/result"
)

const (
	archived  = "checkpoints/archive/chk-auth.md"
	learnings = "checkpoints/LEARNINGS.md"
)

// restoring is a row of a table of restores. The repository has chk-auth in three versions: the
// tags first, second and archived, of 10:00, 11:00 and 12:00 on 2026-01-02.
type restoring struct {
	name   string
	do     func(*project)
	id     string // chk-auth, if it is empty
	at     string
	same   string            // the tag whose file is the restored one, up to the mark of the current one
	path   string            // of the restored file; active/chk-auth.md, if it is empty
	has    map[string]string // text in files, by path
	lacks  map[string]string // text not in files; an empty text means that there is no such file
	remark string

	unchanged bool // there is nothing to restore
	want      failure
}

// check compares what a restore left with the row.
func (tt restoring) check(t *testing.T, p *project, receipt *result.Receipt) {
	t.Helper()
	path := cmp.Or(tt.path, auth)
	if tt.same != "" {
		tagged := auth
		if tt.same == "archived" {
			tagged = archived
		}
		old := active(p.Git("show", tt.same+":"+tagged) + "\n")
		if src := active(p.Read(path)); src != old {
			t.Errorf("%s is\n%s\nwant, as in %s,\n%s", path, src, tt.same, old)
		}
	}
	for path, text := range tt.has {
		if !p.exists(path) || !strings.Contains(p.Read(path), text) {
			t.Errorf("%s lacks %q", path, text)
		}
	}
	for path, text := range tt.lacks {
		if p.exists(path) && strings.Contains(p.Read(path), text) {
			t.Errorf("%s has %q", path, text)
		}
	}
	remarks := strings.Join(receipt.Remarks, "\n")
	if !strings.Contains(remarks, tt.remark) || tt.remark == "" && remarks != "" {
		t.Errorf("remarks %q, want %q", remarks, tt.remark)
	}
	if status := p.Git("status", "--porcelain", "checkpoints"); status != "" {
		t.Errorf("not committed: %s", status)
	}
}

// active returns the text of a checkpoint as the checkpoint ref has it, where none is current.
func active(src string) string {
	return strings.Replace(src, "\nstatus: current\n", "\nstatus: active\n", 1)
}

// newRestoring makes the repository of a row.
func newRestoring(t *testing.T) *project {
	p := newProject(t)
	p.New("auth", "Logins fail.")
	p.Git("tag", "first")
	p.Note("", "step", "Read the log.")
	p.Git("tag", "second")
	p.archive("chk-auth", "Clocks drift.")
	p.Git("tag", "archived")
	return p
}

func TestRestore(t *testing.T) {
	reopen := func(p *project) {
		p.Edit(func(ctx context.Context, e *edit.Editor) (*result.Receipt, error) {
			return e.Reopen(ctx, "chk-auth", false)
		})
		p.use("chk-auth")
	}
	const taken = "1 learning taken out of " + learnings
	tests := []restoring{
		{
			name: "out of the archive, without its learnings", at: "first", same: "first", remark: taken,
			lacks: map[string]string{archived: "", learnings: "Clocks drift."},
		},
		{
			name: "into the archive, with its learnings", do: reopen, at: "archived", same: "archived", path: archived,
			has: map[string]string{learnings: "Clocks drift."}, lacks: map[string]string{auth: ""},
			remark: "no checkpoint is current now",
		},
		{name: "a learning edited since remains", at: "first", same: "first", remark: "1 learning not in its Completion: left in " + learnings,
			do: func(p *project) {
				p.replace(learnings, "Clocks drift.", "Clocks drift by hours.")
				p.commitAll("By hand")
			},
			has: map[string]string{learnings: "Clocks drift by hours."},
		},
		{name: "by time", at: "2026-01-02T11:30:00Z", same: "second", remark: taken, lacks: map[string]string{archived: "", learnings: "Clocks drift."}},
		{name: "by number", do: reopen, at: "@{3}", same: "first"},
		{name: "as it is already", do: reopen, at: "second", same: "second", unchanged: true},
		{
			name: "another one is current", do: func(p *project) { p.New("pay", "Payments hang.") }, at: "first", remark: taken,
			has: map[string]string{auth: "status: active"}},
		{
			name: "others work in the tree", do: func(p *project) { p.Settings.Shared, p.Settings.Pinned = true, "chk-pay" }, at: "first", remark: taken,
			has: map[string]string{auth: "status: active"}},
		{name: "a deleted one", do: func(p *project) { p.delete("chk-auth") }, at: "second", same: "second"},
		{
			name: "a file that was renamed remains under its name", at: "first", same: "first", path: "checkpoints/active/login.md",
			do: func(p *project) {
				reopen(p)
				p.Git("mv", auth, "checkpoints/active/login.md")
				p.commitAll("Rename")
			},
			lacks: map[string]string{auth: ""}, remark: "took in 2 files that git brought",
		},
		{
			name: "a file that cannot be read", at: "@{1}", has: map[string]string{auth: "Read the log."},
			remark: "took in 1 file that git brought",
			do: func(p *project) {
				reopen(p)
				p.replace(auth, "created:", "created: [")
				p.commitAll("Oops")
			},
		},
		{
			name: "edits in no commit, which are saved first", at: "first", same: "first",
			do: func(p *project) {
				reopen(p)
				p.replace(auth, "Logins fail.", "Logins fail at night.")
			},
			remark: "saved your edits of " + auth + " first",
		},
		{
			name: "an edit in no commit that cannot be read", at: "first", same: "first",
			do: func(p *project) {
				reopen(p)
				p.replace(auth, "created:", "created: [")
			},
			remark: "saved your edits of " + auth + " first",
		},
		{
			name: "a path that another checkpoint has taken", at: "first",
			do:   func(p *project) { p.Write(auth, "---\ncheckpoint: chk-other\ncreated: 2026-01-01\n---\n") },
			want: failure{fault.Refused, auth + " exists already, and is not chk-auth", "mv checkpoints/active/chk-auth.md NAME and ckpt save"},
		},
		{
			name: "two files with the id", at: "first",
			do:   func(p *project) { p.Write("checkpoints/active/copy.md", p.Read(archived)) },
			want: failure{fault.Refused, "have the same id chk-auth", "ckpt validate"},
		},
		{name: "an invalid id", id: "a b", at: "first", want: failure{fault.Usage, "a b", "ckpt list --all"}},
		{name: "an unknown id", id: "chk-pay", at: "first", want: failure{fault.NotFound, `"chk-pay"`, ""}},
		{name: "before it was made", at: "first~1", want: failure{fault.NotFound, "is not at", "ckpt log chk-auth"}},
		{name: "before the day on which it was made", at: "2026-01-01", want: failure{fault.NotFound, "is not at", "ckpt log chk-auth"}},
		{
			name: "a version that cannot be read", at: "HEAD",
			do: func(p *project) {
				reopen(p)
				p.replace(auth, "created:", "created: [")
				p.commitAll("Oops")
			},
			want: failure{fault.Invalid, `at "HEAD" chk-auth.md cannot be read`, "ckpt log chk-auth"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newRestoring(t)
			if tt.do != nil {
				tt.do(p)
			}
			p.Later()
			before := p.files()
			id := cmp.Or(tt.id, "chk-auth")
			receipt, err := p.history().Restore(context.Background(), history.RestoreRequest{ID: id, At: tt.at})
			if tt.want.check(t, err) {
				p.checkFiles(before)
				return
			}
			tt.check(t, p, receipt)
			if receipt.Unchanged != tt.unchanged {
				t.Errorf("unchanged is %v, want %v", receipt.Unchanged, tt.unchanged)
			}
			if !tt.unchanged {
				p.undo(1)
				p.checkFiles(before)
			}
		})
	}
}

func TestUndelete(t *testing.T) {
	tests := []restoring{
		{
			name: "an archived one", do: func(p *project) { p.delete("chk-auth") }, same: "archived", path: archived,
			has: map[string]string{learnings: "Clocks drift."},
		},
		{name: "removed with rm", do: func(p *project) { p.remove(archived) }, same: "archived", path: archived},
		{
			name: "removed by a commit", same: "archived", path: archived, remark: "took in 1 file that git brought",
			do: func(p *project) {
				p.Git("rm", "-q", archived)
				p.commitAll("Clean up")
			},
		},
		{
			name: "current at that time", has: map[string]string{auth: "status: active"},
			do: func(p *project) {
				if _, err := p.history().Restore(context.Background(), history.RestoreRequest{ID: "chk-auth", At: "first"}); err != nil {
					p.Test.Fatal(err)
				}
				p.delete("chk-auth")
				p.New("pay", "Payments hang.")
			},
		},
		{
			name: "one whose id begins another id", same: "archived", path: archived,
			do: func(p *project) {
				p.New("auth-more", "More of it.")
				p.delete("chk-auth")
			},
		},
		{name: "not deleted", want: failure{fault.Usage, "chk-auth is not deleted: " + archived, "ckpt log chk-auth"}},
		{name: "an invalid id", id: "a b", want: failure{fault.Usage, "a b", "ckpt undo --list"}},
		{name: "an unknown id", id: "chk-pay", want: failure{fault.NotFound, `no checkpoint was ever called "chk-pay"`, "ckpt undo --list"}},
		{
			name: "a file that cannot be read",
			do:   func(p *project) { p.replace(archived, "created:", "created: [") },
			want: failure{fault.Invalid, archived + " exists and cannot be read", "ckpt validate"},
		},
		{
			name: "a path that another checkpoint has taken",
			do: func(p *project) {
				p.delete("chk-auth")
				p.Write(archived, "---\ncheckpoint: chk-other\ncreated: 2026-01-01\n---\n")
			},
			want: failure{fault.Refused, archived + " exists already, and is not chk-auth", ""},
		},
		{
			name: "history that a shallow clone lacks",
			do: func(p *project) {
				p.delete("chk-auth")
				p.commitAll("More")
				p.Git("clone", "-q", "--depth", "1", "file://"+p.Dir, p.Dir+"-clone")
				p.Dir, p.Settings.Dir = p.Dir+"-clone", p.Dir+"-clone"
			},
			want: failure{fault.NotFound, `no checkpoint of this clone was ever called "chk-auth"`, "git fetch --unshallow"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newRestoring(t)
			if tt.do != nil {
				tt.do(p)
			}
			p.Later()
			before := p.files()
			id := cmp.Or(tt.id, "chk-auth")
			receipt, err := p.history().Undelete(context.Background(), id)
			if tt.want.check(t, err) {
				p.checkFiles(before)
				return
			}
			tt.check(t, p, receipt)
		})
	}
}

// TestRestoreUnpublished restores while git is in the middle of something: the file changes later,
// and the readers have the restored version at once.
func TestRestoreUnpublished(t *testing.T) {
	p := newRestoring(t)
	p.Git("bisect", "start")
	before := p.files()
	p.Later()
	receipt, err := p.history().Restore(context.Background(), history.RestoreRequest{ID: "chk-auth", At: "second"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(receipt.Pending, "a bisect is in progress") {
		t.Errorf("the receipt has pending %q", receipt.Pending)
	}
	p.checkFiles(before)
	c, err := p.history().Show(context.Background(), "chk-auth")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := active(string(c.Doc.Bytes())), active(p.Git("show", "second:"+auth)+"\n"); got != want {
		t.Errorf("show returns\n%s\nwant\n%s", got, want)
	}
}
