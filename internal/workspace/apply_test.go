package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/store"
)

// TestChangeInEveryMode applies one transaction in every way that a user can ask for.
func TestChangeInEveryMode(t *testing.T) {
	tests := []struct {
		name      string
		config    string // git config ckpt.commit
		noCommit  bool
		dryRun    bool
		committed bool
		written   bool
		status    string // of git, for the file
		published string
		pending   string // in the receipt
	}{
		{name: "own", committed: true, written: true, published: "true"},
		{name: "off", config: "off", written: true, status: "M checkpoints/" + alpha, pending: "not committed"},
		{name: "--no-commit", noCommit: true, written: true, status: "M checkpoints/" + alpha, published: "false",
			pending: "not committed"},
		{name: "--dry-run", dryRun: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			if tt.config != "" {
				p.Git("config", "ckpt.commit", tt.config)
			}
			p.settings.NoCommit, p.settings.DryRun = tt.noCommit, tt.dryRun
			p.Write("main.go", "package main // edited\n")
			p.Write("more.go", "package main\n")
			p.Git("add", "more.go")
			receipt := p.add(alpha, "Two.")
			if tt.published != published(receipt) || (receipt.Commit == "") != tt.dryRun || receipt.DryRun != tt.dryRun || receipt.Unchanged {
				t.Errorf("receipt %+v", receipt)
			}
			checkHas(t, "pending", receipt.Pending, tt.pending)
			if written := strings.Contains(p.onDisk(alpha), "- Two."); written != tt.written {
				t.Errorf("written: %v, want %v", written, tt.written)
			}
			if tt.dryRun {
				checkHas(t, "diff", receipt.Diff, "+- Two.")
			}
			if got := p.Git("status", "--porcelain", "checkpoints"); strings.TrimSpace(got) != tt.status {
				t.Errorf("git status %q, want %q", got, tt.status)
			}
			checkHas(t, "the user's files", p.Git("status", "--porcelain"), "M main.go", "A  more.go")
			if tt.committed {
				checkHas(t, "commit", p.Git("log", "-1", "--format=%B"), "ckpt: ", "Two.", "Checkpoint-Op: note",
					"Checkpoint: chk-alpha")
				if files := p.Git("show", "--format=", "--name-only"); files != "checkpoints/"+alpha {
					t.Errorf("the commit has %q", files)
				}
			}
		})
	}
}

// published returns "true" or "false", or "" for a receipt that does not tell.
func published(r *result.Receipt) string {
	if r.Published == nil {
		return ""
	}
	return strconv.FormatBool(*r.Published)
}

