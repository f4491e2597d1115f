package dropped

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/git/commit"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

const alpha = "active/chk-alpha.md"

func open(r *gittest.Repo) Finder {
	at := &store.Store{Dir: filepath.Join(r.Dir, "checkpoints")}
	return Finder{Folder: folder.New(r.Open(), at, "checkpoints")}
}

// operation commits files as an operation of ckpt does.
func operation(r *gittest.Repo, what string, files ...string) {
	r.T.Helper()
	r.T.Setenv("GIT_REFLOG_ACTION", commit.Action)
	defer func() { gittest.Must(r.T, os.Unsetenv("GIT_REFLOG_ACTION")) }()
	r.Commit("ckpt: note chk-alpha: "+what+"\n\nCheckpoint: chk-alpha\nCheckpoint-Op: note", files...)
}

// TestFind finds operations that git took off the branch, unless their text is somewhere.
func TestFind(t *testing.T) {
	const text = "## Context\n\n- One.\n"
	for _, tt := range []struct {
		name   string
		take   func(*gittest.Repo) // takes the operation off
		before string              // what another reader has; empty for none
		own    bool                // the command itself made it
		want   int
	}{
		{name: "nothing", take: func(*gittest.Repo) {}},
		{name: "a reset", want: 1, take: func(r *gittest.Repo) { r.Git("reset", "-q", "--hard", "HEAD~1") }},
		{name: "of the command itself", own: true, take: func(r *gittest.Repo) { r.Git("reset", "-q", "--hard", "HEAD~1") }},
		{name: "a reset that leaves the files", take: func(r *gittest.Repo) { r.Git("reset", "-q", "--soft", "HEAD~1") }},
		{name: "a reset, and the text written again", take: func(r *gittest.Repo) {
			r.Git("reset", "-q", "--hard", "HEAD~1")
			r.Write("checkpoints/"+alpha, text+"- Another.\n- Two.\n")
		}},
		{name: "a reset, and archived with the text", take: func(r *gittest.Repo) {
			r.Git("reset", "-q", "--hard", "HEAD~1")
			r.Git("mv", "-k", "checkpoints/"+alpha, "checkpoints/archived.md")
			r.Write("checkpoints/archive/chk-alpha.md", text+"- Two.\n")
		}},
		{name: "a reset, and the text in what the command found", before: text + "- Two.\n",
			take: func(r *gittest.Repo) { r.Git("reset", "-q", "--hard", "HEAD~1") }},
		{name: "on another branch", take: func(r *gittest.Repo) {
			r.Git("branch", "other")
			r.Git("reset", "-q", "--hard", "HEAD~1")
		}},
		{name: "a squash of the user", take: func(r *gittest.Repo) {
			r.Git("reset", "-q", "--soft", "HEAD~1")
			r.Commit("Squashed")
		}},
		{name: "during a bisect", take: func(r *gittest.Repo) {
			r.Git("reset", "-q", "--hard", "HEAD~1")
			r.Git("bisect", "start")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := gittest.New(t)
			r.Commit("Begin", "checkpoints/"+alpha, text, "main.go", "package main\n")
			operation(r, "Two.", "checkpoints/"+alpha, text+"- Two.\n")
			hash := strings.TrimSpace(r.Git("rev-parse", "HEAD"))
			tt.take(r)
			f := open(r)
			reads := []Reader{f.Store.Read}
			if tt.before != "" {
				reads = append(reads, func(string) ([]byte, error) { return []byte(tt.before), nil })
			}
			var own []string
			if tt.own {
				own = append(own, hash)
			}
			all, err := f.Find(t.Context(), reads, own...)
			if len(all) != tt.want || err != nil {
				t.Fatalf("found %+v, %v, want %d", all, err, tt.want)
			}
			said, err := f.Remarks(t.Context(), reads, own...)
			gittest.Must(t, err)
			if len(said) != tt.want {
				t.Fatalf("remarks %q", said)
			}
			for _, s := range said {
				want := `main no longer contains "note chk-alpha: Two.": git removed it`
				if !strings.HasPrefix(s, want) || !strings.HasSuffix(s, "ckpt restore chk-alpha --at "+hash[:7]) {
					t.Errorf("remark %q", s)
				}
			}
		})
	}
}

// TestHasAdded compares the lines below the frontmatter.
func TestHasAdded(t *testing.T) {
	for _, tt := range []struct {
		name, before, after, now string
		want                     bool
	}{
		{name: "added and there", before: "a\n", after: "a\nb\n", now: "b\na\n", want: true},
		{name: "added and gone", before: "a\n", after: "a\nb\n", now: "a\n"},
		{name: "indented since", before: "a\n", after: "a\nb\n", now: "  b\n", want: true},
		{name: "only the frontmatter changed", before: "---\nx: 1\n---\na\n", after: "---\nx: 2\n---\na\n", now: "c\n", want: true},
		{name: "removed", before: "a\nb\n", after: "a\n", now: "c\n", want: true},
	} {
		if got := holdsAdded(tt.before, tt.after, tt.now); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
