package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
)

// GeneratedList is the file in a generated folder that names the files which were generated.
const GeneratedList = "ckpt-export.txt"

// generatedNote is the first line of GeneratedList.
const generatedNote = "# written by ckpt; the next export replaces these files"

const otherFolder = "name a folder that is empty or does not exist"

// Generated is a folder of files that are generated anew each time.
type Generated struct {
	dir string
	old []string // the generated files that are there
}

// OpenGenerated checks that a folder is missing, is empty, or has generated files only.
func OpenGenerated(dir string) (*Generated, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Failed, "%w", describe("read", dir, err)).WithHint(otherFolder)
	}
	list, err := ReadFile(filepath.Join(dir, GeneratedList))
	if err != nil {
		return nil, err
	}
	known := append(strings.Split(string(list), "\n")[1:], GeneratedList)
	g := &Generated{dir: dir}
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || !IsTemp(name) && !slices.Contains(known, name) {
			return nil, fault.New(fault.Refused, "%q has a file that ckpt did not write: %s", dir, name).
				WithHint(otherFolder)
		}
		g.old = append(g.old, name)
	}
	return g, nil
}

// Replace writes a file for each name, which has no folder, and removes earlier generated files that have other
// names. If the process is killed, the folder still has generated files only.
func (g *Generated) Replace(names []string, data func(name string) []byte) error {
	list := func(names []string) error {
		text := generatedNote + "\n" + strings.Join(names, "\n") + "\n"
		return WriteFile(filepath.Join(g.dir, GeneratedList), []byte(text), false)
	}
	if err := list(slices.Concat(names, g.old)); err != nil {
		return err
	}
	for _, name := range names {
		if err := WriteFile(filepath.Join(g.dir, name), data(name), false); err != nil {
			return err
		}
	}
	for _, name := range g.old {
		if slices.Contains(names, name) || name == GeneratedList {
			continue
		}
		if err := Remove(filepath.Join(g.dir, name)); err != nil {
			return err
		}
	}
	return list(names)
}
