package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncData writes the content of a file to the device, and of its metadata only what is needed
// to read the content.
func syncData(f *os.File) error {
	_, err := retry(func() (int, error) { return 0, unix.Fdatasync(int(f.Fd())) })
	return err
}
