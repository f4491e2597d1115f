package project

import (
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/progress"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/store"
)

// Filter is whose checkpoints are meant; "" is anybody's.
type Filter struct{ Workflow, Session, Agent string }

// None says whether the filter lets everything through.
func (f Filter) None() bool { return f == Filter{} }

func (f Filter) fits(r result.Run) bool {
	return (f.Workflow == "" || f.Workflow == r.Workflow) && (f.Session == "" || f.Session == r.Session) && (f.Agent == "" || f.Agent == r.Agent)
}

// String is the filter in words: "of workflow ship, agent claude"; "" for none.
func (f Filter) String() string {
	if f.None() {
		return ""
	}
	var words []string
	for _, w := range [][2]string{{"workflow ", f.Workflow}, {"session ", f.Session}, {"agent ", f.Agent}} {
		if w[1] != "" {
			words = append(words, w[0]+w[1])
		}
	}
	return "of " + strings.Join(words, ", ")
}

// latest is the active checkpoint that fits and was changed last; nil for none.
func latest(set *checkpoint.Set, of Filter) *checkpoint.Checkpoint {
	fit := slices.DeleteFunc(set.Active(), func(c *checkpoint.Checkpoint) bool { return !of.fits(progress.RunOf(c)) })
	if len(fit) == 0 {
		return nil
	}
	return slices.MinFunc(fit, checkpoint.LatestFirst)
}

// Incomplete is the runs that began and never completed, and the current checkpoint
// where it has not been told what was done: what a crash leaves. It does not read the
// archive.
func (p *Project) Incomplete(ctx context.Context, of Filter) (*result.Overview, error) {
	set, err := p.read(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	changes, err := p.changesToShow(ctx, store.Live)
	if err != nil {
		return nil, err
	}
	o := &result.Overview{Of: of.String(), Warnings: append(alsoMarkedIn(set), unreadableIn(set)...)}
	for _, run := range progress.Unfinished(set.All) {
		e := p.entry(run.Checkpoint, changes.of(run.Checkpoint))
		e.Unfinished = "not completed: " + run.Where()
		o.Entries = append(o.Entries, e)
	}
	if err := p.withEdits(ctx, o); err != nil {
		return nil, err
	}
	if err := p.addLeft(ctx, set, o, changes); err != nil {
		return nil, err
	}
	o.Entries = slices.DeleteFunc(o.Entries, func(e *result.Entry) bool { return !of.fits(e.Run) })
	return o, nil
}

// addLeft adds the current checkpoint where work is done that it does not tell, or
// where its file holds edits that no commit has.
func (p *Project) addLeft(ctx context.Context, set *checkpoint.Set, o *result.Overview, changes *lastChanges) error {
	c, err := p.toResume(ctx, set, "")
	if c == nil || err != nil || c.Status() == checkpoint.Archived {
		return nil // the warnings say what cannot be read
	}
	var why []string
	if answer, err := p.Due(ctx); err == nil && answer.Due() {
		why = append(why, "work that no delta tells (ckpt status --due)")
	}
	if work, err := p.Unrecorded(ctx); err == nil && work != "" {
		why = append(why, work)
	}
	at := slices.IndexFunc(o.Entries, func(e *result.Entry) bool { return e.ID == c.ID })
	if at < 0 {
		e := p.entry(c, changes.of(c))
		one := &result.Overview{Entries: []*result.Entry{e}}
		if err := p.withEdits(ctx, one); err != nil {
			return err
		}
		if e.Edited {
			why = append(why, "edits that no commit has")
		}
		if len(why) == 0 {
			return nil
		}
		o.Entries, at = slices.Insert(o.Entries, 0, e), 0
	}
	if len(why) > 0 {
		o.Entries[at].Unfinished = strings.TrimPrefix(o.Entries[at].Unfinished+"; "+strings.Join(why, "; "), "; ")
	}
	return nil
}

// checkRun says what is wrong with a value for a key of the run.
func checkRun(fields map[string]string) error {
	for key, value := range fields {
		_, isPercent := checkpoint.ParsePercent(value)
		switch {
		case strings.TrimSpace(value) == "":
			return fault.New(fault.Usage, "--%s is empty", key)
		case strings.ContainsAny(value, "\r\n"):
			return fault.New(fault.Usage, "--%s is more than one line", key)
		case key == "progress" && !isPercent:
			return fault.New(fault.Usage, "--progress %q is none", value).WithHint("--progress 45%%, or 3/5")
		}
	}
	return nil
}

// setRun writes what is said of the run over what the file and the environment say.
func setRun(r *checkpoint.Revision, fields map[string]string) *checkpoint.Revision {
	for key, value := range fields {
		if value = strings.TrimSpace(value); key == "progress" && !strings.ContainsAny(value, "%/") {
			value += "%"
		}
		r.Set(key, value)
	}
	return r
}
