package resume

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"time"

	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/stats"
	"example.com/ckpt/internal/transfer/schema"
	"example.com/ckpt/internal/workspace"
)

// BriefRequest is what of the brief is asked for.
type BriefRequest struct {
	ID       string // "" for the current checkpoint, or the latest that fits
	At       string // "" for the file as it is; else a version of it, as [Project.ShowAt] takes it
	Of       workspace.Filter
	Limit    brief.Limit
	Protocol bool // in the words of the checkpoint protocol
	New      bool // only what this session has not read
	Recover  bool // where the file cannot be read, what stands in for it
}

// Brief is the brief of a checkpoint within a limit; nil where there is nothing to
// resume. Call read when it has been printed: then it counts as read.
func (p *Resumer) Brief(ctx context.Context, req BriefRequest) (r *brief.Rendering, read func(), err error) {
	if req.At == "" {
		req.ID, req.At = history.Version(req.ID)
	}
	if req.At != "" {
		brief, err := p.history.ResumeAt(ctx, req.ID, req.At)
		if err != nil {
			return nil, func() {}, err
		}
		r, err = render(brief, req)
		return r, func() {}, err
	}
	began := time.Now()
	whole, err := p.resume(ctx, req.ID, req.Of, req.Recover)
	if whole == nil || err != nil {
		return nil, func() {}, err
	}
	file := p.readFile(whole.ID)
	was, _ := disk.ReadFile(file) // what cannot be read is said again
	before := brief.ReadMarks(was)
	built := whole
	if req.New && len(before) > 0 { // else nothing was read, and all of it is no news
		built = whole.Since(before)
	}
	if r, err = render(built, req); err != nil {
		return nil, func() {}, err
	}
	return r, func() {
		recovered := whole
		if len(before) > 0 { // what the session has read before is not recovered again
			recovered = whole.Since(before)
		}
		if req.ID == "" && req.Of.None() {
			p.RecordOperation(ctx, "resume", whole.ID, p.Now()) // what the session does now is work on this one
		}
		p.RecordFigure(stats.Entry{Kind: stats.Resume, Steps: recovered.Steps()}, began)
		if now := brief.WriteMarks(r.Read(whole, before)); !bytes.Equal(now, was) {
			p.keep(file, now)
		}
	}, nil
}

// render fits a brief to what was asked for. In the words of the protocol it says what an
// export of the checkpoint says.
func render(built *brief.Brief, req BriefRequest) (*brief.Rendering, error) {
	if !req.Protocol {
		return built.Within(req.Limit), nil
	}
	e, err := schema.Write(built.Checkpoint(), schema.Protocol)
	if err != nil {
		return nil, err
	}
	text := func(path ...string) string {
		v, _ := value.Get(e.Object, path...)
		s, _ := v.(string)
		return strings.Join(strings.Fields(s), " ")
	}
	list := func(path ...string) []string {
		v, _ := value.Get(e.Object, path...)
		entries, _ := v.([]any)
		var all []string
		for _, e := range entries {
			if s, ok := e.(string); ok && strings.TrimSpace(s) != "" {
				all = append(all, s)
			}
		}
		return all
	}
	return built.AsProtocol(req.Limit, brief.Terms{
		Goal: text("summary", "goal"), Completed: list("summary", "completed"), Pending: list("summary", "pending"), Decisions: list("summary", "decisions"),
		Next: text("resumePointer", "nextAction"), Phase: text("resumePointer", "phase"),
	}), nil
}

// What a session has read lies in the git folder, a working tree's own, a file a
// session and checkpoint. Nothing of it is committed, and losing it costs a second
// reading.

// readsKept is how many such files are kept.
const readsKept = 64

func (p *Resumer) readFile(id string) string {
	sum := sha256.Sum256([]byte(p.Session + "\x00" + id))
	return filepath.Join(p.Repo.JournalDir(), "read", hex.EncodeToString(sum[:8]))
}

// keep remembers what was read. Where that cannot be written the next reading says
// it again, which is no reason to fail this one.
func (p *Resumer) keep(file string, marks []byte) {
	if disk.WriteFile(file, marks, false) == nil {
		disk.KeepNewest(filepath.Dir(file), readsKept)
	}
}
