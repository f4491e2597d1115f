package workspace

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/store"
)

// reader reads a file of the folder by its path there; nil for no file.
type reader func(rel string) ([]byte, error)

// dropped returns ckpt's last operations on the checked-out branch, if git has taken their
// commits off the branch and their text is not in the files either, by any of the readers.
// The commits that this command has made are not looked at.
func (p *Workspace) dropped(ctx context.Context, reads []reader, own ...string) ([]log.Dropped, error) {
	if p.Repo.InProgress() != "" {
		return nil, nil
	}
	carried := func(c log.Commit) (bool, error) {
		for _, read := range reads {
			if kept, err := p.carried(read, c); kept || err != nil {
				return kept, err
			}
		}
		return false, nil
	}
	lost, err := log.Of(p.Repo).Dropped(ctx, p.Prefix, carried, own...)
	if err != nil || len(lost) == 0 {
		return nil, err
	}
	if elsewhere, err := p.Repo.Branches().HasCommit(ctx, lost[0].Hash); elsewhere || err != nil {
		return nil, err // and with it the older ones
	}
	return lost, nil
}

// carried reports whether what a commit did is in the files now: a rebase or an amended
// commit carries the text along.
func (p *Workspace) carried(read reader, c log.Commit) (bool, error) {
	for _, f := range c.Files {
		if slices.Contains(store.KeepFiles, f.Path) {
			continue // the next operation that needs it adds it
		}
		if kept, err := p.carriedFile(read, f); !kept || err != nil {
			return false, err
		}
	}
	return true, nil
}

func (p *Workspace) carriedFile(read reader, f log.FileChange) (bool, error) {
	before, err := p.Blob(f.Before)
	if err != nil {
		return false, err
	}
	after, err := p.Blob(f.After)
	if err != nil {
		return false, err
	}
	now, err := read(f.Path)
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
		if now, err = read(other); err != nil || now == nil {
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
func saidDropped(d log.Dropped) (what, fix string) {
	fix = "git show " + d.Hash[:7]
	if ids := d.Trailers[TrailerID]; len(ids) == 1 {
		fix = "ckpt restore " + ids[0] + " --at " + d.Hash[:7]
	}
	return fmt.Sprintf("%s no longer contains %q: git removed it (%s)", d.Branch, strings.TrimPrefix(d.Subject, "ckpt: "), d.By), fix
}

// droppedRemarks are the remarks on dropped operations.
func (p *Workspace) droppedRemarks(ctx context.Context, reads []reader, own ...string) ([]string, error) {
	all, err := p.dropped(ctx, reads, own...)
	var said []string
	for _, d := range all {
		what, fix := saidDropped(d)
		said = append(said, what+"; to restore it: "+fix)
	}
	return said, err
}

// goneRemarks are the remarks on what git has taken off the branch, or from the index and
// the files.
func (p *Workspace) GoneRemarks(ctx context.Context) ([]string, error) {
	said, err := p.droppedRemarks(ctx, []reader{p.Store.Read})
	if err != nil {
		return nil, err
	}
	lost, err := p.Lost(ctx)
	return append(said, p.LostRemarks(lost)...), err
}

// droppedOperations is the check of doctor.
func (p *Workspace) DroppedOperations(ctx context.Context, d *result.Diagnosis, _ bool) error {
	all, err := p.dropped(ctx, []reader{p.Store.Read})
	for _, lost := range all {
		what, fix := saidDropped(lost)
		d.Ailments = append(d.Ailments, result.Ailment{Code: "dropped", What: what, Fix: fix})
	}
	return err
}

// sayDropped adds the remarks on dropped operations to the receipt of a change. Its own
// commit and those that it landed before are not looked at. Text counts as carried along if
// it was there before the change, which may have replaced it, or is there now. The change
// is made, so failing here is no failure of it.
func (p *Workspace) sayDropped(ctx context.Context, o *Tx, receipt *result.Receipt, landed ...string) {
	before := func(rel string) ([]byte, error) {
		for _, f := range o.Files.Files {
			if f.Path == rel {
				return f.Before, nil
			}
		}
		return p.Store.Read(rel)
	}
	if lost, err := p.droppedRemarks(ctx, []reader{before, p.Store.Read}, append(landed, receipt.Commit)...); err == nil {
		receipt.Remarks = append(lost, receipt.Remarks...)
	}
}
