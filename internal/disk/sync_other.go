//go:build !linux

package disk

import "os"

// syncData writes the content of a file to the device.
func syncData(f *os.File) error { return f.Sync() }
