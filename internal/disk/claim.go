package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Claim tries to claim path, and reports whether it succeeded. It fails if a process has claimed path within the
// given time before now. Of several processes that claim a new path at once, only one succeeds. A claim is an empty
// file and its modification time. Missing folders are made.
func Claim(path string, within time.Duration, now time.Time) (bool, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return false, describe("make", filepath.Dir(path), err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	switch {
	case err == nil:
		_ = f.Close() // the file is empty
	case errors.Is(err, fs.ErrExist):
		info, err := os.Stat(path)
		if err != nil || now.Sub(info.ModTime()).Abs() < within {
			return false, nil
		}
	default:
		return false, describe("make", path, err)
	}
	if err := os.Chtimes(path, now, now); err != nil {
		return false, describe("set the time of", path, err)
	}
	return true, nil
}

// ClaimedSince reports whether path was claimed within the given time before now.
func ClaimedSince(path string, within time.Duration, now time.Time) bool {
	info, err := os.Stat(path)
	return err == nil && now.Sub(info.ModTime()).Abs() < within
}

// Expire removes the claims in a folder that are older than age.
func Expire(dir string, age time.Duration, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // the folder does not exist
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() > 0 {
			continue // something else, not a claim
		}
		if now.Sub(info.ModTime()) > age {
			_ = os.Remove(filepath.Join(dir, e.Name())) // if this fails, the next call tries again
		}
	}
}
