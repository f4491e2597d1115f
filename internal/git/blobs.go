package git

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"example.com/ckpt/internal/core/fault"
)

// few is how many blobs are read without a process: git keeps what many have in
// common, and is worth starting for more.
const few = 4

// Blobs reads many blobs and gives each to visit, in the order of names. One that
// this clone lacks (a partial one, or the history of a damaged one) is given as
// nil; no other repository is asked for it. What visit keeps it may keep.
func (r *Repo) Blobs(ctx context.Context, names []string, visit func(name string, src []byte)) error {
	if r.foreign() == "" && len(names) <= few {
		return r.ownBlobs(names, visit)
	}
	var here []string
	for _, name := range names {
		if r.mayLack() && !r.has(name) { // git before 2.45 would fetch it
			visit(name, nil)
			continue
		}
		here = append(here, name)
	}
	if len(here) == 0 {
		return nil
	}
	cmd := r.offline(ctx, "cat-file", "--batch", "--buffer")
	cmd.Stdin = strings.NewReader(strings.Join(here, "\n") + "\n")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return noGit()
	}
	if err != nil {
		return fault.New(fault.Failed, "git cat-file: %w", err)
	}
	readErr := readBatch(bufio.NewReaderSize(out, 1<<16), here, visit)
	if readErr != nil {
		_ = cmd.Cancel() // it may be waiting for us to read on
	}
	err = cmp.Or(cmd.Wait(), readErr)
	if text := strings.TrimSpace(said.String()); err != nil && text != "" {
		err = errors.New(text)
	}
	if err != nil {
		return fault.New(fault.Failed, "git cat-file --batch: %w", err)
	}
	return nil
}

// readBatch reads the answers of cat-file --batch: "NAME KIND SIZE", the content
// and a line break, or "NAME missing".
func readBatch(from *bufio.Reader, names []string, visit func(string, []byte)) error {
	for _, name := range names {
		head, err := from.ReadString('\n')
		if err != nil {
			return err
		}
		f := strings.Fields(head)
		if len(f) == 2 && f[1] == "missing" {
			visit(name, nil)
			continue
		}
		if len(f) != 3 {
			return errors.New("it answered " + strconv.Quote(head))
		}
		size, err := strconv.Atoi(f[2])
		if err != nil {
			return err
		}
		src := make([]byte, size+1)
		if _, err := io.ReadFull(from, src); err != nil {
			return err
		}
		visit(name, src[:size:size])
	}
	return nil
}

func (r *Repo) ownBlobs(names []string, visit func(string, []byte)) error {
	for _, name := range names {
		h, err := parseHash(name)
		if err != nil {
			return err
		}
		src, err := r.objectsDB().want(plumbing.BlobObject, h)
		switch {
		case errors.Is(err, errMissing):
			src = nil
		case err != nil:
			return err
		case src == nil:
			src = []byte{}
		}
		visit(name, src)
	}
	return nil
}

// mayLack says whether objects of this repository may be in another one only.
func (r *Repo) mayLack() bool {
	_, partial := r.format.extensions["partialclone"]
	return (partial || r.format.promisor) && r.foreign() == ""
}

// has says whether an object is in this repository.
func (r *Repo) has(name string) bool {
	h, err := parseHash(name)
	return err == nil && r.objectsDB().has(h, 0)
}

func (o *objects) has(h plumbing.Hash, depth int) bool {
	if _, err := os.Lstat(o.loose(h)); err == nil {
		return true
	}
	if o.open(depth) != nil {
		return false
	}
	for _, p := range o.packs {
		if err := p.find(h); err == nil {
			return true
		}
	}
	for _, alt := range o.alts {
		if alt.has(h, depth+1) {
			return true
		}
	}
	return false
}

// offline is command for what must not ask another repository: without it git
// fetches what a partial clone lacks, for as long as that takes.
func (r *Repo) offline(ctx context.Context, args ...string) *exec.Cmd {
	cmd := r.command(ctx, args...)
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_LITERAL_PATHSPECS=1")
	cmd.Env = append(cmd.Env, noFetch...)
	return cmd
}

// noFetch is the environment in which git refuses to fetch what a partial clone
// lacks; the second for git before 2.45.
var noFetch = []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}

// Shallow is the commits behind which this clone's history is cut off.
func (r *Repo) Shallow() (map[string]bool, error) {
	cut := map[string]bool{}
	src, err := os.ReadFile(filepath.Join(r.commonDir, "shallow"))
	if errors.Is(err, os.ErrNotExist) {
		return cut, nil
	}
	if err != nil {
		return nil, fault.New(fault.Failed, "read the list of commits where history is cut off: %w", err)
	}
	for commit := range strings.FieldsSeq(string(src)) {
		cut[commit] = true
	}
	return cut, nil
}
