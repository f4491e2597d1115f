package transfer

import (
	"context"
	"fmt"
	"io"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/transfer/importing"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// ImportRequest names files to make checkpoints of.
type ImportRequest struct {
	Paths    []string // files and folders; "-" is Stdin
	Stdin    io.Reader
	ID       string       // of the one checkpoint; "" makes one of each file's name
	Current  bool         // make the one checkpoint current
	Force    bool         // also what was imported before
	SkipBad  bool         // pass over what cannot be read instead of refusing all
	Progress progressFunc // nil for nobody

	// Ask shows what the import would do and reports whether to go on. If it is nil, the
	// import does not ask.
	Ask func(*result.Import) (bool, error)
}

// progress is called now and then during long work, with what is being done and how
// far it is; of total 0 nobody knows how far.
type progressFunc func(doing string, done, total int)

// Import makes checkpoints of files that other tools and people kept: one operation
// for all of them. The files themselves stay as they are.
func (p *Transfer) Import(ctx context.Context, req ImportRequest) (*result.Import, error) {
	if req.Progress == nil {
		req.Progress = func(string, int, int) {}
	}
	sources, err := p.sources(ctx, req)
	if err != nil {
		return nil, err
	}
	if n := checkpoints(sources); n != 1 && (req.ID != "" || req.Current) {
		flag := "--current"
		if req.ID != "" {
			flag = "--id"
		}
		return nil, fault.New(fault.Usage, "%s is for one checkpoint, and these make %d", flag, n).WithHint("ckpt import one file at a time")
	}
	if err := p.noSecretsIn(ctx, sources); err != nil {
		return nil, err
	}
	if req.Ask != nil && !p.DryRun {
		dry := *p.Workspace
		dry.DryRun = true
		trial := New(&dry)
		plan, err := trial.importSources(ctx, sources, req)
		if err != nil || plan.Unchanged {
			return plan, err
		}
		if yes, err := req.Ask(plan); err != nil || !yes {
			if err == nil {
				err = fault.New(fault.Refused, "nothing was imported").WithHint("--yes imports without asking")
			}
			return nil, err
		}
	}
	return p.importSources(ctx, sources, req)
}

// importSources imports sources that were read.
func (p *Transfer) importSources(ctx context.Context, sources []source, req ImportRequest) (*result.Import, error) {
	var done []result.Imported
	receipt, err := p.Change(ctx, store.All, func(set *checkpoint.Set, _ time.Time) (*workspace.Tx, error) {
		o := &workspace.Tx{Op: workspace.OpImport}
		var err error
		done, err = p.importAll(o, set, sources, req)
		return o, err
	})
	if err != nil {
		return nil, err
	}
	return &result.Import{Receipt: receipt, Sources: done}, nil
}

// importAll puts what each source makes into one operation.
func (p *Transfer) importAll(o *workspace.Tx, set *checkpoint.Set, sources []source, req ImportRequest) ([]result.Imported, error) {
	known, err := p.inventory(set)
	if err != nil {
		return nil, err
	}
	var done []result.Imported
	for i, s := range sources {
		req.Progress("Importing", i, len(sources))
		if s.bad != nil {
			done = append(done, result.Imported{File: s.name, Place: s.place, Bad: s.bad.Error()})
			continue
		}
		draft := s.draft
		r := result.Imported{File: s.name, Place: s.place, Form: string(draft.Form), Lines: draft.Lines, Shares: draft.Shares, Remarks: draft.Remarks}
		if id, have := known.sources[s.hash]; have && !req.Force {
			r.ID, r.Same, r.Shares = id, true, nil
			done = append(done, r)
			continue
		}
		var err error
		if draft.Form == importing.Learnings {
			r.Path, err = p.importLedger(o, draft)
		} else {
			var c *checkpoint.Checkpoint
			if c, err = p.importOne(o, known, s, req); err == nil {
				r.ID, r.Path, r.Next = c.ID, p.FromRoot(c.Path), c.FirstAction()
			}
		}
		if err != nil {
			return nil, err
		}
		if draft.ID != "" && r.ID != draft.ID {
			r.Remarks = append(r.Remarks, "its own id, "+draft.ID+", is "+r.ID+" here")
		}
		known.sources[s.hash] = r.ID
		done = append(done, r)
	}
	if len(done) > manyFiles {
		req.Progress(fmt.Sprintf("Writing %d files and their commit", len(done)), 0, 0)
	}
	switch n := len(known.bare); {
	case n == 1:
		o.Remarks = append(o.Remarks, "the Problem is still to be written: ckpt edit "+known.bare[0])
	case n > 1:
		o.Remarks = append(o.Remarks, fmt.Sprintf("%d of these checkpoints have no Problem yet: ckpt validate", n))
	}
	o.DescribeImport(done)
	if n := len(known.made); n > 0 && !req.Current && set.Current() == nil {
		id := "ID"
		if n == 1 {
			id = known.made[0]
		}
		o.Remarks = append(o.Remarks, "no checkpoint is current (ckpt use "+id+")")
	}
	if req.Current && o.ID != "" {
		return done, o.ClearCurrents(set, o.ID)
	}
	return done, nil
}

// importOne puts the checkpoint that a source makes into an operation.
func (p *Transfer) importOne(o *workspace.Tx, known *inventory, s source, req ImportRequest) (*checkpoint.Checkpoint, error) {
	draft, status := s.draft, checkpoint.Active
	if req.Current {
		if draft.Finished {
			return nil, fault.New(fault.Usage, "%s has a Completion: it cannot be current", s.name).WithHint("ckpt import %s, then ckpt reopen", s.name)
		}
		status = checkpoint.Current
	}
	id := req.ID
	if id == "" {
		id = draft.Name(s.name, known.taken)
	}
	if err := checkpoint.CheckNewID(id); err != nil {
		return nil, fault.New(fault.Usage, "%w", err).WithHint("ckpt import --id ID FILE")
	}
	c, err := draft.Checkpoint(id, status)
	if err != nil {
		return nil, err
	}
	if known.taken(id) {
		return nil, fault.New(fault.Refused, "%s exists already", id).WithHint("another --id, or none")
	}
	known.take(id)
	o.Put(c.Path, nil, c.Doc.Bytes())
	if len(o.Trailers) < maxTrailers {
		o.Trailers = append(o.Trailers, workspace.TrailerID+": "+id)
	}
	if c.Status() != checkpoint.Archived {
		known.made = append(known.made, id)
	}
	if c.Text(checkpoint.Problem) == "" {
		known.bare = append(known.bare, id)
	}
	return c, nil
}

// maxTrailers is how many checkpoints the commit of an import names one by one.
const maxTrailers = 100

// manyFiles is how many make a person wonder what takes so long.
const manyFiles = 500

// importLedger puts a list of learnings below those that are there.
func (p *Transfer) importLedger(o *workspace.Tx, draft *importing.Draft) (at string, err error) {
	src, err := p.Store.Read(store.Learnings)
	if err != nil {
		return "", err
	}
	have, planned := o.Files.After(store.Learnings)
	if !planned {
		have = src
	}
	out, err := draft.Ledger(have)
	if err != nil {
		return "", err
	}
	o.Put(store.Learnings, src, out)
	return p.FromRoot(store.Learnings), nil
}
