//go:build !unix || solaris || aix

package disk

import "os"

// Inheritable returns nil, since the system has no locks that a child process inherits.
func Inheritable(string) (*os.File, error) { return nil, nil }

// Release does nothing.
func Release(*os.File) {}
