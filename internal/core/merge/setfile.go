package merge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/ledger"
)

// add puts a file into the group. Two files of one checkpoint in one version, as a merge
// by path leaves them, become one; add reports false where they cannot.
func (g *group) add(i int, v *version) bool {
	was := g.versions[i]
	if was == nil {
		g.versions[i] = v
		return true
	}
	var base []byte
	if b := g.versions[0]; i > 0 && b != nil {
		base = b.src
	}
	r, err := Files(base, was.src, v.src)
	if err != nil {
		return false
	}
	one := &version{path: place("", was.path, v.path), src: r.Bytes}
	one.c, err = checkpoint.Parse(one.path, one.src)
	if err == nil {
		g.versions[i] = one
	}
	return err == nil
}

// place returns where a checkpoint is to be: where a side moved it. Of two places it is
// the archive, unless the checkpoint was archived in base.
func place(base, ours, theirs string) string {
	switch {
	case ours == theirs, theirs == base:
		return ours
	case ours == base:
		return theirs
	}
	o, t := checkpoint.InArchive(ours), checkpoint.InArchive(theirs)
	switch {
	case o == t:
		return min(ours, theirs)
	case o == checkpoint.InArchive(base):
		return theirs
	}
	return ours
}

// mergeOne merges one file, or one checkpoint.
func (s *sets) mergeOne(g *group) error {
	base, ours, theirs := g.versions[0], g.versions[1], g.versions[2]
	if ours == nil || theirs == nil {
		s.mergeDeleted(g.id, base, cmp.Or(ours, theirs))
		return nil
	}
	var was version
	if base != nil {
		was = *base
	}
	at := place(was.path, ours.path, theirs.path)
	src, err := s.content(g, at, was.src)
	if err != nil {
		return err
	}
	if checkpoint.InArchive(at) && g.id != "" {
		for _, side := range []*version{ours, theirs} {
			if checkpoint.InArchive(side.path) {
				continue
			}
			if !bytes.Equal(side.src, was.src) {
				s.find(Archived, g.id, at, "archived on one side and changed on the other: it is archived")
			}
			src = s.archive(at, src)
			break
		}
	}
	s.put(g.id, at, src)
	return nil
}

// mergeDeleted keeps what one side deleted if the other side changed or moved it.
func (s *sets) mergeDeleted(id string, base, have *version) {
	switch {
	case have == nil, base != nil && have.path == base.path && bytes.Equal(have.src, base.src):
		return
	case base != nil && id != "":
		s.find(Kept, id, have.path, "deleted on one side and changed on the other: it stays (ckpt delete %s)", id)
	case base != nil:
		s.find(Kept, "", have.path, "deleted on one side and changed on the other: it stays")
	}
	s.put(id, have.path, have.src)
}

// content merges the contents of a file that both sides have.
func (s *sets) content(g *group, at string, base []byte) ([]byte, error) {
	ours, theirs := g.versions[1].src, g.versions[2].src
	r, err := s.bySection(g, at, base)
	if err == nil {
		for _, f := range r.Findings {
			s.find(f.Kind, g.id, at, "%s", f.Text)
		}
		for _, c := range r.Choices {
			c.ID, c.Path = g.id, at
			s.merged.Choices = append(s.merged.Choices, c)
		}
		return r.Bytes, nil
	}
	switch {
	case bytes.Equal(ours, theirs), g.versions[0] != nil && bytes.Equal(theirs, base):
		return ours, nil
	case g.versions[0] != nil && bytes.Equal(ours, base):
		return theirs, nil
	}
	if !errors.Is(err, errText) {
		s.find(Unreadable, g.id, at, "merged line by line: %v", err)
	}
	merged, clash, err := s.text(base, ours, theirs)
	if clash {
		s.merged.Conflicts = append(s.merged.Conflicts, Unmerged{Path: at, ID: g.id, Base: base, Ours: ours, Theirs: theirs})
	}
	return merged, err
}

// errText is the reason why a file that is not Markdown is merged line by line.
var errText = errors.New("not Markdown")

// bySection merges two versions of a Markdown file that can be read.
func (s *sets) bySection(g *group, at string, base []byte) (r Result, err error) {
	if !strings.HasSuffix(at, ".md") {
		return Result{}, errText
	}
	for _, side := range g.versions[1:] {
		if err := readable(at, side.src); err != nil {
			return Result{}, err
		}
	}
	if readable(at, base) != nil {
		base = nil
	}
	if r, err = Choose(s.pick, base, g.versions[1].src, g.versions[2].src); err != nil {
		return Result{}, err
	}
	return r, readable(at, r.Bytes)
}

// readable returns the error of a file that should be a checkpoint and cannot be read.
func readable(at string, src []byte) error {
	if !isCheckpoint(at) || src == nil {
		return nil
	}
	if _, err := checkpoint.Parse(at, src); err != nil && !errors.Is(err, checkpoint.ErrOther) {
		return err
	}
	return nil
}

// archive drops the status of a checkpoint that the merge archives, and notes its
// learnings for LEARNINGS.md.
func (s *sets) archive(at string, src []byte) []byte {
	c, err := checkpoint.Parse(at, src)
	if err != nil {
		return src
	}
	if c.Field("status") != "" {
		if dropped, err := c.Revise().Drop("status").Apply(); err == nil {
			c = dropped
		}
	}
	s.archived = append(s.archived, c)
	return c.Doc.Bytes()
}

// harvest adds the learnings of what the merge archived to LEARNINGS.md, under the day of
// the Completion.
func (s *sets) harvest() {
	if !s.has(learnings) {
		return // in no set
	}
	src := s.merged.Files[learnings]
	for _, c := range s.archived {
		src = ledger.Harvest(src, c.ID, c.Completed(), c.Learnings())
	}
	s.merged.Files[learnings] = src
}

// put adds a file to the result, which write places.
func (s *sets) put(id, at string, src []byte) {
	s.files = append(s.files, result{id, at, src})
}

// write places the files of the result. Of two checkpoints with one path the one that the
// file is named after keeps it.
func (s *sets) write() {
	slices.SortStableFunc(s.files, func(a, b result) int { return a.rank() - b.rank() })
	for _, f := range s.files {
		at, dir, stem := f.path, path.Dir(f.path), strings.TrimSuffix(path.Base(f.path), ".md")
		for i := 2; s.has(at); i++ {
			at = fmt.Sprintf("%s/%s-%d.md", dir, stem, i)
		}
		s.merged.Files[at] = f.src
	}
}

func (s *sets) has(at string) bool {
	_, ok := s.merged.Files[at]
	return ok
}

// result is a file of the result.
type result struct {
	id, path string
	src      []byte
}

func (r result) rank() int {
	if r.id == "" || path.Base(r.path) == r.id+".md" {
		return 0
	}
	return 1
}

func (s *sets) find(kind FindingKind, id, at, format string, args ...any) {
	f := Finding{Kind: kind, ID: id, Path: at, Text: fmt.Sprintf(format, args...)}
	if !slices.Contains(s.merged.Findings, f) {
		s.merged.Findings = append(s.merged.Findings, f)
	}
}
