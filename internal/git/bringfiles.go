package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/disk"
)

// removeFile removes a file, and the folders that are empty then. Where a folder has
// come in its place it is gone already.
func (r *Repo) removeFile(path string) error {
	file := filepath.Join(r.root, filepath.FromSlash(path))
	if info, err := os.Lstat(file); err == nil && info.IsDir() {
		return nil
	}
	if err := disk.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for dir := filepath.Dir(file); dir != r.root && os.Remove(dir) == nil; dir = filepath.Dir(dir) {
	}
	return nil
}

// makeRoom removes the folder that stands where a file is to be, if folders are all
// that is in it.
func (r *Repo) makeRoom(path string) error {
	file := filepath.Join(r.root, filepath.FromSlash(path))
	if info, err := os.Lstat(file); err != nil || !info.IsDir() {
		return nil
	}
	var dirs []string
	err := filepath.WalkDir(file, func(at string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs = append(dirs, at)
		}
		return err
	})
	for _, dir := range slices.Backward(dirs) {
		if err == nil {
			err = os.Remove(dir)
		}
	}
	if err != nil {
		return fault.New(fault.Failed, "write %q: %w", path, err)
	}
	return nil
}

// writeFiles writes files as a snapshot has them: the very bytes where it holds them,
// else what git makes of the file as it is stored. By what attributes it does so is in
// files, too, which come first.
func (r *Repo) writeFiles(ctx context.Context, paths []string, want contents) error {
	rules := func(path string) bool { return path == ".gitattributes" || strings.HasSuffix(path, "/.gitattributes") }
	if first, rest := parted(paths, rules); len(first) > 0 && len(rest) > 0 {
		if err := r.writeFiles(ctx, first, want); err != nil {
			return err
		}
		paths = rest
	}
	for _, path := range paths {
		if err := r.makeRoom(path); err != nil {
			return err
		}
	}
	exact, plain := parted(paths, func(path string) bool { return want.bytes[path].hash != "" })
	if err := r.checkOut(ctx, plain, want.work); err != nil {
		return err
	}
	return r.writeBytes(ctx, exact, want.bytes)
}

// parted are the paths for which is says yes, and the others.
func parted(paths []string, is func(string) bool) (yes, no []string) {
	for _, path := range paths {
		if is(path) {
			yes = append(yes, path)
		} else {
			no = append(no, path)
		}
	}
	return yes, no
}

// checkOut writes files as git would.
func (r *Repo) checkOut(ctx context.Context, paths []string, work map[string]stored) error {
	if len(paths) == 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return fault.New(fault.Failed, "bring files back: %w", err)
	}
	defer os.RemoveAll(dir)
	index := filepath.Join(dir, "index")
	var entries bytes.Buffer
	for _, path := range paths {
		fmt.Fprintf(&entries, "%o %s\t%s\x00", work[path].mode, work[path].hash, path)
	}
	if _, err := r.aside(ctx, index, entries.Bytes(), "update-index", "-z", "--index-info"); err != nil {
		return err
	}
	_, err = r.aside(ctx, index, []byte(strings.Join(paths, "\x00")+"\x00"), "checkout-index", "-f", "-q", "-z", "--stdin")
	return err
}

// writeBytes writes blobs as they are, past git's filters.
func (r *Repo) writeBytes(ctx context.Context, paths []string, blobs map[string]stored) error {
	if len(paths) == 0 {
		return nil
	}
	var names strings.Builder
	for _, path := range paths {
		names.WriteString(blobs[path].hash + "\n")
	}
	cmd := r.command(ctx, "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(names.String())
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fault.New(fault.Failed, "git cat-file: %w", err)
	}
	in := bufio.NewReaderSize(out, 64<<10)
	for _, path := range paths {
		if err = r.writeNext(in, path, blobs[path].mode); err != nil {
			break
		}
	}
	_, _ = io.Copy(io.Discard, in) // so that git can end
	if ended := cmd.Wait(); err == nil && ended != nil {
		err = fault.New(fault.Failed, "git cat-file: %w", ended)
	}
	return err
}

// writeNext writes what cat-file says next to a file.
func (r *Repo) writeNext(in *bufio.Reader, path string, mode filemode.FileMode) error {
	head, err := in.ReadString('\n')
	part := strings.Fields(head)
	if err != nil || len(part) != 3 {
		return fault.New(fault.Failed, "write %q: git lost what it is to hold", path)
	}
	size, err := strconv.ParseInt(part[2], 10, 64)
	if err != nil {
		return fault.New(fault.Failed, "write %q: git says it is %q long", path, part[2])
	}
	file := filepath.Join(r.root, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return fault.New(fault.Failed, "write %q: %w", path, err)
	}
	perm := fs.FileMode(0o666) // less the umask, as git has it
	if mode == filemode.Executable {
		perm = 0o777
	}
	temp := filepath.Join(filepath.Dir(file), ".ckpt-"+strconv.Itoa(os.Getpid()))
	to, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, perm)
	if err != nil {
		return fault.New(fault.Failed, "write %q: %w", path, err)
	}
	defer os.Remove(temp) // where it was not renamed
	_, err = io.CopyN(to, in, size)
	if err == nil {
		_, err = in.Discard(1) // the line break behind it
	}
	if closed := to.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = disk.Rename(temp, file)
	}
	if err != nil {
		return fault.New(fault.Failed, "write %q: %w", path, err)
	}
	return nil
}
