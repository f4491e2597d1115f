//go:build unix

package crash

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/text"
)

var crashAll = flag.Bool("crash.all", false, "kill ckpt at every system call that changes a file, not at a sample of them")

// deadly has the system calls before which ckpt is killed: all that change the
// disk, by their names on any architecture.
const deadly = "?rename,?renameat,?renameat2,?unlink,?unlinkat,?link,?linkat,?mkdir,?mkdirat,write,?pwrite64,fsync,?fdatasync"

// TestKilled kills ckpt with SIGKILL before a system call that changes a file, for one
// call after the other. Or the call fails since the disk is full or broken; all later
// calls of its kind then fail, too, or none does. After the next command, here `ckpt
// status`, the repository has its state before or after the operation, never one in
// between. Git finds no error, the user's staged and edited files are untouched, and the
// same command succeeds when it is run again. An error that matters is reported with
// exit code 1 and the step that failed, and nothing has changed.
//
// Some operations have many files: rows that come out of a spool, or files that git's
// packs already have.
func TestKilled(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed")
	}
	archive := []string{"archive", "--outcome", "Refusals are logged", "--learning", "Log why", "--back"}
	for row, test := range []struct {
		name    string
		commit  string // git config ckpt.commit
		command []string
	}{
		{"new", "own", []string{"new", "docs", "--parent", "auth", "--problem", "No guide"}},
		{"delta", "own", []string{"delta", "-m", "Found it", "--state", "Known", "--next", "Fix it"}},
		{"use", "own", []string{"use", "auth"}},
		{"save", "own", []string{"save"}},
		{"archive", "own", archive},
		{"archive, not committed", "off", archive},
		{"archive, in a bisect", "own", archive},
		{"publish", "own", []string{"status"}},
		{"delete", "own", []string{"delete", "chk-auth", "--force"}},
		{"import", "own", []string{"import", "store.jsonl"}},
		{"prune", "own", []string{"prune", "--max-per-workflow", "2", "--apply"}},
		{"undo of a prune", "own", []string{"undo"}},
		{"sync", "own", []string{"sync"}},
		{"migrate", "own", []string{"migrate", "--to", "ref"}},
		{"new, ref", "ref", []string{"new", "docs", "--parent", "auth", "--problem", "No guide"}},
		{"delta, ref", "ref", []string{"delta", "-m", "Found it", "--state", "Known", "--next", "Fix it"}},
		{"use, ref", "ref", []string{"use", "auth"}},
		{"use none, ref", "ref", []string{"use", "--none"}},
		{"save, ref", "ref", []string{"save"}},
		{"archive, ref", "ref", archive},
		{"archive in a bisect, ref", "ref", archive},
		{"delete, ref", "ref", []string{"delete", "chk-auth", "--force"}},
		{"import, ref", "ref", []string{"import", "store.jsonl"}},
		{"prune, ref", "ref", []string{"prune", "--max-per-workflow", "2", "--apply"}},
		{"undo of a prune, ref", "ref", []string{"undo"}},
		{"sync, ref", "ref", []string{"sync"}},
		{"migrate, ref", "ref", []string{"migrate", "--to", "own"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := newCrash(t, test.commit, test.command)
			kills := c.points()
			switch {
			case testing.Short():
				kills = sample(kills, row, 1)
			case !*crashAll:
				kills = sample(kills, row, 2)
			}
			hit := 0
			runs := 0
			for i, at := range kills {
				hows := []string{"signal=KILL:when=%d", "error=EIO:when=%d", "error=EIO:when=%d+", "error=ENOSPC:when=%d", "error=ENOSPC:when=%d+"}
				if strings.HasPrefix(at.call, "unlink") { // an unlink needs no space
					hows = hows[:3]
				}
				for n, how := range hows {
					if *crashAll || (i+row)%len(hows) == n {
						runs++
						hit += c.hit(at, how)
					}
				}
			}
			t.Logf("%d runs, %d were hit", runs, hit)
			if hit < runs/4 { // threads share the work differently each time
				t.Errorf("only %d of %d runs were hit", hit, runs)
			}
		})
	}
}

// point is the Nth call of a system call by one of the process's threads.
type point struct {
	call string
	n    int
}

var (
	wasKilled = text.Regexp(`(?m)^\d+ +\+\+\+ killed by SIGKILL`)
	hasFailed = text.Regexp(`\(INJECTED\)`)
	// An error message names the step, its object and the cause. There is none if the
	// message itself could not be written (isMute), or for calls that fail only here:
	// Go's event file (ownPipe), and git's pipe to ckpt (answerLost).
	isMute  = text.Regexp(`(?m)^\d+ +(write\([12], .*|<\.\.\. write resumed>.*)\(INJECTED\)$`)
	ownPipe = text.Regexp(`runtime: netpollBreak write fail`) // as far as strace shows it
	failure = text.Regexp(`(?mi)^ckpt: .*\w.*: .*(no space left on device|input/output error|gave no answer)`)
)

// points returns the system calls that the command makes. Like strace, it counts
// them by thread.
func (c *crash) points() []point {
	trace, _, _ := c.strace(c.copy("traced"), "trace="+deadly)
	if trace == "" {
		c.t.Skip("strace may not trace here")
	}
	call := regexp.MustCompile(`(?m)^(\d+) +(\w+)\(`)
	most, byThread := map[string]int{}, map[string]int{}
	for _, m := range call.FindAllStringSubmatch(trace, -1) {
		byThread[m[0]]++
		most[m[2]] = max(most[m[2]], byThread[m[0]])
	}
	var all []point
	for _, call := range slices.Sorted(maps.Keys(most)) {
		for n := range most[call] {
			all = append(all, point{call, n + 1})
		}
	}
	return all
}

