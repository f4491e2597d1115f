package resolve

import (
	"slices"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/checkout"
)

// settler computes the files that a resolve writes. It reads the disk and git's blobs, and
// writes nothing.
type settler struct {
	names    []string                         // the names that the user gave; none means all
	set      *checkpoint.Set                  // the files on disk
	stored   *checkpoint.Set                  // the checkpoints of the ref, if it has both sides; otherwise nil
	index    log.Versions                     // the versions of the files in conflict, from the index
	auto     map[string]string                // by path, the hash of the blob that git wrote to the disk; nil if unknown
	merging  bool                             // a merge or the like is in progress
	stale    bool                             // the mode is ref, and the files are those that a branch still has
	onDisk   func(rel string) ([]byte, error) // reads a file on disk; nil means that it does not exist
	blob     func(name string) ([]byte, error)
	text     merge.TextMerge
	fromRoot func(rel string) string

	merged  merge.Set // the result of the merge
	files   []change.File
	remarks []string
	report  *result.Resolution
}

// settleAll merges the versions and settles the selected items.
func (s *settler) settleAll(v log.Versions) error {
	items, err := s.items(v)
	if err != nil {
		return err
	}
	items, err = s.selected(items)
	if err != nil {
		return err
	}
	for _, it := range items {
		if err := s.settle(it); err != nil {
			return err
		}
	}
	return nil
}

// takeStored replaces the merged checkpoints by those of the ref if the ref has both sides. On the ref, each operation
// was made on top of the one before, whatever its branch.
func (s *settler) takeStored(merged merge.Result) {
	for i := range merged.Items {
		it := &merged.Items[i]
		if s.stored == nil || it.ID == "" || it.Conflict {
			continue
		}
		current := checkout.MarkedID(it.Merged.Path, it.Merged.Bytes)
		delete(merged.Files, it.Merged.Path)
		it.Merged, it.Notes = merge.File{}, nil
		if c, has := s.stored.Get(it.ID); has {
			it.Merged = merge.File{Path: c.Path, Bytes: checkout.Shown(c.Path, checkout.Shared(c.Path, c.Doc.Bytes()), current)}
			merged.Files[c.Path] = it.Merged.Bytes
		}
	}
}

// selected returns the items that the names of the request select.
func (s *settler) selected(all []*item) ([]*item, error) {
	if len(s.names) == 0 {
		return all, nil
	}
	selected := map[*item]bool{}
	for _, name := range s.names {
		i := slices.IndexFunc(all, func(it *item) bool { return it.isCalled(name) })
		if i >= 0 {
			selected[all[i]] = true
		} else if c, err := s.set.Resolve(name); err != nil {
			return nil, err
		} else {
			s.remarks = append(s.remarks, c.ID+" has no conflict")
		}
	}
	return slices.DeleteFunc(all, func(it *item) bool { return !selected[it] }), nil
}

// write sets the content of a file; nil removes it. During a merge it stages the file even if the
// content is the same.
func (s *settler) write(rel string, after []byte) error {
	if i := slices.IndexFunc(s.files, func(f change.File) bool { return f.Path == rel }); i >= 0 {
		s.files[i].After = after
		return nil
	}
	before, err := s.onDisk(rel)
	s.files = append(s.files, change.File{Path: rel, Before: before, After: after})
	return err
}

// written returns the content of a file after the operation.
func (s *settler) written(rel string) ([]byte, error) {
	for _, f := range s.files {
		if f.Path == rel {
			return f.After, nil
		}
	}
	return s.onDisk(rel)
}

// reportFile adds to the report what happened to a file.
func (s *settler) reportFile(rel, id, how string, left ...result.Spot) {
	s.report.Files = append(s.report.Files, result.Resolved{Path: s.fromRoot(rel), ID: id, How: how, Left: left})
}

// inConflict reports whether a file has conflict markers. In a checkpoint that can be read they do not count.
func inConflict(rel string, src []byte) bool {
	_, _, _, marked := merge.Sides(src)
	return marked && (!checkpoint.IsFile(rel) || merge.Readable(rel, src) != nil)
}
