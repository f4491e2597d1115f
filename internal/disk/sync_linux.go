package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncData brings a file's bytes to the device, and of the rest what is needed to
// read them.
func syncData(f *os.File) error {
	_, err := retry(func() (int, error) { return 0, unix.Fdatasync(int(f.Fd())) })
	return err
}
