package snapshot_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/git/snapshot"
)

var moment = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

// TestSnapshotBringsBack takes a snapshot of random trees, messes them up, and brings
// it back: git and the disk say the same as then, and the way back leads to the mess.
func TestSnapshotBringsBack(t *testing.T) {
	ctx := context.Background()
	rounds := 12
	if testing.Short() {
		rounds = 8
	}
	brought := 0
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(uint64(seed), 1))
			r := gittest.New(t)
			if seed%3 == 1 {
				r.Git("config", "core.autocrlf", "true")
			}
			if seed%3 == 2 {
				r.Git("config", "core.safecrlf", "true")
			}
			if seed%5 != 0 { // else: no commit yet
				mess(t, r, rnd, 20)
				put(t, r.Dir, "checkpoints/active/chk-a.md", "x\n")
				_, _ = r.TryGit("-c", "core.safecrlf=false", "add", "-A")
				r.Git("commit", "-q", "--allow-empty", "-m", "First")
			}
			if seed%4 == 3 {
				linked := filepath.Join(t.TempDir(), "linked")
				if seed%5 != 0 {
					r.Git("worktree", "add", "-q", linked)
					r = r.At(linked)
				}
			}
			mess(t, r, rnd, 12)
			put(t, r.Dir, "checkpoints/active/chk-a.md", "then\n")
			then, thenHidden := state(t, r), ignored(r)
			repo := r.Open()
			snap, err := snapshot.Of(repo).Take(ctx, "checkpoints", "try", moment)
			if fault.KindOf(err) == fault.Unsupported {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if now := state(t, r); now != then {
				t.Fatalf("taking it changed something:\n%s\n%s", then, now)
			}
			mess(t, r, rnd, 12)
			put(t, r.Dir, "checkpoints/active/chk-a.md", "now\n")
			messy := state(t, r)
			hidden := ignored(r)
			done, err := snapshot.Of(r.Open()).Restore(ctx, snap, "checkpoints", moment)
			if fault.KindOf(err) == fault.Unsupported {
				if now := state(t, r); now != messy {
					t.Fatalf("refused (%v), and yet:\n%s\n%s", err, messy, now)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, then, messy)
			}
			brought++
			now := state(t, r)
			for name := range hidden { // never touched, and seen again where its rule is gone
				if !strings.Contains(then, "\n"+fmt.Sprintf("%q ", name)) {
					now = strings.Replace(now, "\n? "+name+"\n", "\n", 1)
					thenHidden[name] = true
				}
			}
			for name := range thenHidden { // untouched
				line := fmt.Sprintf("\n%q ", name)
				if was, is := lineOf(messy, line), lineOf(now, line); was != is {
					t.Fatalf("%q was ignored: %q, now %q\nTHEN %s\nMESS %s\nNOW %s", name, was, is, then, messy, now)
				}
			}
			for name := range ignored(r) { // came since, and its rule came back
				if _, is, _ := strings.Cut(then, fmt.Sprintf("\n%q ", name)); is == "" {
					thenHidden[name] = true
				}
			}
			if without(now, thenHidden) != without(then, thenHidden) {
				t.Fatalf("not as it was (%d written, %d removed):\nTHEN %s\nMESS %s\nNOW  %s", done.Written, done.Removed, then, messy, now)
			}
			if got := r.Read("checkpoints/active/chk-a.md"); got != "now\n" {
				t.Errorf("the checkpoint is %q", got)
			}
			if to, saved := snapshot.Of(repo).Interrupted(); to+saved != "" {
				t.Errorf("half done: %s %s", to, saved)
			}
			if _, err := snapshot.Of(r.Open()).Restore(ctx, done.Saved, "checkpoints", moment); err != nil {
				t.Fatal(err)
			}
			if now := state(t, r); without(now, ignored(r)) != without(messy, ignored(r)) {
				t.Fatalf("no way back:\nMESS %s\nNOW  %s", messy, now)
			}
		})
	}
	if brought < rounds/2 {
		t.Errorf("only %d of %d could be brought back", brought, rounds)
	}
}

