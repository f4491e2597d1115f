//go:build !windows

package disk

// patiently calls do once: outside of Windows an open file can be replaced and removed.
func patiently(do func() error) error { return do() }
