// Package recall caches answers in the git directory, with the files that they depend on.
package recall

import (
	"strings"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
)

// Answer returns the answer cached in file if no file that it depends on has changed since. It
// takes a few stats.
func Answer(file string, now time.Time) (answer string, ok bool) {
	src, err := disk.ReadFile(file)
	if err != nil || src == nil {
		return "", false
	}
	part := strings.SplitN(string(src), "\x00", 3)
	if len(part) < 3 {
		return "", false
	}
	state, _ := git.StateOf(strings.Split(part[1], "\n"), now)
	return part[0], state == part[2]
}

// Keep caches an answer and the files that it depends on. State is the state of these
// files before the answer was computed, so that a change in between is noticed.
func Keep(file, answer string, on []string, state string) {
	// If this fails, the answer is computed again.
	_ = disk.WriteFile(file, []byte(answer+"\x00"+strings.Join(on, "\n")+"\x00"+state), false)
}
