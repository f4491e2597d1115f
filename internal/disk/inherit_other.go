//go:build !unix || solaris || aix

package disk

import "os"

// Inheritable is nil: the system has no locks that a child inherits.
func Inheritable(string) (*os.File, error) { return nil, nil }

// Release does nothing.
func Release(*os.File) {}
