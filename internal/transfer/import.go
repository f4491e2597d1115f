package transfer

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/transfer/importing"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// ImportRequest names files to import as checkpoints.
type ImportRequest struct {
	Paths    []string // files and folders; "-" is Stdin
	Stdin    io.Reader
	ID       string       // the id if there is one checkpoint; empty means an id from the source or its name
	Current  bool         // make the checkpoint current; an error if there are several
	Force    bool         // also import sources that were imported before
	Progress progressFunc // may be nil
}

// progressFunc is called during long work with the kind of work and its progress. A total of 0
// means that the total is unknown.
type progressFunc func(doing string, done, total int)

// Import makes checkpoints from files of other tools and people, in one operation. It does not change the files.
func (p *Transfer) Import(ctx context.Context, req ImportRequest) (*result.Import, error) {
	if req.Progress == nil {
		req.Progress = func(string, int, int) {}
	}
	r := sourceReader{dir: p.settings.Dir, root: p.repo.Root(), checkpoints: path.Clean(p.fromRoot("")),
		now: p.settings.Now, progress: req.Progress, firstCommit: log.Of(p.repo).FirstCommit}
	sources, err := r.sources(ctx, req)
	if err != nil {
		return nil, err
	}
	n := 0
	for _, s := range sources {
		if s.draft.Form != importing.Learnings {
			n++
		}
	}
	if n != 1 && (req.ID != "" || req.Current) {
		flag := "--current"
		if req.ID != "" {
			flag = "--id"
		}
		return nil, fault.New(fault.Usage, "%s is for one checkpoint, and these make %d", flag, n).
			WithHint("ckpt import one file at a time")
	}
	if err := p.noSecretsIn(ctx, sources); err != nil {
		return nil, err
	}
	var done []result.Imported
	receipt, err := p.project.Change(ctx, store.All, func(view *workspace.View, _ time.Time) (o *workspace.Tx, err error) {
		o = &workspace.Tx{Op: workspace.OpImport}
		done, err = p.importAll(o, view, sources, req)
		return o, err
	})
	if err != nil {
		return nil, err
	}
	return &result.Import{Receipt: receipt, Sources: done}, nil
}

// importAll adds the checkpoints of all sources to an operation, and returns the result for each source.
func (p *Transfer) importAll(o *workspace.Tx, view *workspace.View, sources []source,
	req ImportRequest) ([]result.Imported, error) {
	known, err := newInventory(view)
	if err != nil {
		return nil, err
	}
	done := make([]result.Imported, len(sources))
	for i, s := range sources { // choose all ids first: a child may come before its parent
		done[i], err = known.name(s, req)
		if err != nil {
			return nil, err
		}
	}
	for i, s := range sources {
		req.Progress("Importing", i, len(sources))
		r, draft := &done[i], s.draft
		if r.Same {
			continue
		}
		if draft.Form == importing.Learnings {
			r.Path, err = addLearnings(o, view, draft.Ledger)
		} else {
			err = p.importOne(o, view, known, s, req, r)
		}
		if err != nil {
			return nil, err
		}
		if draft.ID != "" && r.ID != draft.ID {
			r.Remarks = append(r.Remarks, "its own id, "+draft.ID+", is "+r.ID+" here")
		}
		if slices.ContainsFunc(s.Files, func(f importing.File) bool { return doc.Closed(string(f.Text)) != string(f.Text) }) {
			r.Remarks = append(r.Remarks, "a code fence or a comment was open at the end of the text: it is closed")
		}
	}
	describe(o, done)
	o.Remarks = append(o.Remarks, known.remarks(view.Set.Current() != nil || req.Current)...)
	if req.Current && o.ID != "" {
		o.ClearCurrents(view.Set, o.ID)
	}
	return done, nil
}

// importOne adds the checkpoint of a source to an operation, and describes the import in r.
func (p *Transfer) importOne(o *workspace.Tx, view *workspace.View, known *inventory, s source, req ImportRequest,
	r *result.Imported) error {
	draft, status := s.draft, checkpoint.Active
	if req.Current {
		if draft.Finished {
			return fault.New(fault.Usage, "%s has a Completion: it cannot be current", s.Name).
				WithHint("ckpt import %s, then ckpt reopen", text.ShellQuoted(s.Name))
		}
		status = checkpoint.Current
	}
	c, err := draft.Checkpoint(r.ID, status)
	if err != nil {
		return err
	}
	if was := c.Parent(); known.here[was] != "" && known.here[was] != was {
		c, err = revise.Begin(c).Set("parent", known.here[was]).Set(importing.Key+"_parent", was).Apply()
		if err != nil {
			return err
		}
		r.Remarks = append(r.Remarks, "its parent, "+was+", is "+c.Parent()+" here")
	}
	o.Path = c.Path // describe clears it if there are several checkpoints
	o.Put(c.Path, nil, c.Doc.Bytes())
	learned := c.Learnings()
	switch {
	case c.Status() != checkpoint.Archived:
		known.made = append(known.made, r.ID)
	case len(learned) > 0:
		at, err := addLearnings(o, view, func(have []byte) ([]byte, error) {
			return learnings.Add(have, r.ID, c.Completed(), learned), nil
		})
		if err != nil {
			return err
		}
		r.Remarks = append(r.Remarks, text.Count(len(learned), "learning")+" in "+at)
	}
	if c.Text(checkpoint.Problem) == "" {
		known.bare = append(known.bare, r.ID)
	}
	r.Path = p.fromRoot(c.Path)
	r.Next = c.FirstAction()
	return nil
}

