package project

import (
	"bytes"
	"context"
	"path"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/report"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// dropped returns ckpt's last operation on the checked-out branch, if git has taken its
// commit off the branch and its text is not in the files either; nil otherwise.
func (p *Project) dropped(ctx context.Context) (*git.Dropped, error) {
	if p.Repo.InProgress() != "" {
		return nil, nil
	}
	d, err := p.Repo.Dropped(ctx, p.prefix)
	if d == nil || err != nil {
		return nil, err
	}
	for _, f := range d.Files {
		carried, err := p.carried(f)
		if err != nil {
			return nil, err
		}
		if carried {
			continue
		}
		if elsewhere, err := p.Repo.OnSomeBranch(ctx, d.Hash); elsewhere || err != nil {
			return nil, err
		}
		return d, nil
	}
	return nil, nil
}

// carried reports whether what a commit did to a file is in the file now: a rebase or an
// amended commit carries the text along.
func (p *Project) carried(f git.FileChange) (bool, error) {
	before, err := p.blob(f.Before)
	if err != nil {
		return false, err
	}
	after, err := p.blob(f.After)
	if err != nil {
		return false, err
	}
	now, err := p.Store.Read(f.Path)
	if err != nil {
		return false, err
	}
	if f.After == "" {
		return now == nil, nil
	}
	if now == nil { // archived or reopened since, perhaps
		other := path.Join(store.Archive, path.Base(f.Path))
		if checkpoint.InArchive(f.Path) {
			other = path.Join(store.Active, path.Base(f.Path))
		}
		if now, err = p.Store.Read(other); err != nil || now == nil {
			return false, err
		}
	}
	return !bytes.Equal(now, before) && holdsAdded(string(before), string(after), string(now)), nil
}

// holdsAdded reports whether now has every line below the frontmatter that after has and
// before has not.
func holdsAdded(before, after, now string) bool {
	known := map[string]bool{}
	for _, text := range []string{before, now} {
		for line := range strings.Lines(text) {
			known[strings.TrimSpace(line)] = true
		}
	}
	if strings.HasPrefix(after, "---\n") {
		if _, body, ok := strings.Cut(after[4:], "\n---\n"); ok {
			after = body
		}
	}
	for line := range strings.Lines(after) {
		if !known[strings.TrimSpace(line)] {
			return false
		}
	}
	return true
}

// saidDropped tells a dropped operation in words, with the command that brings its text
// back.
func saidDropped(d *git.Dropped) (what, fix string) {
	fix = "git show " + d.Hash[:7]
	if ids := d.Trailers[trailerID]; len(ids) == 1 {
		fix = "ckpt restore " + ids[0] + " --at " + d.Hash[:7]
	}
	return "the last operation is not on " + d.Branch + " any more, " + d.By + " took it off: " + strings.TrimPrefix(d.Subject, "ckpt: "), fix
}

// droppedRemark is the remark on a dropped operation, "" for none.
func (p *Project) droppedRemark(ctx context.Context) (string, error) {
	d, err := p.dropped(ctx)
	if d == nil || err != nil {
		return "", err
	}
	what, fix := saidDropped(d)
	return what + " (" + fix + ")", nil
}

// droppedOperation is the check of doctor.
func (p *Project) droppedOperation(ctx context.Context, d *report.Diagnosis, _ bool) error {
	lost, err := p.dropped(ctx)
	if lost == nil || err != nil {
		return err
	}
	what, fix := saidDropped(lost)
	d.Ailments = append(d.Ailments, report.Ailment{Code: "dropped", What: what, Fix: fix})
	return nil
}
