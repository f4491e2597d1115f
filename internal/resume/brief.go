package resume

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/stats"
	"example.com/ckpt/internal/transfer/schema"
)

// BriefRequest is a request for a brief.
type BriefRequest struct {
	ID       string // empty for the current checkpoint, or for the latest one that Of selects
	At       string // a version of the file; empty for the present one
	Of       progress.Filter
	Limit    brief.Limit
	Protocol bool // use the terms of the checkpoint protocol
	New      bool // leave out what this session has read
	Recover  bool // accept a substitute for an unreadable file
}

// Brief returns the brief of a checkpoint within a limit, or nil if there is nothing to resume.
// After printing the brief, call read to record that the session has read it.
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
	// If the file with the marks of what the session has read is lost, the session reads everything again.
	sum := sha256.Sum256([]byte(p.Session + "\x00" + whole.ID))
	file := filepath.Join(p.Repo.StateDir(), "read", hex.EncodeToString(sum[:8]))
	was, _ := disk.ReadFile(file) // if the file cannot be read, everything counts as new
	before := brief.ReadMarks(was)
	built, unread := whole, whole
	if len(before) > 0 { // without marks, everything is new
		unread = whole.Since(before)
	}
	if req.New {
		built = unread
	}
	r, err = render(built, req)
	if err != nil {
		return nil, func() {}, err
	}
	return r, func() {
		if req.ID == "" && req.Of.None() {
			// from now on the session works on this checkpoint
			p.Recorder.Operation(ctx, record.Entry{At: p.Now(), Tool: "resume", Checkpoint: whole.ID}, nil)
		}
		p.Figures.Record(stats.Entry{Kind: stats.Resume, Steps: unread.Steps()}, began)
		now := brief.WriteMarks(r.Read(whole, before))
		if !bytes.Equal(now, was) && disk.WriteFile(file, now, false) == nil { // or else the parts are read again
			disk.KeepNewest(filepath.Dir(file), mostReads)
			p.Repo.ShareState(context.Background())
		}
	}, nil
}

// render returns the brief within the limit of a request. In the terms of the protocol it has the same values as an
// export of the checkpoint.
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
		Goal: text("summary", "goal"), Completed: list("summary", "completed"),
		Pending: list("summary", "pending"), Decisions: list("summary", "decisions"),
		Next: text("resumePointer", "nextAction"), Phase: text("resumePointer", "phase"),
	}), nil
}

// mostReads is how many files with marks are kept, the newest ones.
const mostReads = 64
