package checkpoint

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/fault"
)

// Set is what a checkpoints folder holds, or the part of it that was read.
type Set struct {
	All    []*Checkpoint // by path
	Broken []Broken      // files that mean to be checkpoints and cannot be read
}

// Broken is a file that cannot be read. It is never hidden.
type Broken struct {
	Path string // slash path relative to the checkpoints folder
	Err  error
}

// Why says why it cannot be read, and what settles it where that is one command.
func (b Broken) Why() string {
	if errors.Is(b.Err, ErrConflict) {
		return b.Err.Error() + " (ckpt resolve)"
	}
	return b.Err.Error()
}

// ParentIn is the parent that a line of a file names; for one that cannot be read.
func ParentIn(src []byte) string {
	for line := range strings.Lines(string(src)) {
		if value, ok := strings.CutPrefix(line, "parent:"); ok {
			return strings.Trim(value, " \t\r\n\"'")
		}
	}
	return ""
}

// Currents are the active checkpoints with `status: current`. More than one is a
// mistake that every reader warns of.
func (s *Set) Currents() []*Checkpoint {
	return s.where(func(c *Checkpoint) bool { return c.Status() == Current })
}

// Active are the checkpoints that are not archived.
func (s *Set) Active() []*Checkpoint {
	return s.where(func(c *Checkpoint) bool { return c.Status() != Archived })
}

// Archived are the checkpoints in archive/.
func (s *Set) Archived() []*Checkpoint {
	return s.where(func(c *Checkpoint) bool { return c.Status() == Archived })
}

// Children are the checkpoints whose parent is id, oldest first.
func (s *Set) Children(id string) []*Checkpoint {
	children := s.where(func(c *Checkpoint) bool { return c.Parent() == id && c.ID != id })
	slices.SortStableFunc(children, func(a, b *Checkpoint) int {
		return cmp.Or(a.Created().Compare(b.Created()), cmp.Compare(a.ID, b.ID))
	})
	return children
}

func (s *Set) where(keep func(*Checkpoint) bool) []*Checkpoint {
	var kept []*Checkpoint
	for _, c := range s.All {
		if keep(c) {
			kept = append(kept, c)
		}
	}
	return kept
}

// LatestFirst orders by the last change. Of those that changed at one time the current
// one is the latest.
func LatestFirst(a, b *Checkpoint) int {
	current := func(c *Checkpoint) int {
		if c.Status() == Current {
			return 0
		}
		return 1
	}
	return cmp.Or(b.Changed().Compare(a.Changed()), current(a)-current(b), b.Created().Compare(a.Created()), cmp.Compare(b.ID, a.ID))
}

// Get is the checkpoint with a whole id. Ids differ in case only by mistake, but
// they do differ.
func (s *Set) Get(id string) (*Checkpoint, bool) {
	for _, c := range s.All {
		if c.ID == id {
			return c, true
		}
	}
	return nil, false
}

// Resolve finds the checkpoint that a person means: a whole id; else the id
// without its chk-; else a unique prefix of either; else the path of its file.
func (s *Set) Resolve(name string) (*Checkpoint, error) {
	path := strings.ReplaceAll(name, `\`, "/")
	rounds := []func(c *Checkpoint) bool{
		func(c *Checkpoint) bool { return c.ID == name },
		func(c *Checkpoint) bool { return c.ID == "chk-"+name },
		func(c *Checkpoint) bool {
			return name != "" && (strings.HasPrefix(c.ID, name) || strings.HasPrefix(c.ID, "chk-"+name))
		},
		func(c *Checkpoint) bool { return samePath(c.Path, path) },
	}
	for _, fits := range rounds {
		switch found := s.where(fits); len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return nil, ambiguous(name, found)
		}
	}
	for _, b := range s.Broken {
		if samePath(b.Path, path) || samePath(b.Path, path+".md") || samePath(b.Path, "chk-"+path+".md") {
			err := fault.New(fault.Invalid, "%s cannot be read: %w", b.Path, b.Err).WithHint("ckpt validate %s", b.Path)
			if errors.Is(b.Err, ErrConflict) {
				err.Hint = "ckpt resolve"
			}
			return nil, err
		}
	}
	return nil, fault.New(fault.NotFound, "no checkpoint is called %q", name).WithHint("ckpt list --all")
}

func ambiguous(name string, found []*Checkpoint) error {
	var all, paths []string
	same := true
	for _, c := range found {
		all, paths = append(all, c.ID+" ("+c.Path+")"), append(paths, c.Path)
		same = same && c.ID == found[0].ID
	}
	if same {
		slices.Sort(paths)
		return fault.New(fault.Usage, "%d files have the id %q: %s", len(found), found[0].ID, strings.Join(paths, ", ")).
			WithHint("give the path of the one you mean; ckpt validate shows duplicates")
	}
	slices.Sort(all)
	return fault.New(fault.Usage, "%q fits %d checkpoints: %s", name, len(found), strings.Join(all, ", ")).
		WithHint("type more of the id")
}

// samePath says whether name is path, or ends in it: people give paths from
// where they stand.
func samePath(path, name string) bool {
	return name == path || strings.HasSuffix(name, "/"+path) || strings.HasSuffix(path, "/"+name)
}
