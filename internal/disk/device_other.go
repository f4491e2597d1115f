//go:build !unix

package disk

import "path/filepath"

// sameDevice reports whether a file can be renamed from one folder to the other.
func sameDevice(a, b string) bool { return filepath.VolumeName(a) == filepath.VolumeName(b) }
