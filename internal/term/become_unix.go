//go:build unix

package term

import (
	"os"
	"syscall"
)

// replace replaces the program of this process if the streams are the process's own. It returns
// only if that is not possible.
func replace(s Streams, path string, args []string) error {
	if s.In != os.Stdin || s.Out != os.Stdout || s.Err != os.Stderr {
		return nil
	}
	return syscall.Exec(path, append([]string{path}, args...), s.Env)
}
