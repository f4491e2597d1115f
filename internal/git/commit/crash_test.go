package commit_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/gittest"
)

// changing is the system calls that change files, or could. Opening is among
// them because it also creates.
const changing = "openat,write,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,pwrite64,fsync,fdatasync,ftruncate,fchmod"

// One operation, as the gate does it, is killed at each of its system calls in
// turn, and each is made to fail: afterwards the state is the one before or the
// one after, for every file and HEAD together, and nothing else has changed.
// CKPT_TEST_STRIDE=1 tries every call, the default every 31st.
func TestFailingAtEverySystemCall(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil || testing.Short() {
		t.Skip("needs strace, and time")
	}
	stride := 31
	if s, err := strconv.Atoi(os.Getenv("CKPT_TEST_STRIDE")); err == nil {
		stride = s
	}
	template := gittest.New(t)
	template.Commit("base", gittest.Base()...)
	template.Git("config", "ckpt.fsync", "on")
	work(template)
	if err := envtest.Command(strace, "-f", "-o", os.DevNull, "-e", "inject=close:error=EIO:when=9999", "true").Run(); err != nil {
		t.Skip("strace may not trace here")
	}
	calls := tracedCalls(t, strace, template)
	tried, hit := 0, 0
	for i, how := range []string{"signal=KILL", "error=ENOSPC", "error=EIO"} {
		for at := i * stride / 3; at < len(calls); at += stride {
			g := copyOf(t, template)
			out := inject(strace, g, "inject="+calls[at].name+":"+how+":when="+strconv.Itoa(calls[at].nth))
			checkWhole(t, g, fmt.Sprintf("%s at %s number %d", how, calls[at].name, calls[at].nth), out)
			if tried++; out != "done\n" {
				hit++
			}
			if t.Failed() {
				return
			}
		}
	}
	// A call of another thread is not hit, and some failures do not matter.
	t.Logf("%d calls, %d tried, %d changed the outcome", len(calls), tried, hit)
	if hit < tried/3 {
		t.Error("hardly any call was hit")
	}
}

// call is the nth use of a system call.
type call struct {
	name string
	nth  int
}

// operate is what the gate does for one operation, in a process of its own.
func operate(dir string) error {
	ctx := context.Background()
	r, err := git.Open(dir)
	if err != nil {
		return err
	}
	unlock, err := r.Lock(ctx, disk.Exclusive)
	if err != nil {
		return err
	}
	defer unlock()
	d, err := prepare(ctx, r, gittest.Operation(), "ckpt: one operation", noon)
	if err != nil {
		return err
	}
	j, err := disk.Begin(r.JournalDir(), disk.Operation{Root: r.Root(), Files: gittest.Operation(), End: disk.ToCommit, Sync: true})
	if err != nil {
		return err
	}
	if err = j.Apply(); err == nil {
		_, err = d.Land(ctx)
	}
	if err != nil {
		if back := j.Revert(); back != nil {
			return fmt.Errorf("%w; %w", err, back)
		}
	}
	return errors.Join(err, j.Done())
}

// recoverAfter is what the next ckpt does first.
func recoverAfter(t *testing.T, g *gittest.Repo) {
	t.Helper()
	r := g.Open()
	unlock, err := r.Lock(t.Context(), disk.Exclusive)
	gittest.Must(t, err)
	defer unlock()
	j, err := disk.Pending(r.JournalDir(), r.Root())
	gittest.Must(t, err)
	if j == nil {
		return
	}
	landed, err := r.Objects().HasAll(t.Context(), j.Files())
	gittest.Must(t, err)
	if !landed {
		gittest.Must(t, j.Revert())
		gittest.Must(t, j.Done())
		return
	}
	gittest.Must(t, r.Index().Repair(t.Context(), j.Files()))
	gittest.Must(t, j.Finish())
	gittest.Must(t, j.Done())
}

// checkWhole recovers and looks at everything.
func checkWhole(t *testing.T, g *gittest.Repo, when, said string) {
	t.Helper()
	recoverAfter(t, g)
	r := g.Open()
	done, err := r.Objects().HasAll(t.Context(), gittest.Operation())
	gittest.Must(t, err)
	for _, f := range gittest.Operation() {
		want := f.Before
		if done {
			want = f.After
		}
		got, err := disk.ReadFile(filepath.Join(g.Dir, f.Path))
		gittest.Must(t, err)
		if (got == nil) != (want == nil) || string(got) != string(want) {
			t.Errorf("%s: HEAD holds it: %v, but %s is %q", when, done, f.Path, got)
		}
	}
	if strings.Contains(said, "done") && !done {
		t.Errorf("%s: it said done, and is not", when)
	}
	if strings.Contains(said, "error") && done {
		t.Errorf("%s: it said %s, and is done", when, said)
	}
	// The next operation goes through, and puts right what git's locks were left.
	record(t, g, change.File{Path: "checkpoints/next.md", After: []byte("next\n")})
	for _, path := range []string{".git/index.lock", ".git/HEAD.lock", ".git/refs/heads/main.lock"} {
		if _, err := os.Lstat(filepath.Join(g.Dir, path)); err == nil {
			t.Errorf("%s: %s is left", when, path)
		}
	}
	if out, err := g.TryGit("fsck", "--strict", "--no-dangling", "--no-progress"); err != nil || out != "" {
		t.Errorf("%s: fsck: %v %s", when, err, out)
	}
	want := "A  staged.txt\nMM half.txt\n A announced.txt\n?? untracked.txt\n?? checkpoints/notes.txt\n M checkpoints/z.txt\n D deleted.txt\nD  removed.txt"
	got, err := g.TryGit("status", "--porcelain", "--untracked-files=all")
	if err != nil || !sameLines(got, want) {
		t.Errorf("%s: status: %v\n%s", when, err, got)
	}
}

func sameLines(a, b string) bool {
	x, y := lines(a), lines(b)
	for l := range x {
		if !y[l] {
			return false
		}
	}
	return len(x) == len(y)
}

// copyOf is a second repository with the same files.
func copyOf(t *testing.T, g *gittest.Repo) *gittest.Repo {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	run(t, "cp", "-a", g.Dir, dir)
	return g.At(dir)
}

// inject runs the operation under strace and returns what it said.
func inject(strace string, g *gittest.Repo, rule string) string {
	cmd := g.Command(strace, "-f", "-qq", "-o", os.DevNull, "-e", "trace="+changing, "-e", rule, os.Args[0])
	cmd.Env = append(cmd.Env, "CKPT_TEST_OPERATE="+g.Dir, "GOMAXPROCS=1")
	out, _ := cmd.CombinedOutput() // killed, or failed, as it should
	return string(out)
}

// tracedCalls is the calls that one operation makes.
func tracedCalls(t *testing.T, strace string, g *gittest.Repo) (calls []call) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	cmd := g.Command(strace, "-f", "-qq", "-o", log, "-e", "trace="+changing, os.Args[0])
	cmd.Env = append(cmd.Env, "CKPT_TEST_OPERATE="+copyOf(t, g).Dir, "GOMAXPROCS=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "done") {
		t.Fatalf("%v %s", err, out)
	}
	data, err := os.ReadFile(log)
	gittest.Must(t, err)
	count := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^\d+ +([a-z0-9]+)\(`).FindAllSubmatch(data, -1) {
		name := string(m[1])
		count[name]++
		calls = append(calls, call{name, count[name]})
	}
	return calls
}
