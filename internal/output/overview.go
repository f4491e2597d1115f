package output

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// Status shows what is being worked on.
func (p Text) Status(o *result.Overview) error {
	p.entries(o)
	if len(o.Entries) == 0 {
		p.remark(orOf(o, "no active checkpoint %s (ckpt list --all)", "no checkpoint is active (ckpt new NAME --problem TEXT)"))
	}
	p.remark(o.Warnings...)
	p.others(o)
	return p.done()
}

// others says what is on other branches only: how to see it, or how to look at what is
// shown.
func (p Text) others(o *result.Overview) {
	for _, e := range o.Entries {
		if e.On != nil {
			p.remark("ckpt show " + e.ID + " --at " + e.On.Rev() + " shows one that is on another branch")
			return
		}
	}
	if said := onOtherBranches(o.Others); said != "" {
		p.remark(said)
	}
}

// onOtherBranches says in one line what is on other branches only, with the command that
// shows it; "" for nothing.
func onOtherBranches(o result.Others) string {
	var what []string
	if o.Checkpoints > 0 {
		what = append(what, text.Count(o.Checkpoints, "checkpoint"))
	}
	if o.Learnings > 0 {
		what = append(what, text.Count(o.Learnings, "learning"))
	}
	verb, show := "are", "ckpt list --all --everywhere"
	switch {
	case o.Unread > 0:
		return fmt.Sprintf("%d other branches were not read (%s)", o.Unread, show)
	case len(what) == 0:
		return ""
	case o.Checkpoints == 0:
		show = "ckpt learnings --everywhere"
	}
	if o.Checkpoints+o.Learnings == 1 {
		verb = "is"
	}
	return strings.Join(what, " and ") + " " + verb + " on other branches only (" + show + ")"
}

// Incomplete shows the runs that never completed.
func (p Text) Incomplete(o *result.Overview) error {
	p.entries(o)
	if len(o.Entries) == 0 {
		p.remark(orOf(o, "no run %s is incomplete", "no run is incomplete"))
	}
	p.remark(o.Warnings...)
	return p.done()
}

// orOf is what an empty overview says: whose there are none of, where only somebody's
// were asked for, else the general word.
func orOf(o *result.Overview, whose, nothing string) string {
	if o.Of == "" {
		return nothing
	}
	return fmt.Sprintf(whose, o.Of)
}

// entries is a few lines a checkpoint.
func (p Text) entries(o *result.Overview) {
	style := p.pen()
	for i, e := range o.Entries {
		if i > 0 {
			p.printf("\n")
		}
		p.printf("%s %s  %s\n", checkpoint.Status(e.Status).Symbol(), style.Bold(e.ID), style.Dim(strings.Join(facts(e), ", ")))
		if e.Unreadable != "" {
			p.printf("    %s: %s\n", e.Path, style.Red(e.Unreadable))
			continue
		}
		if e.Problem != "" {
			p.printf("    %s\n", e.Problem)
		}
		if e.Next != "" {
			p.printf("    next: %s\n", e.Next)
		}
		if e.Unfinished != "" {
			p.printf("    %s (ckpt resume %s)\n", e.Unfinished, e.ID)
		}
		if e.Mark != nil {
			p.printf("    exploring since %s: %s (ckpt rewind REPORT)\n", minute(e.Mark.At.Time), shorten(e.Mark.Goal, 100))
		}
	}
}

func facts(e *result.Entry) []string {
	all := []string{e.Status}
	if e.On != nil {
		all = append(all, "on "+e.On.String())
	}
	if e.Newer != nil {
		all = append(all, "newer on "+e.Newer.String())
	}
	if !e.Changed.IsZero() {
		all = append(all, "changed "+minute(e.Changed.Time))
	}
	if e.Deltas > 0 {
		all = append(all, text.Count(e.Deltas, "delta"))
	}
	if e.Parent != "" {
		all = append(all, "fork of "+e.Parent)
	}
	if where := e.Run.Where(); where != "" {
		all = append(all, where)
	}
	switch {
	case e.Edited && e.Unreadable != "":
		all = append(all, "edits not committed")
	case e.Edited:
		all = append(all, "edits not committed (ckpt save)")
	}
	return all
}

// List is a line a checkpoint.
func (p Text) List(o *result.Overview) error {
	style := p.pen()
	width := 0
	for _, e := range o.Entries {
		width = max(width, len(e.ID))
	}
	for _, e := range o.Entries {
		said := e.Problem
		switch {
		case e.Unreadable != "":
			said = e.Path + ": " + e.Unreadable
		case e.Outcome != "":
			said = e.Outcome
		}
		if where := e.Run.Where(); where != "" && e.Unreadable == "" {
			said = "[" + where + "] " + said
		}
		if e.On != nil {
			said = "(on " + e.On.String() + ") " + said
		}
		if e.Newer != nil {
			said = "(newer on " + e.Newer.String() + ") " + said
		}
		changed := "                 "
		if !e.Changed.IsZero() {
			changed = minute(e.Changed.Time)
		}
		if p.Streams.OutIsTerminal() {
			said = shorten(said, p.Streams.Width()-width-34)
		}
		p.printf("%s%s  %-10s  %s  %s\n", style.Bold(e.ID), strings.Repeat(" ", width-len(e.ID)), e.Status, style.Dim(changed), said)
	}
	if p.Streams.OutIsTerminal() && len(o.Entries) > 0 {
		p.remark("ckpt resume ID goes on with one, ckpt inspect ID shows all of it")
	}
	if len(o.Entries) == 0 {
		p.remark(orOf(o, "no checkpoint %s (ckpt list --all)", "no checkpoint to list (ckpt new NAME begins one, ckpt list --all shows archived ones)"))
	}
	p.remark(o.Warnings...)
	p.others(o)
	return p.done()
}
