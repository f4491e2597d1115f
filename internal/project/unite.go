package project

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/merge"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// strand is one checkpoint, or another file, through what waits: as it was, and as
// it is to be; the path tells whether it is archived.
type strand struct {
	from, to            string // the paths; "" for none on that side
	before, seen, after []byte
}

// unite merges what waits with the ground: files as the ground has them now, and
// as they are to be. A checkpoint is followed by its id when it moves between
// active/ and archive/, on either side.
func (p *Project) unite(ctx context.Context, s *scene) error {
	var set change.Set
	for _, f := range p.strands(s) {
		if err := p.uniteOne(ctx, s, &set, f); err != nil {
			return err
		}
	}
	s.united = set.Files
	slices.SortFunc(s.united, func(a, b change.File) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// strands pairs the files that wait. A file that lies outside the folder, which
// was elsewhere then, cannot be merged.
func (p *Project) strands(s *scene) []strand {
	var all []strand
	moved := map[string]*strand{} // by id: checkpoints that are on one side of a path only
	var order []string
	for _, f := range s.waiting.Files {
		rel, inside := strings.CutPrefix(f.Path, p.prefix+"/")
		if !inside {
			s.stuck = append(s.stuck, f)
			continue
		}
		id := idOf(rel, cmp.Or(string(f.Base), string(f.Now)))
		if id == "" || f.Base != nil && f.Now != nil {
			all = append(all, strand{rel, rel, f.Base, f.Seen, f.Now})
			continue
		}
		m := moved[id]
		if m == nil {
			m = &strand{}
			moved[id], order = m, append(order, id)
		}
		switch {
		case f.Base != nil && m.from == "":
			m.from, m.before, m.seen = rel, f.Base, f.Seen
		case f.Now != nil && m.to == "":
			m.to, m.after = rel, f.Now
		default: // two files of one id
			all = append(all, strand{rel, rel, f.Base, f.Seen, f.Now})
		}
	}
	for _, id := range order {
		m := moved[id]
		m.from, m.to = cmp.Or(m.from, m.to), cmp.Or(m.to, m.from)
		all = append(all, *m)
	}
	return all
}

// idOf is the id of the checkpoint that a file holds, "" for none.
func idOf(rel, src string) string {
	if !isCheckpointPath(rel) {
		return ""
	}
	c, err := checkpoint.Parse(rel, []byte(src))
	if err != nil {
		return ""
	}
	return c.ID
}

func (p *Project) uniteOne(ctx context.Context, s *scene, set *change.Set, f strand) error {
	at, have, err := p.find(f)
	if err != nil {
		return err
	}
	to := f.to
	if f.from == f.to { // they did not move it: it stays where it is
		to = at
	}
	name := p.fromRoot(to)
	switch {
	case f.after == nil && have == nil:
		return nil
	case f.after == nil && !change.Same(have, f.before):
		s.remarks = append(s.remarks, name+" was removed, and has changed since: it stays")
		return nil
	case f.after == nil:
		set.Add(change.File{Path: at, Before: have})
		return nil
	case have == nil && f.before != nil:
		if now, err := p.Store.Read(f.to); err != nil || now != nil {
			return cmp.Or(err, git.ErrMoved) // a checkout had removed it for a moment
		}
		s.remarks = append(s.remarks, name+" was removed meanwhile: what waited brings it back")
		return p.place(set, f.to, merge.Result{Bytes: f.after})
	}
	base := f.before
	if change.Same(have, f.seen) {
		base = have // as it was found: nothing has moved on
	}
	result, err := p.merge(ctx, to, base, have, f.after)
	if err != nil {
		s.remarks = append(s.remarks, name+" cannot take what waits for it: "+err.Error())
		for _, file := range s.waiting.Files {
			if file.Path == p.fromRoot(f.from) || file.Path == p.fromRoot(f.to) {
				s.stuck = append(s.stuck, file)
			}
		}
		return nil
	}
	for _, remark := range result.Remarks {
		s.remarks = append(s.remarks, name+": "+remark)
	}
	if at != to {
		set.Add(change.File{Path: at, Before: have})
	}
	return p.place(set, to, result)
}

// merge unites two versions of a file: Markdown by what its sections are for, anything
// else line by line.
func (p *Project) merge(ctx context.Context, rel string, base, ours, theirs []byte) (merge.Result, error) {
	if change.Same(base, ours) { // also where theirs is a new, empty file
		return merge.Result{Bytes: theirs}, nil
	}
	if strings.HasSuffix(rel, ".md") || change.Same(ours, theirs) || change.Same(base, theirs) {
		return merge.Files(base, ours, theirs)
	}
	merged, clash, err := p.Repo.MergeText(ctx, base, ours, theirs)
	result := merge.Result{Bytes: merged}
	if clash && !change.Same(merged, ours) {
		result.Remarks = []string{"both sides changed the same lines: what waited stands"}
	}
	return result, err
}

// place wants the merged file at its path.
func (p *Project) place(set *change.Set, rel string, result merge.Result) error {
	have, err := p.Store.Read(rel)
	if err != nil {
		return err
	}
	// Not Add: a file that is as it is to be already is still to be committed.
	set.Files = append(set.Files, change.File{Path: rel, Before: have, After: result.Bytes})
	return nil
}

// find is where the ground has the file, and what it holds: at its path before, at
// the one it is to have, or, if it is a checkpoint, wherever its id is now.
func (p *Project) find(f strand) (string, []byte, error) {
	for _, rel := range []string{f.from, f.to} {
		if src, err := p.Store.Read(rel); err != nil || src != nil {
			return rel, src, err
		}
	}
	if id := idOf(f.from, string(f.before)); id != "" {
		set, err := p.Store.Load(store.All)
		if err != nil {
			return "", nil, err
		}
		if c, ok := set.Get(id); ok {
			return c.Path, c.Doc.Bytes(), nil
		}
	}
	return f.from, nil, nil
}
