package checkpoint

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// Set is the content of a checkpoints folder, or a part of it.
type Set struct {
	All    []*Checkpoint // sorted by path
	Broken []Broken      // files that look like checkpoints and cannot be read

	choose Choose
}

// Broken is a file that cannot be read. Listings always show it.
type Broken struct {
	Path string // slash path relative to the checkpoints folder
	Err  error
}

// Why returns the reason. If a single command solves the problem, it adds that command.
func (b Broken) Why() string {
	if errors.Is(b.Err, ErrConflict) {
		return b.Err.Error() + " (ckpt resolve)"
	}
	return b.Err.Error()
}

// ParentIn returns the parent in the frontmatter of an unreadable file, or "".
func ParentIn(src []byte) string {
	for line := range strings.Lines(string(src)) {
		if value, ok := strings.CutPrefix(line, "parent:"); ok {
			return strings.Trim(value, " \t\r\n\"'")
		}
	}
	return ""
}

// Choose selects the current checkpoint if several files are marked as current, as after a merge of
// two branches.
type Choose func(marked []*Checkpoint) *Checkpoint

// Settle makes one of the checkpoints that are marked as current the current one of the set, and
// the others active. It does not change the files. If several are marked it calls choose; without
// choose it takes the one that was changed last.
func (s *Set) Settle(choose Choose) {
	s.choose = choose
	var current *Checkpoint
	marked := s.MarkedCurrent()
	switch {
	case len(marked) == 0:
		return
	case len(marked) == 1:
		current = marked[0]
	case choose == nil:
		current = slices.MinFunc(marked, LatestFirst)
	default:
		current = choose(marked)
	}
	for i, c := range s.All {
		if yields := c != current && c.MarkedCurrent(); yields != c.yields {
			s.All[i] = &Checkpoint{Doc: c.Doc, Path: c.Path, ID: c.ID, yields: yields}
		}
	}
}

// With returns a set of the given checkpoints and the broken files of s. It chooses the current checkpoint as s does.
func (s *Set) With(all []*Checkpoint) *Set {
	after := &Set{All: all, Broken: s.Broken}
	after.Settle(s.choose)
	return after
}

// IDIn returns the id of the checkpoint in src, or "" if src is not a readable checkpoint.
func IDIn(src []byte) string {
	if c, err := Parse("", src); err == nil {
		return c.ID
	}
	return ""
}

// After returns the set after changes of files.
func (s *Set) After(files []change.File) *Set {
	touched := func(rel string) bool {
		return slices.ContainsFunc(files, func(f change.File) bool { return f.Path == rel })
	}
	all := slices.DeleteFunc(slices.Clone(s.All), func(c *Checkpoint) bool { return touched(c.Path) })
	broken := slices.DeleteFunc(slices.Clone(s.Broken), func(b Broken) bool { return touched(b.Path) })
	for _, f := range files {
		if f.Gone() || !IsFile(f.Path) {
			continue
		}
		if c, err := Parse(f.Path, f.After); err == nil {
			all = append(all, c)
		} else if !errors.Is(err, ErrOther) {
			broken = append(broken, Broken{Path: f.Path, Err: err})
		}
	}
	slices.SortStableFunc(all, func(a, b *Checkpoint) int { return strings.Compare(a.Path, b.Path) })
	return (&Set{Broken: broken, choose: s.choose}).With(all)
}

// Current returns the current checkpoint, or nil.
func (s *Set) Current() *Checkpoint {
	for _, c := range s.All {
		if c.Status() == Current {
			return c
		}
	}
	return nil
}

// MarkedCurrent returns the checkpoints of active/ with `status: current`. There may be several
// after a merge.
func (s *Set) MarkedCurrent() []*Checkpoint { return s.where((*Checkpoint).MarkedCurrent) }

// Active returns the checkpoints that are not archived.
func (s *Set) Active() []*Checkpoint {
	return s.where(func(c *Checkpoint) bool { return c.Status() != Archived })
}

// Successor returns the checkpoint to continue with after gone was archived or deleted: its parent if
// that is active, or else the only active checkpoint. It returns nil if there is neither.
func (s *Set) Successor(gone *Checkpoint) *Checkpoint {
	active := s.Active()
	for _, c := range active {
		if c.ID == gone.Parent() || len(active) == 1 {
			return c
		}
	}
	return nil
}

// Archived returns the checkpoints in archive/.
func (s *Set) Archived() []*Checkpoint {
	return s.where(func(c *Checkpoint) bool { return c.Status() == Archived })
}

// Children returns the checkpoints whose parent is id, oldest first.
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

// LatestFirst compares by the last change, latest first. If the times are equal, the current
// checkpoint comes first.
func LatestFirst(a, b *Checkpoint) int {
	current := func(c *Checkpoint) int {
		if c.Status() == Current {
			return 0
		}
		return 1
	}
	return cmp.Or(b.Changed().Compare(a.Changed()), current(a)-current(b), b.Created().Compare(a.Created()),
		cmp.Compare(b.ID, a.ID))
}

// Get returns the checkpoint with the given full id. The case must match.
func (s *Set) Get(id string) (*Checkpoint, bool) {
	for _, c := range s.All {
		if c.ID == id {
			return c, true
		}
	}
	return nil, false
}

