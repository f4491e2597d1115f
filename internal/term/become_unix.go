//go:build unix

package term

import (
	"os"
	"syscall"
)

// replace puts another program in the place of this one, where the streams are the
// process's own. It comes back only where it could not.
func replace(s Streams, path string, args []string) error {
	if s.In != os.Stdin || s.Out != os.Stdout || s.Err != os.Stderr {
		return nil
	}
	return syscall.Exec(path, append([]string{path}, args...), s.Env)
}