// TestChange applies transactions that are refused, empty, or bring other files along.
func TestChange(t *testing.T) {
	const broken = "---\ncheckpoint: chk-new\n"
	tests := []struct {
		name    string
		before  func(*project)
		plan    PlanFunc
		err     string
		kind    fault.Kind
		remark  string
		same    bool     // nothing changes
		commits []string // files of the commit besides the one of the plan
	}{
		{name: "a note", plan: adding(alpha, "Two.")},
		{name: "nothing", same: true, plan: func(*View, time.Time) (*Tx, error) { return &Tx{Op: "note"}, nil }},
		{
			name: "the same text", same: true,
			plan: func(v *View, _ time.Time) (*Tx, error) {
				src, err := v.Store.Read(alpha)
				o := &Tx{Op: "note"}
				o.Put(alpha, src, src)
				return o, err
			},
		},
		{
			name: "an error of the plan", err: "no such thing", kind: fault.NotFound,
			plan: func(*View, time.Time) (*Tx, error) { return nil, fault.New(fault.NotFound, "no such thing") },
		},
		{name: "an unreadable file", plan: writing("active/chk-new.md", broken), err: "chk-new.md", kind: fault.Invalid},
		{
			name: "an unreadable file that was so before", plan: adding("active/chk-new.md", "Two."),
			before: func(p *project) { p.Commit("Broken", "checkpoints/active/chk-new.md", broken) },
		},
		{
			name: "keep files follow", plan: removing(beta), commits: []string{"archive/.gitkeep"},
			before: func(p *project) {
				p.Git("rm", "-q", "checkpoints/archive/.gitkeep")
				p.Commit("No keep file")
			},
		},
		{
			name: "hand edits are saved first", plan: adding(alpha, "Two."), remark: "saved your edits of checkpoints/" + alpha + " first",
			before: func(p *project) { p.edit(alpha, "- One.", "- One, edited.") },
		},
		{
			name: "a hand edit with an error", plan: adding(alpha, "Two."), err: "status", kind: fault.Invalid,
			before: func(p *project) { p.edit(alpha, "status: current", "status: nonsense") },
		},
		{
			name: "a bad policy", plan: adding(alpha, "Two."), err: "ckpt.commit", kind: fault.Invalid,
			before: func(p *project) { p.Git("config", "ckpt.commit", "never") },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			if tt.before != nil {
				tt.before(p)
			}
			head, status := p.Git("rev-parse", "HEAD"), p.Git("status", "--porcelain")
			receipt, err := p.change(tt.plan)
			if tt.err != "" {
				checkError(t, err, tt.err, tt.kind)
			} else {
				gittest.Must(t, err)
			}
			if tt.err != "" || tt.same {
				if p.Git("rev-parse", "HEAD") != head || p.Git("status", "--porcelain") != status {
					t.Error("something has changed")
				}
				if tt.same && !receipt.Unchanged {
					t.Errorf("receipt %+v", receipt)
				}
				return
			}
			checkHas(t, "remarks", strings.Join(receipt.Remarks, "\n"), tt.remark)
			files := p.Git("show", "--format=", "--name-only")
			for _, rel := range tt.commits {
				checkHas(t, "commit", files, "checkpoints/"+rel)
			}
			if status := p.Git("status", "--porcelain"); status != "" {
				t.Errorf("git status %q after it", status)
			}
		})
	}
}

// TestChangeAgain changes the file while the transaction is computed, which is then computed again. If the changes do
// not end, it is computed from the ref's version. What the person wrote stays, and is merged with it later.
func TestChangeAgain(t *testing.T) {
	p := newProject(t)
	tries := 0
	receipt, err := p.change(func(v *View, now time.Time) (*Tx, error) {
		o, err := adding(alpha, "Two.")(v, now)
		if tries++; tries == 1 {
			p.edit(alpha, "- One.", "- One, edited.")
		}
		return o, err
	})
	gittest.Must(t, err)
	if tries != 3 || receipt.Commit == "" {
		t.Errorf("%d tries, receipt %+v", tries, receipt)
	}
	checkHas(t, "file", p.onDisk(alpha), "- One, edited.", "- Two.")
	_, err = p.change(func(v *View, now time.Time) (*Tx, error) {
		o, err := adding(alpha, "Three.")(v, now)
		p.edit(alpha, "- One", "- One more")
		return o, err
	})
	gittest.Must(t, err)
	checkHas(t, "file", p.onDisk(alpha), "- One more more more more more")
	p.add(alpha, "Four.")
	checkHas(t, "file", p.onDisk(alpha), "- One more more more more more", "- Three.", "- Four.")
}

// TestPolicy reads config.yaml, git config and the flags: each takes precedence over the one
// before.
func TestPolicy(t *testing.T) {
	for _, tt := range []struct {
		name, file, config string
		noCommit           bool
		want               policy.Commit
	}{
		{name: "nothing", want: policy.Own},
		{name: "config.yaml", file: "commit: off\n", want: policy.Off},
		{name: "git config", file: "commit: off\n", config: "own", want: policy.Own},
		{name: "--no-commit", config: "own", noCommit: true, want: policy.Off},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.settings.NoCommit = tt.noCommit
			if tt.file != "" {
				p.Write("checkpoints/config.yaml", tt.file)
			}
			if tt.config != "" {
				p.Git("config", "ckpt.commit", tt.config)
			}
			cfg, err := p.open().Policy(t.Context())
			if err != nil || cfg.Commit != tt.want {
				t.Errorf("commit: %s, %v, want %s", cfg.Commit, err, tt.want)
			}
			cfg, err = p.view().Policy(t.Context())
			if err != nil || cfg.Commit != tt.want {
				t.Errorf("commit of the view: %s, %v, want %s", cfg.Commit, err, tt.want)
			}
		})
	}
}

