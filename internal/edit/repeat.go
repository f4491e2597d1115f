package edit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
)

// repeat recognizes a delta that was recorded already: an agent that got no answer sends it again.
// For each checkpoint a file in the worktree's git folder has a digest of the request for its
// newest delta, of the checkpoint with that delta, and of the times of all uncommitted files. The
// file is written before the delta, so that it exists even if the process is killed right after the
// commit. Until the delta is recorded, the checkpoint does not match the digest.
type repeat []byte // the request and the uncommitted files, encoded

// repeatsKept is the maximal number of such digests.
const repeatsKept = 64

// repeat encodes a request. Edited are the files with uncommitted changes.
func (p *Editor) repeat(req DeltaRequest, edited []string) (repeat, error) {
	written := map[string]time.Time{}
	for _, path := range edited {
		written[path] = p.git.ModTime(path)
	}
	src, err := json.Marshal([]any{req, p.Agent, p.Session, written})
	return src, err
}

// of returns the digest of the request and of the resulting checkpoint.
func (r repeat) of(c *checkpoint.Checkpoint) []byte {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\x00%s\x00", c.ID, []byte(r))
	sum.Write(c.Doc.Bytes())
	return []byte(hex.EncodeToString(sum.Sum(nil)) + "\n")
}

// repeatFile returns the file with the digest of the newest delta of a checkpoint.
func repeatFile(stateDir, id string) string {
	sum := sha256.Sum256([]byte(id))
	return filepath.Join(stateDir, "deltas", hex.EncodeToString(sum[:8]))
}

// repeats reports whether the newest delta of c has exactly this request, and nothing was committed
// since.
func (p *Editor) repeats(ctx context.Context, r repeat, c *checkpoint.Checkpoint) (bool, error) {
	known, err := disk.ReadFile(repeatFile(p.stateDir, c.ID))
	if err != nil || string(known) != string(r.of(c)) {
		return false, nil
	}
	s, err := p.trails.Count(ctx, p.base.Since(ctx, c), p.prefix)
	return s.Mine+s.Others == 0 && !s.Lost && !s.Missing, err
}

// remember writes the digest. An error is ignored: then a repeated delta is recorded twice.
func (r repeat) remember(stateDir string, revised *checkpoint.Checkpoint) {
	file := repeatFile(stateDir, revised.ID)
	if disk.WriteFile(file, r.of(revised), false) == nil {
		disk.KeepNewest(filepath.Dir(file), repeatsKept)
	}
}