// Resolve returns the checkpoint that a person names: by its whole id, by the id without chk-, by a
// unique prefix of either, or by the path of its file. It tries them in this order.
func (s *Set) Resolve(name string) (*Checkpoint, error) {
	if c, err := s.Whole(name); fault.KindOf(err) != fault.NotFound {
		return c, err
	}
	path := slashed(name)
	for _, fits := range []func(id, path string) bool{
		func(id, _ string) bool {
			return name != "" && (strings.HasPrefix(id, name) || strings.HasPrefix(id, "chk-"+name))
		},
		func(_, file string) bool { return samePath(file, path) },
	} {
		if c, err := s.single(name, fits); fault.KindOf(err) != fault.NotFound {
			return c, err
		}
	}
	if b, ok := s.Unreadable(name); ok {
		return nil, b.unreadable()
	}
	return nil, s.unknown(name)
}

// Unreadable returns the unreadable file that a name means. Such a file has no id, so its file name counts.
func (s *Set) Unreadable(name string) (Broken, bool) {
	stem := strings.TrimSuffix(slashed(name), ".md")
	for _, b := range s.Broken {
		if samePath(b.Path, stem+".md") || samePath(b.Path, "chk-"+stem+".md") {
			return b, true
		}
	}
	return Broken{}, false
}

// Whole returns the checkpoint with the given full id, with or without chk-. If the file with that
// name cannot be read, it returns an error.
func (s *Set) Whole(name string) (*Checkpoint, error) {
	for _, id := range []string{name, "chk-" + name} {
		found := s.where(func(c *Checkpoint) bool { return c.ID == id })
		if len(found) > 1 {
			return nil, ambiguous(name, found)
		}
		if len(found) == 1 {
			return found[0], nil
		}
		for _, b := range s.Broken {
			if b.id() == id {
				return nil, b.unreadable()
			}
		}
	}
	return nil, s.unknown(name)
}

// single returns the checkpoint whose id and path fit. It returns an error if several do. An unreadable
// file counts, too: its id is the file name.
func (s *Set) single(name string, fits func(id, path string) bool) (*Checkpoint, error) {
	found := s.where(func(c *Checkpoint) bool { return fits(c.ID, c.Path) })
	var unread error
	for _, b := range s.Broken {
		if fits(b.id(), b.Path) {
			found, unread = append(found, &Checkpoint{ID: b.id(), Path: b.Path}), b.unreadable()
		}
	}
	switch {
	case len(found) == 0:
		return nil, s.unknown(name)
	case len(found) > 1:
		return nil, ambiguous(name, found)
	case unread != nil:
		return nil, unread
	}
	return found[0], nil
}

// ErrNone is wrapped in the error of a search that found no checkpoint.
var ErrNone = errors.New("no checkpoint")

// unknown returns the error for a name that no checkpoint has, with the ids that are spelled almost
// like it.
func (s *Set) unknown(name string) error {
	if id, rev, ok := strings.Cut(name, "@{"); ok && strings.HasSuffix(rev, "}") {
		if strings.Trim(rev, "0123456789") == "}" {
			return fault.New(fault.Usage, "%q is one version of a checkpoint", name).WithHint("ckpt show %s", name)
		}
		return fault.New(fault.Usage, "%q is not a version of a checkpoint (want %s@{1})", name, id).
			WithHint("ckpt log %s", cmp.Or(id, "@"))
	}
	err := fault.New(fault.NotFound, "%w is called %q", ErrNone, name).WithHint("ckpt list --all")
	var ids []string
	for _, c := range s.All {
		ids = append(ids, strings.TrimPrefix(c.ID, "chk-"))
	}
	if near := text.Similar(strings.TrimPrefix(name, "chk-"), ids); len(near) > 0 {
		err.Hint = "did you mean " + strings.Join(near[:min(3, len(near))], ", ") + "? (" + err.Hint + ")"
	}
	return err
}

// id returns the file name without .md, which nearly always is the id.
func (b Broken) id() string {
	return strings.TrimSuffix(b.Path[strings.LastIndex(b.Path, "/")+1:], ".md")
}

func (b Broken) unreadable() error {
	err := fault.New(fault.Invalid, "%s cannot be read: %w", b.Path, b.Err).WithHint("ckpt validate %s", b.Path)
	if errors.Is(b.Err, ErrConflict) {
		err.Hint = "ckpt resolve"
	}
	return err
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
		renamed := func(rel string) bool { return path.Base(rel) != found[0].ID+".md" }
		other := paths[max(slices.IndexFunc(paths, renamed), 0)]
		return fault.New(fault.Usage, "%d files have the id %q: %s", len(found), found[0].ID, strings.Join(paths, ", ")).
			WithHint("remove %s if it is a copy, then ckpt save (ckpt show %[1]s shows it)", other)
	}
	slices.Sort(all)
	return fault.New(fault.Usage, "%q matches %d checkpoints: %s", name, len(found), strings.Join(all, ", ")).
		WithHint("type more of the id")
}

// slashed cleans a path that a person typed, and makes it a slash path.
func slashed(name string) string { return path.Clean(strings.ReplaceAll(name, `\`, "/")) }

// samePath reports whether the paths are equal or one ends with the other: people give paths
// relative to their folder.
func samePath(path, name string) bool {
	return name == path || strings.HasSuffix(name, "/"+path) || strings.HasSuffix(path, "/"+name)
}
