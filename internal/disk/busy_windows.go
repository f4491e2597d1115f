package disk

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// patiently calls do, and repeats it for a third of a second while Windows refuses to replace or remove a file that
// another program has open or has just removed. Git waits in the same way.
func patiently(do func() error) error {
	for _, pause := range []time.Duration{1, 5, 10, 20, 40, 80, 160} {
		err := do()
		if !errors.Is(err, windows.ERROR_SHARING_VIOLATION) && !errors.Is(err, windows.ERROR_ACCESS_DENIED) {
			return err
		}
		time.Sleep(pause * time.Millisecond)
	}
	return do()
}

// OpenShared opens a file for reading. Other processes may replace or remove it meanwhile,
// which os.Open does not permit on Windows.
func OpenShared(path string) (*os.File, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	var h windows.Handle
	err = patiently(func() (err error) {
		// FILE_FLAG_BACKUP_SEMANTICS allows opening a folder, too
		h, err = windows.CreateFile(name, windows.GENERIC_READ, share, nil, windows.OPEN_EXISTING,
			windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
		return err
	})
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}
