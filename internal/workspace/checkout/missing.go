package checkout

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/object"
	"example.com/ckpt/internal/workspace/store"
)

// addMissing adds the files of the ref that are missing on disk in the folder Apart.
func (c *comparing) addMissing() error {
	tree, err := c.tree(c.ctx, c.tip)
	if err != nil {
		return err
	}
	known := c.State.settled
	c.State.settled = map[string]string{}
	return c.addMissingIn("", tree, known)
}

// addMissingIn adds the missing files of a folder that has this tree on the ref. It skips a folder of the archive
// that had all files of the tree when the folder was last modified. So an archive of 10,000 files costs a stat for
// each of its months.
func (c *comparing) addMissingIn(dir, tree string, known map[string]string) error {
	modified := int64(0) // stays 0 if the folder does not exist
	if info, err := os.Lstat(c.file(dir)); err == nil && info.IsDir() {
		modified = info.ModTime().UnixNano()
	}
	state := strconv.FormatInt(modified, 10) + ":" + tree
	if known[dir] == state {
		c.State.settled[dir] = state
		return nil
	}
	listed, err := os.ReadDir(c.file(dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return fault.New(fault.Failed, "read %s: %w", c.file(dir), disk.Pathless(err))
	}
	present := map[string]bool{}
	for _, e := range listed {
		present[e.Name()] = !e.IsDir()
	}
	entries, err := object.ReadTree(c.Repo.Objects().Database(), tree)
	if err != nil {
		return err
	}
	old := modified < time.Now().Add(-racy).UnixNano() // otherwise a change at the same moment would not be noticed
	settled := old && strings.HasPrefix(dir+"/", store.Archive+"/")
	for _, e := range entries {
		rel := strings.TrimPrefix(dir+"/"+e.Name, "/")
		switch {
		case e.IsFolder():
			settled, err = false, c.addMissingIn(rel, e.Hash, known)
		case Written(rel) && !present[e.Name]:
			settled, err = false, c.addFrom(rel)
		}
		if err != nil {
			return err
		}
	}
	if settled {
		c.State.settled[dir] = state
	}
	return nil
}

// racy is the time after which a folder's time of modification is trusted: the coarsest resolution of a file
// system is 2 seconds.
const racy = 3 * time.Second