// TestOpen finds the repository and the folder, or refuses.
func TestOpen(t *testing.T) {
	for _, tt := range []struct {
		name, dir, folder, config string
		want                      string // the prefix
		kind                      fault.Kind
	}{
		{name: "the default", want: "checkpoints"},
		{name: "from below", dir: "checkpoints/active", want: "checkpoints"},
		{name: "git config", config: "notes/ckpt", want: "notes/ckpt"},
		{name: "a flag before git config", config: "notes/ckpt", folder: "./own//", want: "own"},
		{name: "outside", folder: "../own", kind: fault.Usage},
		{name: "the git folder", folder: ".git/own", kind: fault.Usage},
		{name: "the root", folder: ".", kind: fault.Usage},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			if tt.config != "" {
				p.Git("config", "ckpt.dir", tt.config)
			}
			p.settings.Dir, p.settings.Folder = filepath.Join(p.Dir, tt.dir), tt.folder
			w, err := Open(t.Context(), p.settings)
			if tt.kind != 0 {
				checkError(t, err, tt.folder, tt.kind)
				return
			}
			gittest.Must(t, err)
			if w.Prefix != tt.want || w.FromRoot(alpha) != tt.want+"/"+alpha {
				t.Errorf("the folder is %q, want %q", w.Prefix, tt.want)
			}
		})
	}
	t.Run("an absolute folder", func(t *testing.T) {
		p := newProject(t)
		root, err := filepath.EvalSymlinks(p.Dir)
		gittest.Must(t, err)
		p.settings.Folder = filepath.Join(root, "own")
		if w := p.open(); w.Prefix != "own" {
			t.Errorf("the folder is %q", w.Prefix)
		}
	})
	t.Run("no repository", func(t *testing.T) {
		envtest.Set(t)
		if _, err := Open(context.Background(), Settings{Dir: t.TempDir(), Now: time.Now}); err == nil {
			t.Error("no error")
		}
	})
}

// TestFromHere names files as checkpoints do.
func TestFromHere(t *testing.T) {
	p := newProject(t)
	gittest.Must(t, os.MkdirAll(filepath.Join(p.Dir, "sub"), 0o755))
	p.Write("sub/here.go", "package sub\n")
	p.settings.Dir = filepath.Join(p.Dir, "sub")
	root, err := filepath.EvalSymlinks(p.Dir)
	gittest.Must(t, err)
	w := p.open()
	for name, want := range map[string]string{
		"main.go":                          "main.go",
		"here.go":                          "sub/here.go",
		"./here.go":                        "sub/here.go",
		"../main.go":                       "main.go",
		"sub/here.go":                      "sub/here.go",
		"not/there.go":                     "not/there.go",
		"../../outside.go":                 "../../outside.go",
		filepath.Join(root, "sub/here.go"): "sub/here.go",
	} {
		if got := w.FromHere(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestReplaced describes what an operation replaced, with the commands that show it.
func TestReplaced(t *testing.T) {
	const next = "\n## Next actions\n\n1. First\n2. Second\n"
	for _, tt := range []struct {
		name, config string
		want         []string
	}{
		{name: "own", want: []string{"replaced 1 next action", "ckpt show chk-alpha --at", "ckpt undo", "append: --add"}},
		{name: "off", config: "off", want: []string{"replaced 1 next action", "ckpt show chk-alpha --at", "ckpt undo"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.Commit("Next", "checkpoints/"+alpha, p.onDisk(alpha)+next)
			if tt.config != "" {
				p.Git("config", "ckpt.commit", tt.config)
			}
			receipt, err := p.open().Change(t.Context(), store.Live, func(v *View, now time.Time) (*Tx, error) {
				c, err := v.Open("")
				if err != nil {
					return nil, err
				}
				revised, err := parse(alpha, strings.Replace(string(c.Doc.Bytes()), "2. Second\n", "", 1))
				o := &Tx{Op: "next", ID: c.ID, Path: c.Path, Summary: "Third"}
				o.Revise(c, revised)
				o.NoteReplaced(c, revised, "--add")
				return o, err
			})
			gittest.Must(t, err)
			checkHas(t, "remarks", strings.Join(receipt.Remarks, "\n"), tt.want...)
		})
	}
}
