package edit

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/base"
)

// memory is what is remembered of a request for a checkpoint: a line of a log in the worktree's git
// directory. The line is written before the commit, so that it exists even if the process is killed
// right after the commit. If the commit fails, the digest in the line matches nothing.
type memory struct {
	ID string `json:"id"`
	// Made is a digest of the request and of the checkpoint that it made.
	Made string `json:"made"`
	// Listed has the files that the delta has listed.
	Listed map[string]listing `json:"listed,omitempty"`
}

// listing is the content that a file had when a delta listed it. It counts only if the checkpoint
// still has that delta, which it may lack after an undo or on another branch.
type listing struct {
	Delta   time.Time `json:"delta"`
	Content string    `json:"content"`
}

// memorySize is about half of the maximum size of the log, in bytes.
const memorySize = 64 << 10

func memories(p *Editor) disk.Rotated {
	return disk.Rotated{Path: filepath.Join(p.Repo.StateDir(), "requests")}
}

// requests returns the remembered requests for a checkpoint, the newest first. Without the log a
// repeated request is carried out twice, and every file is listed again.
func requests(p *Editor, id string) iter.Seq[memory] {
	return func(yield func(memory) bool) {
		src, _ := memories(p).Read()
		for _, line := range slices.Backward(bytes.Split(src, []byte("\n"))) {
			var m memory
			if !bytes.Contains(line, []byte(id)) || json.Unmarshal(line, &m) != nil {
				continue
			}
			if m.ID == id && !yield(m) {
				return
			}
		}
	}
}

// remember records that a request made revised, and the content of the files that its artifacts list.
func (p *Editor) remember(r repeat, revised *checkpoint.Checkpoint, artifacts []checkpoint.Artifact) {
	m := memory{ID: revised.ID, Made: r.digest(revised), Listed: map[string]listing{}}
	at, _ := checkpoint.ParseTime(revised.Field("last_delta"))
	for _, a := range artifacts {
		m.Listed[a.File] = listing{at, contentOf(p, a)}
	}
	if line, err := json.Marshal(m); err == nil {
		_, _ = disk.AppendRotated(memories(p).Path, append(line, '\n'), memorySize, 0o666)
	}
}

// listed returns the files that deltas of c listed, each with the content that it had then.
func (p *Editor) listed(c *checkpoint.Checkpoint) map[string]string {
	all := map[string]string{}
	last, _ := checkpoint.ParseTime(c.Field("last_delta"))
	for m := range requests(p, c.ID) {
		for file, l := range m.Listed {
			if _, newer := all[file]; !newer && !l.Delta.After(last) {
				all[file] = l.Content
			}
		}
	}
	return all
}

// Unlisted returns the artifacts whose content differs from the content that a delta last listed.
func (p *Editor) Unlisted(c *checkpoint.Checkpoint, artifacts []checkpoint.Artifact) []checkpoint.Artifact {
	listed, tables := p.listed(c), drift.TrailOf(c, p.Repo.Root())
	return slices.DeleteFunc(slices.Clone(artifacts), func(a checkpoint.Artifact) bool {
		was, known := listed[string([]rune(a.File))] // JSON stores a name that is not UTF-8 in this form
		return known && tables.Mentions(a.File) && was == contentOf(p, a)
	})
}

// AddGone adds to a trail the files that deltas of c listed and that are gone, although git sees no change: they were
// created and deleted since base.
func (p *Editor) AddGone(ctx context.Context, c *checkpoint.Checkpoint, trail *changes.Work) {
	listed, gone := p.listed(c), []string{}
	for _, f := range trail.Files {
		delete(listed, f.Path)
	}
	for _, a := range fold.Artifacts(c) {
		was := cmp.Or(listed[a.File], "none")
		if was != "none" && fs.ValidPath(a.File) && !p.Repo.Worktree().Exists(a.File) {
			gone = append(gone, a.File)
		}
	}
	if len(gone) > 0 {
		changes.Of(p.Repo).AddDeleted(ctx, trail, gone)
	}
}

// contentOf returns a string that changes with the content of a file. For a folder with many new files it
// is a hash of the artifact's description.
func contentOf(p *Editor, a checkpoint.Artifact) string {
	if content := p.Repo.Worktree().Content(a.File); content != "" {
		return content
	}
	return p.Repo.Objects().BlobHash([]byte(a.Change))
}

// repeat is an encoded request. It serves to recognize a request that was carried out already: an
// agent that got no answer sends it again.
type repeat []byte

// repeatOf encodes a request, which is the name of an operation and its arguments as they were sent.
func repeatOf(by workspace.Settings, request ...any) repeat {
	src, _ := json.Marshal(append(request, by.Agent, by.Session)) // flags and decoded JSON can always be encoded
	return src
}

func (r repeat) digest(c *checkpoint.Checkpoint) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\x00%s\x00", c.ID, []byte(r))
	sum.Write(c.Doc.Bytes())
	return hex.EncodeToString(sum.Sum(nil))
}

// made reports whether c is exactly what this request made.
func (r repeat) made(p *Editor, c *checkpoint.Checkpoint) bool {
	for m := range requests(p, c.ID) { // only the newest request counts
		return m.Made == r.digest(c)
	}
	return false
}

// newest returns the newest checkpoint that is exactly what this request made, or nil.
func (r repeat) newest(p *Editor, of []*checkpoint.Checkpoint) (made *checkpoint.Checkpoint) {
	src, _ := memories(p).Read()
	last := -1
	for _, c := range of {
		if at := bytes.LastIndex(src, []byte(r.digest(c))); at > last {
			made, last = c, at
		}
	}
	return made
}

// repeatsDelta reports whether c is exactly what this request made, and nothing was committed since.
func (p *Editor) repeatsDelta(ctx context.Context, d *draft, view *workspace.View,
	c *checkpoint.Checkpoint) (bool, error) {
	if d.adds || !slices.ContainsFunc(d.repeats, func(r repeat) bool { return r.made(p, c) }) {
		return false, nil
	}
	s, err := changes.Of(view.Repo).Count(ctx, base.Finder{Folder: view.Folder}.Since(ctx, c), p.Prefix)
	return s.Mine+s.Others == 0 && !s.Lost && !s.Missing, err
}
