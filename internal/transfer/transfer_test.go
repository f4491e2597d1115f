package transfer

import (
	"context"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/edit"
	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/transfer/schema"
	"example.com/ckpt/internal/workspace"
)

// open returns a repository with files, and the Transfer of its workspace.
func open(t *testing.T, files map[string]string) (*gittest.Repo, *Transfer) {
	t.Helper()
	envtest.Set(t)
	repo := gittest.New(t)
	pairs := []string{"README.md", "A project.\n"}
	for name, text := range files {
		pairs = append(pairs, name, text)
	}
	repo.Commit("begin", pairs...)
	w, err := workspace.Open(context.Background(), workspace.Settings{Dir: repo.Dir, Now: func() time.Time { return today }})
	if err != nil {
		t.Fatal(err)
	}
	return repo, New(w)
}

const (
	handOff  = "# Shop\n\n## Problem\n\nThe shop is closed.\n\n## Next steps\n\n- Open it\n"
	finished = "---\ncheckpoint: chk-done\n---\n\n## Problem\n\nIt was slow.\n\n## Completion\n\n- **Outcome**: fast\n"
	secret   = "# Notes\n\nAWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzzzz\n"
	protocol = `{"checkpointId":"chk-run","summary":{"goal":"Sell","completed":["Order"],"pending":[],"decisions":[]},` +
		`"resumePointer":{"nextAction":"Send"}}`
)

func TestImport(t *testing.T) {
	files := map[string]string{"HANDOFF.md": handOff, "done.md": finished, "secret.md": secret, "row.json": protocol,
		"LEARNINGS-old.md": "# Lessons\n\n- Test first\n", "bad.md": "\xff\xfea"}
	for name, tt := range map[string]struct {
		req  ImportRequest
		want string            // the ids or paths of the new checkpoints, or the error
		has  map[string]string // text in files
	}{
		"notes": {req: ImportRequest{Paths: []string{"HANDOFF.md"}}, want: "checkpoints/active/chk-handoff.md",
			has: map[string]string{"checkpoints/active/chk-handoff.md": "\n- Open it\n", "HANDOFF.md": handOff}},
		"with an id, current": {req: ImportRequest{Paths: []string{"HANDOFF.md"}, ID: "chk-shop", Current: true},
			want: "checkpoints/active/chk-shop.md",
			has:  map[string]string{"checkpoints/active/chk-shop.md": "status: current"}},
		"a finished one": {req: ImportRequest{Paths: []string{"done.md"}}, want: "checkpoints/archive/chk-done.md"},
		"a row":          {req: ImportRequest{Paths: []string{"row.json"}}, want: "checkpoints/active/chk-run.md"},
		"learnings": {req: ImportRequest{Paths: []string{"LEARNINGS-old.md"}}, want: "checkpoints/LEARNINGS.md",
			has: map[string]string{"checkpoints/LEARNINGS.md": "- Test first"}},
		"the same twice": {req: ImportRequest{Paths: []string{"HANDOFF.md", "HANDOFF.md"}},
			want: "checkpoints/active/chk-handoff.md same"},
		"the same twice, forced": {req: ImportRequest{Paths: []string{"HANDOFF.md", "HANDOFF.md"}, Force: true},
			want: "checkpoints/active/chk-handoff.md checkpoints/active/chk-handoff-2.md"},
		"one id for two": {req: ImportRequest{Paths: []string{"HANDOFF.md", "done.md"}, ID: "chk-a"},
			want: "--id is for one checkpoint, and these make 2"},
		"two current ones": {req: ImportRequest{Paths: []string{"HANDOFF.md", "done.md"}, Current: true},
			want: "--current is for one checkpoint, and these make 2"},
		"a finished one, current": {req: ImportRequest{Paths: []string{"done.md"}, Current: true},
			want: "done.md has a Completion: it cannot be current"},
		"an id that is no file name": {req: ImportRequest{Paths: []string{"HANDOFF.md"}, ID: "a/b"}, want: "a/b"},
		"a secret":                   {req: ImportRequest{Paths: []string{"secret.md"}}, want: "text that looks like a secret"},
	} {
		t.Run(name, func(t *testing.T) {
			repo, transfer := open(t, files)
			head := repo.Git("rev-parse", "HEAD")
			made, err := transfer.Import(context.Background(), tt.req)
			if err != nil {
				if !strings.Contains(err.Error(), tt.want) || repo.Git("status", "--porcelain")+repo.Git("rev-parse", "HEAD") != head {
					t.Errorf("error %v, want %s, and nothing written", err, tt.want)
				}
				return
			}
			var got []string
			for _, s := range made.Sources {
				switch {
				case s.Same:
					got = append(got, "same")
				default:
					got = append(got, s.Path)
				}
			}
			if all := strings.Join(got, " "); all != tt.want || repo.Git("rev-list", "--count", head+"..") != "1" {
				t.Errorf("made %s, want %s in one commit", all, tt.want)
			}
			for file, text := range tt.has {
				if !strings.Contains(repo.Read(file), text) {
					t.Errorf("%s lacks %q:\n%s", file, text, repo.Read(file))
				}
			}
		})
	}
}

