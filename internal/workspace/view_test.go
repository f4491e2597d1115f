package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
)

func parse(rel, src string) (*checkpoint.Checkpoint, error) {
	return checkpoint.Parse(rel, []byte(src))
}

// TestTarget finds checkpoints by every kind of name.
func TestTarget(t *testing.T) {
	tests := []struct {
		name, pinned string
		before       func(*project)
		asked        string
		want         string // the path
		text         string // in the error
		kind         fault.Kind
		notOpen      bool // Open refuses it
	}{
		{name: "none", asked: "", want: alpha},
		{name: "@", asked: "@", want: alpha},
		{name: "the pinned one", asked: "@", pinned: "chk-beta", want: beta},
		{name: "an id", asked: "chk-beta", want: beta},
		{name: "without chk-", asked: "beta", want: beta},
		{name: "the beginning of an id", asked: "chk-be", want: beta},
		{name: "archived", asked: "chk-old", want: old, notOpen: true},
		{name: "nothing", asked: "chk-none", text: "chk-none", kind: fault.NotFound},
		{
			name: "a whole id in archive/ before a longer one in active/", asked: "chk-old", want: old, notOpen: true,
			before: func(p *project) { p.Write("checkpoints/active/chk-older.md", chk("chk-older")) },
		},
		{
			name: "ambiguous", asked: "chk-b", text: "chk-b", kind: fault.Usage,
			before: func(p *project) { p.Write("checkpoints/active/chk-bravo.md", chk("chk-bravo")) },
		},
		{
			name: "none is current", text: "no checkpoint is current; active: ", kind: fault.NotFound,
			before: func(p *project) { p.edit(alpha, "status: current", "status: active") },
		},
		{
			name: "the current one cannot be read", text: "the current checkpoint, checkpoints/" + alpha, kind: fault.Invalid,
			before: func(p *project) { p.edit(alpha, "created: 2026-02-01\n", "created: [\n") },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.settings.Pinned = tt.pinned
			if tt.before != nil {
				tt.before(p)
			}
			v := p.view()
			c, err := v.Target(tt.asked)
			if tt.text != "" {
				checkError(t, err, tt.text, tt.kind)
				return
			}
			gittest.Must(t, err)
			if c.Path != tt.want {
				t.Errorf("it is %s, want %s", c.Path, tt.want)
			}
			if _, err := v.Open(tt.asked); (err != nil) != tt.notOpen {
				t.Errorf("Open: %v", err)
			}
			if path, err := v.PathOf(tt.asked); path != tt.want || err != nil {
				t.Errorf("PathOf: %s, %v", path, err)
			}
		})
	}
}

// TestPathOfUnreadable finds a file that cannot be read by its names.
func TestPathOfUnreadable(t *testing.T) {
	p := newProject(t)
	p.Write("checkpoints/"+beta, "---\ncheckpoint: [\n---\n")
	v := p.view()
	for _, name := range []string{"chk-beta", "beta", "chk-beta.md", beta, "checkpoints/" + beta, "./" + beta, `active\chk-beta.md`} {
		if path, err := v.PathOf(name); path != beta || err != nil {
			t.Errorf("%s: %q, %v", name, path, err)
		}
		if b, ok := v.BrokenOne(name); !ok || b.Path != beta {
			t.Errorf("%s: %v, %v", name, b.Path, ok)
		}
	}
	if _, ok := v.BrokenOne(""); ok {
		t.Error("it was not current")
	}
	if said := UnreadableIn(v.Set); len(said) != 1 || !strings.HasPrefix(said[0], beta+" cannot be read: ") {
		t.Errorf("remarks %q", said)
	}
}

