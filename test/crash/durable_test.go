//go:build unix

package crash

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/ckpt/internal/text"
)

var (
	syncBegins  = text.Regexp(`^(\d+) +(?:fsync|fdatasync)\(\d+<([^>]*)>(.*)$`)
	syncEnds    = text.Regexp(`^(\d+) +<\.\.\. (?:fsync|fdatasync) resumed>.* = 0`)
	renameCalls = text.Regexp(`^\d+ +rename\w*\([^"]*"([^"]*)",[^"]*"([^"]*)"`)
)

// TestDurable follows the system calls of a delta: after a power cut nothing refers to
// lost data. The objects are on the device before a ref names them, and the checkpoint ref
// before the command ends. The branch is a copy, whose folder ckpt does not sync, like git. It does not
// sync the files of the working tree, which are copies of objects.
func TestDurable(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed")
	}
	c := newCrash(t, "own", []string{"delta", "-m", "Found it"})
	repo := c.copy("traced") // as after a first operation
	c.must(repo, "note", "step", "Before")
	trace, said, code := c.strace(repo, "trace=fsync,fdatasync,?rename,?renameat,?renameat2", "decode-fds=path")
	if code != 0 || !strings.Contains(trace, "sync(") {
		t.Skipf("strace may not trace here: %s", said)
	}
	synced, begun := map[string]bool{}, map[string]string{}
	var order []string
	for line := range strings.SplitSeq(trace, "\n") {
		if m := syncBegins.Get().FindStringSubmatch(line); m != nil {
			if strings.Contains(m[3], "unfinished") {
				begun[m[1]] = m[2]
			} else {
				synced[m[2]] = true
			}
			continue
		}
		if m := syncEnds.Get().FindStringSubmatch(line); m != nil {
			synced[begun[m[1]]] = true
			continue
		}
		m := renameCalls.Get().FindStringSubmatch(line)
		if m == nil {
			continue
		}
		to := strings.TrimPrefix(m[2], repo+"/")
		if strings.HasPrefix(to, ".git/ckpt/") { // caches and the note for `use -` may be lost
			continue
		}
		order = append(order, to)
		if !strings.HasPrefix(to, "checkpoints/") && !synced[m[1]] {
			t.Errorf("%s gets its name before its bytes are on the device", to)
		}
		delete(synced, filepath.Dir(m[2])) // the folder has a new entry
	}
	kinds := ""
	for _, to := range order {
		switch {
		case strings.HasPrefix(to, ".git/objects/"):
			kinds += "o"
		case strings.HasPrefix(to, "checkpoints/"):
			kinds += "f"
		default:
			kinds += " " + strings.TrimPrefix(to, ".git/")
		}
	}
	if want := regexp.MustCompile(`^o+ refs/ckpt/checkpointso+f+ refs/heads/main index$`); !want.MatchString(kinds) {
		t.Errorf("the names came in the order %s", order)
	}
	if !synced[filepath.Join(repo, ".git/refs/ckpt")] {
		t.Error("the checkpoint ref is not on the device in the end")
	}
}