// maxTrailers is the maximum number of checkpoints that the commit of an import names.
const maxTrailers = 100

// addLearnings replaces the text of LEARNINGS.md by the result of add, and returns the path of the file from the root.
func addLearnings(o *workspace.Tx, view *workspace.View, add func(have []byte) ([]byte, error)) (string, error) {
	src, err := view.Store.ReadLearnings()
	if err != nil {
		return "", err
	}
	have, planned := o.Files.After(store.Learnings)
	if !planned {
		have = src
	}
	out, err := add(have)
	if err != nil {
		return "", err
	}
	o.Put(store.Learnings, src, out)
	return view.FromRoot(store.Learnings), nil
}

// describe sets the summary of an import. For one checkpoint it sets o.ID, and for several it adds trailers.
func describe(o *workspace.Tx, done []result.Imported) {
	var made, files []result.Imported
	lines, left := 0, 0
	for _, r := range done {
		if r.Same {
			continue
		}
		files = append(files, r)
		if r.ID != "" {
			made = append(made, r)
		}
		lines += r.Lines
		left += r.Left()
	}
	if len(made) == 1 {
		o.ID = made[0].ID // workspace adds the trailer for o.ID
	} else {
		o.Path = ""
		for _, r := range made[:min(len(made), maxTrailers)] {
			o.Trailers = append(o.Trailers, workspace.TrailerID+": "+r.ID)
		}
	}
	if len(files) == 0 {
		return
	}
	what := path.Base(files[0].File)
	if len(files) > 1 {
		what = text.Count(len(files), "source")
	}
	o.Summary = fmt.Sprintf("%s, %s (%d to Imported)", what, text.Count(lines, "line"), left)
}

// inventory has the ids, the files and the earlier imports of the checkpoints folder, and the new checkpoints.
type inventory struct {
	ids     map[string]bool
	sources map[string]string     // the ids of imported checkpoints, by the hash of the source
	here    map[string]string     // the ids of imported checkpoints, by the id that the source states
	file    func(rel string) bool // reports whether the checkpoints folder has a file
	made    []string              // the ids of new checkpoints that can become current
	bare    []string              // the ids of new checkpoints without a Problem
}

// remarks returns remarks on what the user still has to do after an import.
func (k *inventory) remarks(hasCurrent bool) []string {
	var all []string
	if len(k.bare) == 1 {
		all = append(all, "the Problem is still to be written: ckpt edit "+k.bare[0])
	} else if len(k.bare) > 1 {
		all = append(all, fmt.Sprintf("%d of these checkpoints have no Problem yet: ckpt validate", len(k.bare)))
	}
	if len(k.made) == 1 && !hasCurrent {
		all = append(all, "no checkpoint is current (ckpt use "+k.made[0]+")")
	} else if len(k.made) > 0 && !hasCurrent {
		all = append(all, "no checkpoint is current (ckpt use ID)")
	}
	return all
}

// newInventory returns the inventory of a view.
func newInventory(view *workspace.View) (*inventory, error) {
	k := &inventory{ids: map[string]bool{}, sources: map[string]string{}, here: map[string]string{}, file: view.Store.Has}
	for _, c := range view.Set.All {
		k.take(c.ID)
		if mark := strings.Fields(c.Field(importing.Key)); len(mark) > 0 {
			k.sources[mark[len(mark)-1]] = c.ID
		}
	}
	src, err := view.Store.ReadLearnings()
	for _, hash := range importing.Marked(src) {
		k.sources[hash] = ""
	}
	return k, err
}

// name returns the result for a source, with the id of its checkpoint: a new id, or that of an earlier import.
func (k *inventory) name(s source, req ImportRequest) (result.Imported, error) {
	draft, hash := s.draft, importing.Hash(s.Source)
	r := result.Imported{File: s.Name, Place: s.Place, Form: draft.Form, Lines: draft.Lines, Shares: draft.Shares}
	id, have := k.sources[hash]
	switch {
	case have && !req.Force:
		r.ID, r.Same, r.Shares = id, true, nil
	case draft.Form != importing.Learnings:
		r.ID = cmp.Or(req.ID, draft.Name(s.Name, k.taken))
		if err := checkpoint.CheckNewID(r.ID); err != nil {
			return r, fault.New(fault.Usage, "%w", err).WithHint("ckpt import --id ID FILE")
		}
		if k.taken(r.ID) {
			return r, fault.New(fault.Refused, "%s exists already", r.ID).WithHint("another --id, or none")
		}
		k.take(r.ID)
	}
	k.sources[hash] = r.ID
	if draft.ID != "" {
		k.here[draft.ID] = cmp.Or(k.here[draft.ID], r.ID)
	}
	return r, nil
}

func (k *inventory) take(id string) { k.ids[strings.ToLower(id)] = true }

func (k *inventory) taken(id string) bool {
	return k.ids[strings.ToLower(id)] || k.file(store.Active+"/"+id+".md") || k.file(store.Archive+"/"+id+".md")
}
