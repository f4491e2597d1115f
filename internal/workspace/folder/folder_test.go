package folder

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/workspace/store"
)

const (
	alpha = "active/chk-alpha.md"
	old   = "archive/chk-old.md"
)

// begin makes a repository with one active and one archived checkpoint.
func begin(t *testing.T) *gittest.Repo {
	t.Helper()
	r := gittest.New(t)
	r.Commit("Begin", "checkpoints/"+alpha, "alpha\n", "checkpoints/"+old, "old\n", "checkpoints/notes.txt", "mine\n",
		"checkpoints/active/.gitkeep", "", "checkpoints/archive/.gitkeep", "")
	return r
}

func open(r *gittest.Repo) *Folder {
	repo, at := r.Open(), &store.Store{Dir: filepath.Join(r.Dir, "checkpoints")}
	return &Folder{Repo: repo, Store: at, Prefix: "checkpoints", FilesDir: "checkpoints", Commits: repo}
}

// TestEdits compares the folder with the last commit.
func TestEdits(t *testing.T) {
	for _, tt := range []struct {
		name   string
		edit   func(*gittest.Repo)
		files  store.Overlay // read in place of those on disk
		edited map[string]bool
		scope  store.Scope
		want   string // each file, with - and + for the bytes before and after
	}{
		{name: "none", edit: func(*gittest.Repo) {}},
		{
			name: "changed", edit: func(r *gittest.Repo) { r.Write("checkpoints/"+alpha, "new\n") },
			want: alpha + " -alpha\n +new\n",
		},
		{
			name: "new", edit: func(r *gittest.Repo) { r.Write("checkpoints/active/chk-new.md", "new\n") },
			want: "active/chk-new.md +new\n",
		},
		{
			name: "deleted", edit: func(r *gittest.Repo) { r.Git("rm", "-q", "checkpoints/"+alpha) },
			want: alpha + " -alpha\n",
		},
		{
			name: "staged", want: alpha + " -alpha\n +new\n",
			edit: func(r *gittest.Repo) {
				r.Write("checkpoints/"+alpha, "new\n")
				r.Git("add", "checkpoints")
			},
		},
		{
			name: "files of the user", edit: func(r *gittest.Repo) {
				r.Write("checkpoints/notes.txt", "new\n")
				r.Write("checkpoints/more.txt", "new\n")
			},
		},
		{
			name: "archived, in active/ alone", edit: func(r *gittest.Repo) { r.Write("checkpoints/"+old, "new\n") },
		},
		{
			name: "archived", scope: store.All, edit: func(r *gittest.Repo) { r.Write("checkpoints/"+old, "new\n") },
			want: old + " -old\n +new\n",
		},
		{
			name: "line endings by git's own rules", edit: func(r *gittest.Repo) {
				r.Git("config", "core.autocrlf", "true")
				r.Write("checkpoints/"+alpha, "alpha\r\n")
			},
		},
		{
			name: "left out by a sparse checkout",
			edit: func(r *gittest.Repo) { r.Git("sparse-checkout", "set", "--no-cone", "/*", "!checkpoints/active/*.md") },
		},
		{
			name: "a link", edit: func(r *gittest.Repo) {
				gittest.Must(r.T, os.Remove(filepath.Join(r.Dir, "checkpoints", alpha)))
				gittest.Must(r.T, os.Symlink("elsewhere", filepath.Join(r.Dir, "checkpoints", alpha)))
			},
		},
		{
			name: "a pending change", edit: func(*gittest.Repo) {}, files: store.Overlay{alpha: []byte("pending\n")},
		},
		{
			name: "a pending change and an edit by hand", files: store.Overlay{alpha: []byte("pending\n")},
			edit: func(*gittest.Repo) {}, edited: map[string]bool{alpha: true},
			want: alpha + " -alpha\n +pending\n",
		},
		{
			name: "in no commit yet", want: alpha + " +alpha\n",
			edit: func(r *gittest.Repo) {
				r.Git("checkout", "-q", "--orphan", "other")
				r.Git("rm", "-rq", "--cached", ".")
				gittest.Must(r.T, os.Remove(filepath.Join(r.Dir, "checkpoints/active/.gitkeep")))
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := begin(t)
			tt.edit(r)
			f := open(r)
			if tt.files != nil {
				f = f.With(tt.files, tt.edited)
			}
			edits, err := f.Edits(t.Context(), tt.scope)
			gittest.Must(t, err)
			var all []string
			for _, e := range edits {
				text := e.Path
				if e.Before != nil {
					text += " -" + string(e.Before)
				}
				if e.After != nil {
					text += " +" + string(e.After)
				}
				all = append(all, text)
			}
			if got := strings.Join(all, ""); got != tt.want {
				t.Errorf("edits %q, want %q", got, tt.want)
			}
		})
	}
}

// TestConflicts lists the files in conflict after a merge.
func TestConflicts(t *testing.T) {
	r := begin(t)
	f := open(r)
	if said, err := f.ConflictRemark(t.Context()); said != "" || err != nil {
		t.Errorf("before: %q, %v", said, err)
	}
	r.Git("switch", "-q", "-c", "other")
	r.Commit("Theirs", "checkpoints/"+alpha, "theirs\n", "checkpoints/notes.txt", "theirs\n")
	r.Git("switch", "-q", "main")
	r.Commit("Ours", "checkpoints/"+alpha, "ours\n", "checkpoints/notes.txt", "ours\n")
	if _, err := r.TryGit("merge", "other"); err == nil {
		t.Fatal("no conflict")
	}
	paths, err := f.Conflicts(t.Context())
	if strings.Join(paths, " ") != "checkpoints/"+alpha || err != nil {
		t.Errorf("conflicts %q, %v", paths, err)
	}
	said, err := f.ConflictRemark(t.Context())
	if said != "in conflict, read as your own side has it: checkpoints/"+alpha+" (ckpt resolve)" || err != nil {
		t.Errorf("remark %q, %v", said, err)
	}
}

// TestWith reads other files in place of those on disk, and leaves the folder as it was.
func TestWith(t *testing.T) {
	f := open(begin(t))
	with := f.With(store.Overlay{alpha: []byte("pending"), old: nil, "active/chk-new.md": []byte("new")}, nil)
	for rel, want := range map[string]string{alpha: "pending", old: "", "active/chk-new.md": "new", "notes.txt": "mine\n"} {
		if src, err := with.Store.Read(rel); string(src) != want || err != nil {
			t.Errorf("%s: %q, %v", rel, src, err)
		}
	}
	if src, err := f.Store.Read(alpha); string(src) != "alpha\n" || err != nil {
		t.Errorf("the folder has changed: %q, %v", src, err)
	}
	files, err := with.Store.Files(store.All)
	if err != nil || !strings.HasPrefix(strings.Join(files, " "), "active/.gitkeep "+alpha+" active/chk-new.md archive/.gitkeep") {
		t.Errorf("files %q, %v", files, err)
	}
}

// TestBlob distinguishes an empty file from a missing one.
func TestBlob(t *testing.T) {
	r := begin(t)
	f := open(r)
	tree, err := f.Committed(store.All)
	gittest.Must(t, err)
	for name, want := range map[string]string{tree[alpha]: "alpha\n"} {
		if src, err := f.Repo.Objects().Blob(name); src == nil || string(src) != want || err != nil {
			t.Errorf("%s: %q, %v", name, src, err)
		}
	}
	if src, err := f.Repo.Objects().Blob(""); src != nil || err != nil {
		t.Errorf("no file: %q, %v", src, err)
	}
}
