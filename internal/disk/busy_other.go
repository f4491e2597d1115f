//go:build !windows

package disk

import "os"

// patiently calls do once: here a file may be replaced and removed while it is open.
func patiently(do func() error) error { return do() }

// OpenShared opens a file for reading. Others may replace or remove it meanwhile.
func OpenShared(path string) (*os.File, error) { return os.Open(path) }