// TestViewDuring reads while git is in the middle of something: the view has the content of the store, whatever
// the working tree has.
func TestViewDuring(t *testing.T) {
	tests := []struct {
		name  string
		begin func(*project)
		state string
		want  []string // in chk-alpha as the view has it
		disk  []string // and on disk
	}{
		{name: "nothing", begin: func(*project) {}, want: []string{"- One."}, disk: []string{"- One."}},
		{
			name: "a rebase that is at an older commit", state: "rebase",
			begin: func(p *project) {
				p.Commit("Code", "main.go", "package main // more\n")
				p.Commit("Note", "checkpoints/"+alpha, p.onDisk(alpha)+"- Two.\n")
				p.add(beta, "Seen.")
				p.t.Setenv("GIT_SEQUENCE_EDITOR", "sed -i -e 1s/pick/edit/")
				p.Git("rebase", "-q", "-i", "HEAD~3")
			},
			want: []string{"- Two."}, disk: []string{"!- Two."},
		},
		{
			name: "a bisect", state: "bisect",
			begin: func(p *project) {
				p.Commit("Code", "main.go", "package main // more\n")
				p.Commit("Note", "checkpoints/"+alpha, p.onDisk(alpha)+"- Two.\n")
				p.add(beta, "Seen.")
				p.Git("bisect", "start", "HEAD", "HEAD~3")
				p.Git("checkout", "-q", "main~2")
			},
			want: []string{"- Two."}, disk: []string{"!- Two."},
		},
		{
			name: "a conflict in a checkpoint", state: "merge",
			begin: func(p *project) {
				p.Git("switch", "-q", "-c", "other")
				p.Commit("Theirs", "checkpoints/"+alpha, p.onDisk(alpha)+"- Theirs.\n")
				p.Git("switch", "-q", "main")
				p.Commit("Ours", "checkpoints/"+alpha, p.onDisk(alpha)+"- Ours.\n")
				p.add(beta, "Seen.")
				if _, err := p.TryGit("merge", "other"); err == nil {
					p.t.Fatal("no conflict")
				}
			},
			want: []string{"- Ours.", "!Theirs", "!<<<"}, disk: []string{"<<<", "Theirs"},
		},
		{
			name: "an edit during a rebase", state: "rebase",
			begin: func(p *project) {
				p.Commit("Code", "main.go", "package main // more\n")
				p.Commit("Note", "checkpoints/"+alpha, p.onDisk(alpha)+"- Two.\n")
				p.t.Setenv("GIT_SEQUENCE_EDITOR", "sed -i -e 1s/pick/edit/")
				p.Git("rebase", "-q", "-i", "HEAD~2")
				p.edit(alpha, "- One.", "- One, edited.")
			},
			want: []string{"- One, edited."}, disk: []string{"- One, edited."},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			tt.begin(p)
			v := p.view()
			if state := v.Repo.InProgress(); state != tt.state {
				t.Errorf("in progress: %q", state)
			}
			checkHas(t, "the view", p.read(v, alpha), tt.want...)
			checkHas(t, "on disk", p.onDisk(alpha), tt.disk...)
			c, err := v.Target("chk-alpha")
			gittest.Must(t, err)
			checkHas(t, "the checkpoint", string(c.Doc.Bytes()), tt.want...)
			d, err := v.Disk(false)
			gittest.Must(t, err)
			checkHas(t, "the view of the disk", p.read(d, alpha), tt.disk...)
		})
	}
}

// TestViewStays reads a view, and then makes an operation: the view stays as it was.
func TestViewStays(t *testing.T) {
	p := newProject(t)
	p.Git("bisect", "start")
	before := p.view()
	p.add(alpha, "Two.")
	after := p.view()
	checkHas(t, "the first view", p.read(before, alpha), "!- Two.")
	checkHas(t, "the second view", p.read(after, alpha), "- Two.")
	one := after.WithSet(&checkpoint.Set{All: after.Set.All[:1]})
	if ids(one.Set.All) != "chk-alpha" || ids(after.Set.All) != "chk-alpha chk-beta" {
		t.Errorf("%s, %s", ids(one.Set.All), ids(after.Set.All))
	}
}

// TestTooLarge reads and changes checkpoints beside one whose file cannot be read since it is too large.
func TestTooLarge(t *testing.T) {
	for _, mode := range []string{"own", "off", "ref"} {
		t.Run(mode, func(t *testing.T) {
			p := newProject(t)
			p.Git("config", "ckpt.commit", mode)
			p.add(alpha, "Two.")
			name := filepath.Join(p.Dir, p.open().FilesDir(), beta)
			before, err := os.ReadFile(name)
			gittest.Must(t, err)
			gittest.Must(t, os.Truncate(name, disk.MaxFile+1))
			v := p.view()
			if len(v.Set.Broken) != 1 || v.Set.Broken[0].Path != beta || ids(v.Set.All) != "chk-alpha" {
				t.Errorf("readable: %s; not: %v", ids(v.Set.All), v.Set.Broken)
			}
			p.add(alpha, "Three.")
			_, err = p.change(adding(beta, "Four."))
			checkError(t, err, "larger than 64 MiB", fault.Failed)
			gittest.Must(t, os.WriteFile(name, before, 0o666))
			v = p.view()
			checkHas(t, alpha, p.read(v, alpha), "- Two.", "- Three.")
			if ids(v.Set.All) != "chk-alpha chk-beta" || p.read(v, beta) != string(before) {
				t.Errorf("then: %s, and %s is\n%s", ids(v.Set.All), beta, p.read(v, beta))
			}
		})
	}
}
