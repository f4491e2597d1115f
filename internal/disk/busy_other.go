//go:build !windows

package disk

import "os"

// patiently calls do once: outside of Windows an open file can be replaced and removed.
func patiently(do func() error) error { return do() }

// OpenShared opens a file for reading. Other processes may replace or remove it meanwhile.
func OpenShared(path string) (*os.File, error) { return os.Open(path) }
