package edit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/base"
)

// repeat recognizes a request that was carried out already: an agent that got no answer sends it
// again. For each checkpoint a file in the worktree's git folder has a digest of the newest request
// and of the checkpoint that it made. The file is written before the checkpoint, so that it exists
// even if the process is killed right after the commit. Until then, the checkpoint does not match
// the digest.
type repeat []byte // the request, encoded

// repeatsKept is the maximal number of such digests.
const repeatsKept = 64

// repeatOf encodes a request, which is the name of an operation and its arguments.
func repeatOf(by workspace.Settings, request ...any) (repeat, error) {
	return json.Marshal(append(request, by.Agent, by.Session))
}

// deltaRepeat encodes a request for a delta. Edited are the files with uncommitted changes.
func (p *Editor) deltaRepeat(req DeltaRequest, edited []string) (repeat, error) {
	written := map[string]time.Time{}
	for _, path := range edited {
		written[path] = p.Repo.Worktree().ModTime(path)
	}
	return repeatOf(p.Settings, "delta", req, written)
}

// of returns the digest of the request and of the resulting checkpoint.
func (r repeat) of(c *checkpoint.Checkpoint) []byte {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\x00%s\x00", c.ID, []byte(r))
	sum.Write(c.Doc.Bytes())
	return []byte(hex.EncodeToString(sum.Sum(nil)) + "\n")
}

// repeatFile returns the file with the digest of the newest request for a checkpoint.
func repeatFile(stateDir, id string) string {
	sum := sha256.Sum256([]byte(id))
	return filepath.Join(stateDir, "deltas", hex.EncodeToString(sum[:8]))
}

// made reports whether exactly this request made c as it is.
func (r repeat) made(stateDir string, c *checkpoint.Checkpoint) bool {
	known, err := disk.ReadFile(repeatFile(stateDir, c.ID))
	digest, _, _ := strings.Cut(string(known), "\n")
	return err == nil && digest+"\n" == string(r.of(c))
}

// repeatsDelta reports whether the newest delta of c has exactly this request, and nothing was
// committed since.
func (p *Editor) repeatsDelta(ctx context.Context, r repeat, view *workspace.View,
	c *checkpoint.Checkpoint) (bool, error) {
	if !r.made(p.Repo.StateDir(), c) {
		return false, nil
	}
	s, err := changes.Of(view.Repo).Count(ctx, base.Finder{Folder: view.Folder}.Since(ctx, c), p.Prefix)
	return s.Mine+s.Others == 0 && !s.Lost && !s.Missing, err
}

// remember writes the digest of a request that made revised from c, and the files that its artifacts
// list; see withListed. An error is ignored: then a repeated request is carried out twice.
func (p *Editor) remember(r repeat, c, revised *checkpoint.Checkpoint, artifacts []checkpoint.Artifact) {
	file := repeatFile(p.Repo.StateDir(), revised.ID)
	listed := withListed(p, c, revised, artifacts)
	if disk.WriteFile(file, append(r.of(revised), listed...), false) == nil {
		disk.KeepNewest(filepath.Dir(file), repeatsKept)
	}
}
