//go:build unix

package term

import (
	"os"
	"syscall"
)

// replace replaces the program of this process. If s does not have the streams of the process, it does nothing and
// returns nil.
func replace(s Streams, path string, args []string) error {
	if s.In != os.Stdin || s.Out != os.Stdout || s.Err != os.Stderr {
		return nil
	}
	return syscall.Exec(path, append([]string{path}, args...), s.Env)
}
