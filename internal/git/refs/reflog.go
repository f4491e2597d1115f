package refs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
)

// AppendLog appends a line to the reflog of a ref. A missing log is created if create is true; otherwise AppendLog
// does nothing.
func (s *Store) AppendLog(name, line string, create bool) error {
	path := s.logFile(name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if errors.Is(err, fs.ErrNotExist) {
		if !create {
			return nil
		}
		sharing := s.Locks.sharing()
		if err := sharing.MkdirAll(filepath.Dir(path)); err != nil {
			return logFault("write", name, err)
		}
		f, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
		if err == nil {
			err = sharing.Apply(path)
		}
	}
	if err != nil {
		return logFault("write", name, err)
	}
	_, err = f.WriteString(line)
	err = errors.Join(err, f.Close())
	if err != nil {
		return logFault("write", name, err)
	}
	return nil
}

// Log returns the commits that a ref was moved to, as its reflog has them, the newest first.
func (s *Store) Log(name string) ([]string, error) {
	data, err := disk.Bytes(s.logFile(name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, logFault("read", name, err)
	}
	var all []string
	for line := range strings.Lines(string(data)) {
		head, _, _ := strings.Cut(line, "\t")
		if part := strings.Fields(head); len(part) > 2 {
			all = append(all, part[1])
		}
	}
	slices.Reverse(all)
	return all, nil
}

func (s *Store) logFile(name string) string {
	return filepath.Join(s.base(name), "logs", filepath.FromSlash(name))
}

func logFault(verb, name string, err error) error {
	return fault.New(fault.Failed, "%s the reflog of %s: %w", verb, name, err)
}