// TestBringBackThatFailsIsTakenBack lets git fail in the middle of writing: a filter
// that was there when the snapshot was taken is not any more.
func TestBringBackThatFailsIsTakenBack(t *testing.T) {
	r := gittest.New(t)
	for _, side := range []string{"clean", "smudge"} {
		r.Git("config", "filter.picky."+side, "cat")
	}
	r.Git("config", "filter.picky.required", "true")
	r.Commit("First", ".gitattributes", "*.picky filter=picky\n", "z.picky", "one\n", "a", "a\n", "b", "b\n")
	r.Write("b", "changed\n")
	r.Write("c", "untracked\n")
	snap, err := snapshot.Of(r.Open()).Take(t.Context(), "checkpoints", "try", moment)
	gittest.Must(t, err)
	r.Write("a", "mess\n")
	r.Write("b", "mess\n")
	r.Git("add", "b")
	r.Write("d/new", "mess\n")
	gittest.Must(t, os.Remove(filepath.Join(r.Dir, "z.picky")))
	gittest.Must(t, os.Remove(filepath.Join(r.Dir, "c")))
	messy := state(t, r)

	r.Git("config", "filter.picky.smudge", "false")
	if _, err := snapshot.Of(r.Open()).Restore(t.Context(), snap, "checkpoints", moment); err == nil || fault.KindOf(err) != fault.Failed {
		t.Fatalf("it did not fail: %v", err)
	}
	if now := state(t, r); now != messy {
		t.Errorf("not taken back:\n%s\n%s", messy, now)
	}
	if refs := r.Git("for-each-ref", "--format=%(refname)", "refs/ckpt"); refs != snap.Ref {
		t.Errorf("snapshots are left: %s", refs)
	}
	if to, _ := snapshot.Of(r.Open()).Interrupted(); to != "" {
		t.Error("it is called half done")
	}

	r.Git("config", "filter.picky.smudge", "cat")
	_, err = snapshot.Of(r.Open()).Restore(t.Context(), snap, "checkpoints", moment)
	gittest.Must(t, err)
	if got := r.Read("z.picky") + r.Read("a") + r.Read("b") + r.Read("c"); got != "one\na\nchanged\nuntracked\n" {
		t.Errorf("brought back: %q", got)
	}
}

// TestSubmoduleIsRefused says so before anything changes.
func TestSubmoduleIsRefused(t *testing.T) {
	inner := gittest.New(t)
	inner.Commit("Inner", "x", "x\n")
	r := gittest.New(t)
	r.Commit("First", "a", "a\n")
	r.Git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.Dir, "sub")
	r.Git("commit", "-qm", "Submodule")
	snap, err := snapshot.Of(r.Open()).Take(t.Context(), "checkpoints", "try", moment) // as it is committed: fine
	gittest.Must(t, err)
	r.Write("sub/x", "changed\n")
	before := state(t, r)
	_, err = snapshot.Of(r.Open()).Take(t.Context(), "checkpoints", "try", moment)
	_, backErr := snapshot.Of(r.Open()).Restore(t.Context(), snap, "checkpoints", moment)
	for _, err := range []error{err, backErr} {
		if err == nil || fault.KindOf(err) != fault.Unsupported || !strings.Contains(err.Error(), `the submodule "sub" has changes`) {
			t.Errorf("%v", err)
		}
	}
	if after := state(t, r); after != before {
		t.Errorf("something changed:\n%s\n%s", before, after)
	}
}

// ignored are the files that git ignores now.
func ignored(r *gittest.Repo) map[string]bool {
	all := map[string]bool{}
	for name := range strings.SplitSeq(r.Git("ls-files", "-z", "-o", "-i", "--exclude-standard"), "\x00") {
		if name != "" {
			all[name] = true
		}
	}
	return all
}

// without is a state without some files on disk.
func without(text string, names map[string]bool) string {
	for name := range names {
		text = withoutLine(text, fmt.Sprintf("%q ", name))
	}
	return text
}

// lineOf is the line of text that begins so.
func lineOf(text, begins string) string {
	_, rest, ok := strings.Cut(text, begins)
	line, _, _ := strings.Cut(rest, "\n")
	return fmt.Sprint(ok, line)
}

func withoutLine(text, begins string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, begins) {
			b.WriteString(line)
		}
	}
	return b.String()
}
