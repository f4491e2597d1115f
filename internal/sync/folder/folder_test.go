package folder

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
)

// memory is a repository in memory: its blobs, its index and the folder on disk.
type memory struct {
	blobs map[string][]byte
	index Folder
	head  Folder
	disk  map[string][]byte
}

const prefix = "checkpoints"

func newMemory() *memory {
	return &memory{blobs: map[string][]byte{}, index: Folder{}, disk: map[string][]byte{}}
}

func (m *memory) put(src []byte) string {
	sum := sha1.Sum(src)
	blob := hex.EncodeToString(sum[:])
	m.blobs[blob] = src
	return blob
}

func (m *memory) folder(files map[string]string) Folder {
	f := Folder{}
	for path, text := range files {
		f[path] = git.FileEntry(m.put([]byte(text)))
	}
	return f
}

func (m *memory) Contents(_ context.Context, blobs []string) (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, blob := range blobs {
		all[blob] = m.blobs[blob]
	}
	return all, nil
}

// mergeText takes theirs and reports a conflict, unless one side did not change the text.
func (m *memory) mergeText(_ context.Context, base, ours, theirs []byte) ([]byte, bool, error) {
	switch {
	case bytes.Equal(ours, theirs), bytes.Equal(theirs, base):
		return ours, false, nil
	case bytes.Equal(ours, base):
		return theirs, false, nil
	}
	return theirs, true, nil
}

func (m *memory) At(_ context.Context, paths []string) (map[string]git.Entry, map[string]bool, error) {
	entries := map[string]git.Entry{}
	for _, path := range paths {
		if e, ok := m.index[strings.TrimPrefix(path, prefix+"/")]; ok {
			entries[path] = e
		}
	}
	return entries, nil, nil
}

func (m *memory) staged(context.Context) ([]string, error) {
	var all []string
	for _, path := range paths(m.head, m.index) {
		if m.head[path] != m.index[path] {
			all = append(all, prefix+"/"+path)
		}
	}
	return all, nil
}

func (m *memory) Lacks(_ context.Context, files []change.File) ([]change.File, error) {
	return slices.DeleteFunc(slices.Clone(files), func(f change.File) bool {
		return bytes.Equal(f.After, m.blobs[m.head[strings.TrimPrefix(f.Path, prefix+"/")].Hash])
	}), nil
}

func (m *memory) CheckedOut(_ context.Context, _, _ string, content []byte) ([]byte, error) {
	return content, nil
}

func (m *memory) Store(_ context.Context, content []byte) (string, error) {
	return m.put(content), nil
}

func (m *memory) mover() Mover {
	return Mover{
		Merger: Merger{Objects: m, Text: m.mergeText, Prefix: prefix},
		Index:  m,
		Staged: m.staged,
		OnDisk: func(rel string) ([]byte, error) { return m.disk[rel], nil },
		Edits: func(context.Context) ([]change.File, error) {
			var all []change.File
			for path, src := range m.disk {
				if before := m.blobs[m.head[path].Hash]; !bytes.Equal(before, src) {
					all = append(all, change.File{Path: path, Before: before, After: src})
				}
			}
			return all, nil
		},
	}
}

// chk returns a checkpoint with a status and context entries.
func chk(id, status string, context ...string) string {
	src := "---\ncheckpoint: " + id + "\ncreated: 2026-01-01T10:00:00Z\n"
	if status != "" {
		src += "status: " + status + "\n"
	}
	src += "---\n\n## Problem\n\nP\n"
	if len(context) > 0 {
		src += "\n### Essential Context\n\n- " + strings.Join(context, "\n- ") + "\n"
	}
	return src
}

