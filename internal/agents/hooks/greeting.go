package hooks

import (
	"context"
	"fmt"
	"strings"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/resume"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// greeting returns the brief of the current checkpoint, or of its last good version if its file cannot be read. If no
// checkpoint is current, greeting returns the brief of the only active one. If several or none are active, it lists
// what the user said, the active checkpoints, unfinished runs and learnings, as far as there are any. The text is at
// most as long as agents show their model. With onlyNew, a brief leaves out what this session has read.
func (p *Handler) greeting(ctx context.Context, onlyNew bool) (string, error) {
	req := resume.BriefRequest{Limit: brief.Limit{Bytes: protocol.Limit}, Recover: true, New: onlyNew}
	brief, read, err := p.resume.Brief(ctx, req)
	if err != nil {
		return "", err
	}
	if brief != nil {
		read()
		return brief.Text, nil
	}
	view, err := p.Read(ctx, store.Live)
	if err != nil {
		return "", err
	}
	set := view.Set
	said := p.resume.Said(req.Limit)
	if active := set.Active(); len(active) == 1 {
		only := active[0].ID
		head := fmt.Sprintf("No checkpoint is current, and %s is the only active one: `ckpt use %s` makes it "+
			"current.\n\n", only, only)
		req.ID = only
		req.Limit.Bytes = protocol.Limit - len(head)
		brief, read, err = p.resume.Brief(ctx, req)
		if brief == nil || err != nil {
			return "", err
		}
		read()
		return head + brief.Text, nil
	}
	var b strings.Builder
	if said != nil {
		b.WriteString(said.Text + "\n")
	}
	if active, _ := workspace.Candidates(set); len(active) > 0 {
		fmt.Fprintf(&b, "No checkpoint of this project is current. Active: %s. `ckpt use ID` picks one, `ckpt resume` "+
			"gives it back.\n", strings.Join(active, ", "))
	}
	b.WriteString(unfinished(set))
	all, unread := view.Learnings()
	if picked := learnings.OrMissing(learnings.Pick(all, "", learningsGreeted), unread); len(picked) > 0 {
		b.WriteString("\nLearnings of earlier work (`" + p.FromRoot(store.Learnings) + "`):\n")
		for _, l := range picked {
			if b.Len()+len(l.Text) < protocol.Limit {
				b.WriteString("- " + l.Text + "\n")
			}
		}
	}
	return strings.TrimLeft(b.String(), "\n"), nil
}

const (
	unfinishedGreeted = 3   // how many unfinished runs are listed
	longestPlace      = 200 // in bytes; a longer description of the place in a run is left out
	learningsGreeted  = 10  // how many learnings are listed
)

// unfinished returns a line with the runs that began and are not complete. It is empty if there are none.
func unfinished(set *checkpoint.Set) string {
	runs := progress.Unfinished(set.All)
	if len(runs) == 0 {
		return ""
	}
	var told []string
	for _, r := range runs {
		name := r.ID
		if where := r.Where(); len(where) <= longestPlace {
			name += " (" + where + ")"
		}
		told = append(told, name)
	}
	return fmt.Sprintf("Begun and not completed: %s. `ckpt resume %s` goes on, `ckpt status --incomplete` shows "+
		"all.\n", text.List(told, unfinishedGreeted), runs[0].ID)
}
