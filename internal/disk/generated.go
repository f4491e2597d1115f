package disk

import (
	"bytes"
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

// otherFolder is the hint for a folder that generated files cannot be written to.
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
	known := strings.Split(string(list), "\n")
	g := &Generated{dir: dir}
	for _, e := range entries {
		name := e.Name()
		switch {
		case !e.Type().IsRegular() || name != GeneratedList && !IsTemp(name) && !slices.Contains(known[1:], name):
			return nil, fault.New(fault.Refused, "%q has a file that ckpt did not write: %s", dir, name).
				WithHint(otherFolder)
		case name != GeneratedList && !IsTemp(name):
			g.old = append(g.old, name)
		}
	}
	return g, nil
}

// Replace writes the files, whose names have no folder, and removes earlier generated files that
// are not among them. If the process is killed, the folder still has generated files only.
func (g *Generated) Replace(names []string, data func(name string) []byte) error {
	var gone []string
	for _, name := range g.old {
		if !slices.Contains(names, name) {
			gone = append(gone, name)
		}
	}
	err := g.writeList(slices.Concat(names, gone))
	if err != nil {
		return err
	}
	for _, name := range names {
		err := g.write(name, data(name))
		if err != nil {
			return err
		}
	}
	for _, name := range gone {
		err := Remove(filepath.Join(g.dir, name))
		if err != nil {
			return err
		}
	}
	return g.writeList(names)
}

func (g *Generated) writeList(names []string) error {
	return g.write(GeneratedList, []byte(generatedNote+"\n"+strings.Join(names, "\n")+"\n"))
}

// write writes a file, unless it has these bytes already.
func (g *Generated) write(name string, data []byte) error {
	path := filepath.Join(g.dir, name)
	now, err := ReadFile(path)
	if err == nil && now != nil && bytes.Equal(now, data) {
		return nil
	}
	return WriteFile(path, data, false)
}
