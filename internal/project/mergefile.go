package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/merge"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// MergeRequest is three versions of one file of a checkpoints folder, as git hands
// them to a merge driver.
type MergeRequest struct {
	Path               string // slash path; its name tells what it is
	Base, Ours, Theirs []byte
	MarkerSize         int // of conflict markers; 0 for git's own
	Labels             git.Labels
	Pick               merge.Pick // which of two texts is to stand that both sides replaced
}

// Merged is the file that they make.
type Merged struct {
	Bytes     []byte
	Conflicts []merge.Conflict // the places with markers, for a person
	Choices   []merge.Choice   // texts that both sides replaced, one of which was chosen
	Remarks   []string         // what else a person should look at
}

// MergeFile merges two versions of a file section by section, and asks nobody. A file that
// cannot be read so is merged as git would: never worse than without ckpt. It runs in dir,
// which need not be a repository.
func MergeFile(ctx context.Context, dir string, req MergeRequest) (Merged, error) {
	req.Ours, req.Theirs = unmixed(req.Path, req.Ours), unmixed(req.Path, req.Theirs)
	if ours, theirs := idIn(req.Ours), idIn(req.Theirs); ours != "" && theirs != "" && ours != theirs {
		return apart(req, ours, theirs), nil
	}
	if was := idIn(req.Base); was != "" && was != idIn(req.Ours) {
		req.Base = nil // another checkpoint's
	}
	result, err := bySection(req)
	if err != nil {
		return byLine(ctx, dir, req, err)
	}
	m := Merged{Bytes: withoutStatus(req.Path, result.Bytes), Choices: result.Choices}
	for _, f := range result.Findings {
		m.Remarks = append(m.Remarks, f.Text)
	}
	return m, nil
}

// withoutStatus drops the status of a checkpoint that one side archived, and that the other
// side wrote: in archive/ it tells nothing.
func withoutStatus(name string, src []byte) []byte {
	if !strings.Contains(name, store.Archive+"/") {
		return src
	}
	if c, err := checkpoint.Parse("", src); err == nil && c.Field("status") != "" {
		if dropped, err := c.Revise().Drop("status").Apply(); err == nil {
			return dropped.Doc.Bytes()
		}
	}
	return src
}

// idIn is the id of the checkpoint that src is, "" for none.
func idIn(src []byte) string {
	if c, err := checkpoint.Parse("", src); err == nil {
		return c.ID
	}
	return ""
}

// apart leaves two checkpoints as they are, in one conflict: files that look alike git
// takes for one that has moved.
func apart(req MergeRequest, ours, theirs string) Merged {
	size := cmp.Or(req.MarkerSize, 7)
	mark := func(sign, label string) string { return strings.Repeat(sign, size) + label + "\n" }
	ended := func(src []byte) string { return strings.TrimSuffix(string(src), "\n") + "\n" }
	text := mark("<", " "+cmp.Or(req.Labels.Ours, "ours")) + ended(req.Ours) + mark("=", "") + ended(req.Theirs) + mark(">", " "+cmp.Or(req.Labels.Theirs, "theirs"))
	return Merged{Bytes: []byte(text), Conflicts: merge.Conflicts([]byte(text)),
		Remarks: []string{"git takes " + theirs + " for " + ours + ", another checkpoint (ckpt resolve puts each where it belongs)"}}
}

// unmixed is a version, or the one of two checkpoints in it that is called as the file is:
// git hands what [apart] has left to the next merge.
func unmixed(name string, src []byte) []byte {
	_, ours, theirs, ok := merge.Sides(src)
	if a, b := idIn(ours), idIn(theirs); !ok || a == "" || b == "" || a == b {
		return src
	} else if b == stem(name) {
		return theirs
	}
	return ours
}

// bySection unites what can be read on both sides; a panic is one more reason why not.
func bySection(req MergeRequest) (result merge.Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fault.New(fault.Failed, "%v", r)
		}
	}()
	if !strings.HasSuffix(req.Path, ".md") {
		return merge.Result{}, fault.New(fault.Unsupported, "it is no Markdown")
	}
	for _, side := range [][]byte{req.Ours, req.Theirs} {
		if err := readable(req.Path, side); err != nil {
			return merge.Result{}, err
		}
	}
	if result, err = merge.Choose(req.Pick, req.Base, req.Ours, req.Theirs); err != nil {
		return merge.Result{}, err
	}
	if path.Base(req.Path) == indexName { // it follows from the rest, as the next operation sees to
		result.Choices, result.Findings = nil, nil
	}
	return result, readable(req.Path, result.Bytes)
}

// indexName is what an index of a folder is called.
const indexName = "INDEX.md"

// readable says why a file that means to be a checkpoint is none.
func readable(name string, src []byte) error {
	if plainFile(name) {
		return nil
	}
	if _, err := checkpoint.Parse(name, src); err != nil && !errors.Is(err, checkpoint.ErrOther) {
		return err
	}
	return nil
}

// byLine merges as git does without ckpt.
func byLine(ctx context.Context, dir string, req MergeRequest, why error) (Merged, error) {
	merged, conflicts, err := git.MergeFile(ctx, dir, req.lines(req.Base, req.Ours, req.Theirs))
	if err != nil {
		return Merged{}, err
	}
	m := Merged{Bytes: merged, Remarks: []string{fmt.Sprintf("merged line by line, as git does: %v", why)}}
	if conflicts > 0 {
		m.Conflicts = merge.Conflicts(merged)
	}
	return m, nil
}

func (req MergeRequest) lines(base, ours, theirs []byte) git.TextMerge {
	return git.TextMerge{Base: base, Ours: ours, Theirs: theirs, MarkerSize: req.MarkerSize, Labels: req.Labels}
}
