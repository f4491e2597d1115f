//go:build !linux

package disk

import "os"

// syncData brings a file's bytes to the device.
func syncData(f *os.File) error { return f.Sync() }
