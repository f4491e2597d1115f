package object

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os/exec"
	"runtime"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/refs"
)

// catFile is a process `git cat-file --batch`. It runs until the database is garbage collected, or ckpt ends. It finds
// objects that git packs or adds meanwhile.
type catFile struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	said bytes.Buffer // what it printed on standard error
}

// start starts the git process of the database, unless it is running.
func (db *Database) start() error {
	if db.git != nil {
		return nil
	}
	cmd, err := db.CatFile()
	if err != nil {
		return err
	}
	c := &catFile{cmd: cmd}
	cmd.Stderr = &c.said
	c.in, err = cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	c.out = bufio.NewReaderSize(out, 1<<16)
	if err := cmd.Start(); err != nil {
		return err
	}
	db.git = c
	runtime.AddCleanup(db, func(c *catFile) { _ = c.close() }, c)
	return nil
}

// close ends the process. The error has what git printed.
func (c *catFile) close() error {
	_ = c.in.Close()
	err := c.cmd.Wait()
	if text := strings.TrimSpace(c.said.String()); text != "" {
		err = errors.New(text)
	}
	return err
}

// ask reads objects from git and calls got for each, in this order. The content is nil for an object that
// the repository does not have, and for a text that is not a hash.
func (db *Database) ask(hashes []string, got func(i int, kind plumbing.ObjectType, content []byte)) error {
	for done := 0; done < len(hashes); {
		if err := db.start(); err != nil {
			return fault.New(fault.Failed, "git cat-file: %w", err)
		}
		n, err := db.git.read(hashes[done:], func(i int, kind plumbing.ObjectType, content []byte) {
			got(done+i, kind, content)
		})
		done += n
		if err == nil {
			continue
		}
		said := db.git.close()
		db.git = nil
		if said == nil || !strings.Contains(said.Error(), "promisor") {
			return fault.New(fault.Failed, "git cat-file: %w", errors.Join(said, err)).WithHint("git fsck")
		}
		got(done, plumbing.InvalidObject, nil) // the object is missing: git before 2.45 exits at one that it must not fetch
		done++
	}
	return nil
}

// read reads objects until one fails, and returns how many it has read.
func (c *catFile) read(hashes []string, got func(i int, kind plumbing.ObjectType, content []byte)) (n int, err error) {
	var ask strings.Builder
	for _, hash := range hashes {
		if !refs.IsHash(hash) {
			hash = "none" + strings.Repeat("-", 40)
		}
		ask.WriteString(hash + "\n")
	}
	written := make(chan error, 1)
	go func() {
		_, err := io.WriteString(c.in, ask.String())
		if err != nil {
			_ = c.in.Close() // else git would wait for the rest, and we for its answer
		}
		written <- err
	}()
	for i := range hashes {
		kind, content, err := c.next()
		if err != nil {
			return i, err
		}
		got(i, kind, content)
	}
	return len(hashes), <-written
}

// next reads an answer: "HASH KIND SIZE", the content and a line break, or "HASH missing".
func (c *catFile) next() (plumbing.ObjectType, []byte, error) {
	head, err := c.out.ReadString('\n')
	if err != nil {
		return plumbing.InvalidObject, nil, err
	}
	part := strings.Fields(head)
	if len(part) == 2 && part[1] == "missing" {
		return plumbing.InvalidObject, nil, nil
	}
	if len(part) != 3 {
		return plumbing.InvalidObject, nil, errors.New("it answered " + strconv.Quote(head))
	}
	size, err := strconv.Atoi(part[2])
	if err != nil {
		return plumbing.InvalidObject, nil, err
	}
	kind, err := plumbing.ParseObjectType(part[1])
	if err != nil {
		return plumbing.InvalidObject, nil, err
	}
	content := make([]byte, size+1)
	_, err = io.ReadFull(c.out, content)
	return kind, content[:size:size], err
}