// TestImportToAFolderBelowAnother checks that the receipt names the file.
func TestImportToAFolderBelowAnother(t *testing.T) {
	repo, _ := open(t, map[string]string{"HANDOFF.md": handOff})
	repo.Git("config", "ckpt.dir", "docs/notes")
	w, err := workspace.Open(t.Context(), workspace.Settings{Dir: repo.Dir, Now: func() time.Time { return today }})
	if err != nil {
		t.Fatal(err)
	}
	made, err := New(w).Import(t.Context(), ImportRequest{Paths: []string{"HANDOFF.md"}})
	const want = "docs/notes/active/chk-handoff.md"
	if err != nil || made.Path != want || made.Sources[0].Path != want {
		t.Errorf("%+v, error %v; want %s", made, err, want)
	}
}

// TestTake saves checkpoints of another tool one after the other.
func TestTake(t *testing.T) {
	repo, transfer := open(t, nil)
	const agentRun = `{"workflow_id":"ship","state":{"current_phase":"2","completed_phases":["1"],"todos":[]}}`
	for _, tt := range []struct{ name, json, want string }{
		{"it names a checkpoint that does not exist", protocol, "new chk-run"},
		{"it names one that exists", strings.Replace(protocol, `"Order"`, `"Order","Pack"`, 1), "delta chk-run"},
		{"it names a workflow", agentRun, "new chk-ship"},
		{"it names the workflow again", strings.Replace(agentRun, `"1"]`, `"1","2"]`, 1), "delta chk-ship"},
		{"it names nothing", `{"summary":{"goal":"Sell more"},"resumePointer":{"nextAction":"Ask"}}`, "delta chk-ship"},
	} {
		im, err := schema.Read([]byte(tt.json))
		if err != nil {
			t.Fatal(err)
		}
		r, err := transfer.Take(context.Background(), im)
		if err != nil || r.Op+" "+r.ID != tt.want {
			t.Fatalf("%s: %v, want %s: %v", tt.name, r, tt.want, err)
		}
	}
	note := edit.NoteRequest{ID: "chk-run", Kind: "context", Text: []string{"It rains"}}
	if _, err := transfer.edit.Note(context.Background(), note); err != nil {
		t.Fatal(err)
	}
	var names []string
	saves, err := transfer.Saves(context.Background(), "chk-run", 10)
	for _, s := range saves { // the note is @{0}; a change of the current checkpoint is not a version
		names = append(names, s.ID+" "+s.Op)
	}
	if got, want := strings.Join(names, ", "), "chk-run@{1} delta, chk-run@{2} new"; err != nil || got != want {
		t.Errorf("saves %s, want %s, error %v", got, want, err)
	}
	if newest, err := transfer.Saves(context.Background(), "chk-run", 1); err != nil || len(newest) != 1 {
		t.Errorf("at most one: %v, error %v", newest, err)
	}
	for at, want := range map[string]int{"": 2, repo.Git("rev-list", "--max-parents=1", "--reverse", "HEAD", "--",
		"checkpoints")[:40]: 1} {
		e, err := transfer.Export(context.Background(), "chk-run", at, schema.Protocol)
		if err != nil {
			t.Fatal(err)
		}
		done, _ := value.Get(e.Object, "summary", "completed")
		if list, _ := done.([]any); len(list) != want {
			t.Errorf("at %q %v is completed, want %d", at, done, want)
		}
	}
}