// sample returns n of the points at equal distances, and different ones for each row.
func sample(all []point, row, n int) []point {
	if len(all) <= n {
		return all
	}
	some := make([]point, n)
	for i := range some {
		some[i] = all[(i*len(all)/n+row)%len(all)]
	}
	return some
}

// hit runs the command with a fault in a call, or with a "+" in all calls from it on, and checks the result.
// It returns 1 if the call was made: threads share the work differently each time.
func (c *crash) hit(at point, how string) int {
	t := c.t
	name := fmt.Sprintf("%s:"+how, at.call, at.n)
	repo := c.copy(name)
	defer os.RemoveAll(repo)
	trace, said, code := c.strace(repo, "trace=execve,"+deadly, "inject="+name)
	last := func() string {
		lines := strings.Split(strings.TrimSpace(trace), "\n")
		return strings.Join(lines[max(0, len(lines)-12):], "\n")
	}
	if out, code := c.run(repo, "status"); code != 0 {
		t.Errorf("%s: status: exit code %d\n%s\n%s", name, code, out, last())
	}
	state := c.state(repo)
	killed := strings.HasPrefix(how, "signal")
	if locks, _ := filepath.Glob(filepath.Join(repo, ".git", "*.lock")); len(locks) > 0 {
		t.Errorf("%s: left %s\n%s", name, locks, last())
	}
	lost := answerLost(trace)
	if strings.Contains(said, "not published") {
		state, lost = c.state(repo), true
	}
	excused := lost || ownPipe.Get().MatchString(said+trace) || c.command[0] == "status" // status publishes if it can
	if done := maps.Equal(state, c.after); !killed && (!done || code != c.code) && !excused {
		if code != 1 || !failure.Get().MatchString(said) && !isMute.Get().MatchString(trace) {
			t.Errorf("%s: exit code %d, done: %v\n%s\n%s", name, code, done, said, last())
		}
	}
	if !killed && !c.several && code != c.code && maps.Equal(state, c.after) && !excused && !isMute.Get().MatchString(trace) {
		t.Errorf("%s: exit code %d, and yet done\n%s\n%s", name, code, said, last())
	}
	switch {
	case maps.Equal(state, c.after), lost && code == 0: // done, perhaps with less output of git
	case maps.Equal(state, c.before):
		if out, code := c.run(repo, c.command...); code != c.code {
			t.Errorf("%s: once more: exit code %d\n%s\n%s", name, code, out, last())
		} else if again := c.state(repo); !maps.Equal(again, c.after) {
			t.Errorf("%s: once more: %s\n%s", name, difference(again, c.after), last())
		}
	default:
		t.Errorf("%s: neither before (%s) nor after (%s)\n%s", name, difference(state, c.before), difference(state, c.after), last())
	}
	if wrong := c.git(repo, "fsck", "--strict", "--no-dangling"); wrong != "" {
		t.Errorf("%s: git fsck: %s\n%s", name, wrong, last())
	}
	if killed && wasKilled.Get().MatchString(trace) || hasFailed.Get().MatchString(trace) {
		return 1
	}
	return 0
}

// answerLost reports whether git could not write its answer into the pipe to ckpt. Outside of this test a
// pipe does not fail like that, and git does not report it.
func answerLost(trace string) bool {
	for _, child := range regexp.MustCompile(`(?m)^(\d+) +execve\("[^"]*/git"`).FindAllStringSubmatch(trace, -1) {
		lost := `(?m)^` + child[1] + ` +write\(1, .*\(INJECTED\)$`
		if regexp.MustCompile(lost).MatchString(trace) {
			return true
		}
	}
	return false
}

// state returns everything that matters in a repository: the files, the index, the
// commits of the branch and the ref, git's configuration and its status.
func (c *crash) state(repo string) map[string]string {
	state := map[string]string{
		"HEAD":   c.git(repo, "rev-parse", "HEAD"),
		"ref":    c.git(repo, "log", "--format=%T %s", "--glob=refs/ckpt/checkpoints*"),
		"index":  c.git(repo, "ls-files", "--stage"),
		"config": c.git(repo, "config", "--local", "--list"),
		"status": c.git(repo, "status", "--porcelain=v2", "--untracked-files=all"),
	}
	for _, path := range strings.Fields(c.git(repo, "ls-files", "--cached", "--others", "--deduplicate")) {
		content, err := os.ReadFile(filepath.Join(repo, path))
		if err == nil {
			state[path] = string(content)
		}
	}
	return state
}

func difference(a, b map[string]string) string {
	var all []string
	for _, m := range []map[string]string{a, b} {
		for key := range m {
			if a[key] != b[key] && !slices.Contains(all, key) {
				all = append(all, key)
			}
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ") + " differ"
}

// strace runs the command under strace. It returns the output of strace and of the
// command, and the command's exit code.
func (c *crash) strace(repo string, expressions ...string) (trace, said string, code int) {
	file := repo + ".trace"
	args := []string{"-f", "-qq", "-o", file}
	if c.alone {
		args = append(args, "-b", "execve")
	} else {
		args = append(args, "--seccomp-bpf") // stops at the traced calls alone; not possible with -b
	}
	for _, e := range expressions {
		args = append(args, "-e", e)
	}
	cmd := envtest.Command("strace", append(append(args, c.ckpt), c.command...)...)
	cmd.Dir, cmd.Env = repo, c.env()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // an error is ignored: it is meant to be killed
	seen, err := os.ReadFile(file)
	if err != nil {
		return "", "", 0
	}
	return string(seen), out.String(), cmd.ProcessState.ExitCode()
}
