package refs

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/fault"
)

// Move is a line of a reflog: the commit that a ref was moved to, and why.
type Move struct{ Commit, Message string }

// AppendLog appends a line to the reflog of a ref. With create it creates a missing log.
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

// logTail is how many bytes of a reflog are read: some 150 lines.
const logTail = 32 << 10

// Log returns the newest lines of a ref's reflog, the newest first.
func (s *Store) Log(name string) ([]Move, error) {
	f, err := os.Open(s.logFile(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, logFault("read", name, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, logFault("read", name, err)
	}
	start := max(0, info.Size()-logTail)
	data, err := io.ReadAll(io.NewSectionReader(f, start, info.Size()-start))
	if err != nil {
		return nil, logFault("read", name, err)
	}
	var all []Move
	for end := len(data); end > 0; {
		begin := bytes.LastIndexByte(data[:end-1], '\n') + 1
		if begin == 0 && start > 0 {
			break // an incomplete line
		}
		head, message, _ := strings.Cut(strings.TrimSuffix(string(data[begin:end]), "\n"), "\t")
		if part := strings.Fields(head); len(part) > 2 {
			all = append(all, Move{Commit: part[1], Message: message})
		}
		end = begin
	}
	return all, nil
}

func (s *Store) logFile(name string) string {
	return filepath.Join(s.base(name), "logs", filepath.FromSlash(name))
}

func logFault(verb, name string, err error) error {
	return fault.New(fault.Failed, "%s the reflog of %s: %w", verb, name, err)
}