type files map[string]string

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name                       string
		base, ours, theirs, merged files
		refused                    string
		notes                      int
	}{
		{
			name: "only we changed it",
			base: files{"active/a.md": chk("a", "")},
			ours: files{"active/a.md": chk("a", "", "x")}, theirs: files{"active/a.md": chk("a", "")},
			merged: files{"active/a.md": chk("a", "", "x")},
		},
		{
			name: "both add context",
			base: files{"active/a.md": chk("a", "", "x")},
			ours: files{"active/a.md": chk("a", "", "x", "y")}, theirs: files{"active/a.md": chk("a", "", "x", "z")},
			merged: files{"active/a.md": chk("a", "", "x", "y", "z")},
		},
		{
			name: "archived on one side, noted on the other",
			base: files{"active/a.md": chk("a", "active"), "active/b.md": chk("b", "")},
			ours: files{"archive/a.md": chk("a", ""), "active/b.md": chk("b", "")}, theirs: files{"active/a.md": chk("a", "active", "z"), "active/b.md": chk("b", "")},
			merged: files{"archive/a.md": chk("a", "", "z"), "active/b.md": chk("b", "")},
			notes:  1,
		},
		{
			name:   "each side made another one current",
			base:   files{"active/a.md": chk("a", "current"), "active/b.md": chk("b", "current")},
			ours:   files{"active/a.md": chk("a", "current"), "active/b.md": chk("b", "active")},
			theirs: files{"active/a.md": chk("a", "active"), "active/b.md": chk("b", "current")},
			merged: files{"active/a.md": chk("a", "current"), "active/b.md": chk("b", "current")},
		},
		{
			name: "both changed the same line of the configuration",
			base: files{"config.yaml": "commit: own\n"},
			ours: files{"config.yaml": "commit: off\n"}, theirs: files{"config.yaml": "commit: ref\n"},
			refused: "both sides changed the same lines of checkpoints/config.yaml",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory()
			base, ours, theirs := m.folder(c.base), m.folder(c.ours), m.folder(c.theirs)
			for _, sides := range [][2]Folder{{ours, theirs}, {theirs, ours}} {
				got, err := m.mover().Merge(t.Context(), base, sides[0], sides[1])
				if c.refused != "" {
					if fault.KindOf(err) != fault.Refused || !strings.HasPrefix(err.Error(), c.refused) {
						t.Errorf("error %v", err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if have := m.contents(got); !maps.Equal(have, c.merged) || len(got.Notes) != c.notes {
					t.Errorf("%q, notes %q", have, got.Notes)
				}
				if merged := m.folder(c.merged); maps.Equal(merged, ours) != got.Equals(ours) || maps.Equal(merged, theirs) != got.Equals(theirs) {
					t.Errorf("Equals ours %v, theirs %v", got.Equals(ours), got.Equals(theirs))
				}
			}
		})
	}
}

func (m *memory) contents(f *Merged) files {
	all := files{}
	for path, e := range f.Files {
		all[path] = string(m.blobs[e.Hash])
		if src, fresh := f.Fresh[path]; fresh {
			all[path] = string(src)
		}
	}
	return all
}

// TestPlan moves a branch from the folder was to will, with other files on disk and in the
// index.
func TestPlan(t *testing.T) {
	was := files{"active/a.md": chk("a", "", "x"), "config.yaml": "commit: own\n"}
	will := files{"active/a.md": chk("a", "", "x", "z"), "config.yaml": "commit: own\n"}
	edited := files{"active/a.md": chk("a", "", "x", "y"), "config.yaml": "commit: own\n"}
	both := chk("a", "", "x", "y", "z")
	broken := files{"active/a.md": "---\nx: [\n---\n", "config.yaml": "commit: own\n"}
	for _, c := range []struct {
		name        string
		disk, index files
		file, entry string // of active/a.md afterwards
		agree       bool
		refused     string
	}{
		{name: "nothing edited", disk: was, index: was, file: will["active/a.md"], entry: will["active/a.md"], agree: true},
		{name: "edited", disk: edited, index: was, file: both, entry: will["active/a.md"]},
		{name: "edited and staged", disk: edited, index: edited, file: both, entry: both, agree: true},
		{name: "the edit is what comes", disk: will, index: was, file: "", entry: will["active/a.md"]},
		{name: "edited and unreadable", disk: broken, index: was, refused: "checkpoints/active/a.md is edited and cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory()
			m.head, m.index = m.folder(was), m.folder(c.index)
			for path, text := range c.disk {
				m.disk[path] = []byte(text)
			}
			got, err := m.mover().Plan(t.Context(), "commit", m.head, m.folder(will))
			if c.refused != "" {
				if err == nil || !strings.HasPrefix(err.Error(), c.refused) {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			file := ""
			for _, f := range got.Files {
				if f.Path != "active/a.md" {
					t.Errorf("changes %s", f.Path)
				}
				file = string(f.After)
			}
			entry := string(m.blobs[got.Index[prefix+"/active/a.md"].Hash])
			if file != c.file || entry != c.entry || (len(got.Agree) > 0) != c.agree {
				t.Errorf("the file\n%s\nthe entry\n%s\nagree %v", file, entry, got.Agree)
			}
		})
	}
}
