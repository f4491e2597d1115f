package drift

import (
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
)

// Newer is the number of live decisions of a parent that a fork has not heard of. A
// fork begins with all that are live, and strikes through what it drops, so what it
// lacks came later; unless it was made by a tool that copies nothing, which shows.
func Newer(fork, parent *checkpoint.Checkpoint) int {
	has := map[string]bool{}
	for _, d := range fork.Decisions() {
		has[plain(d.What)] = true
	}
	newer, shared := 0, 0
	for _, d := range parent.Decisions() {
		switch {
		case has[plain(d.What)]:
			shared++
		case d.Live():
			newer++
		}
	}
	if shared == 0 && fork.Field("base") == "" {
		return 0
	}
	return newer
}

// plain is what a decision says, whatever its markup and spacing.
func plain(what string) string {
	what = strings.ToLower(strings.Join(strings.Fields(what), " "))
	return strings.Trim(strings.NewReplacer("*", "", "`", "", "~", "", "_", "").Replace(what), " .:;")
}
