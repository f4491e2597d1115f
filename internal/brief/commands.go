package brief

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/checkpoint"
)

// Moment has what, besides the checkpoint, determines the commands at the end of a brief.
type Moment struct {
	ReadOnly bool     // the brief describes an earlier version
	Replaces string   // the unreadable file, without .md, for which the brief is a substitute
	Children []string // the ids of active forks, which have to be archived before the checkpoint
	Back     bool     // the parent is active, so `archive --back` makes it current
}

// commands returns the commands for what comes next, ready to copy, so that a session need not read the help or the
// skill. They contain the real id. Texts are in here-documents, because an apostrophe would end a quoted argument.
func (b *Brief) commands() Lengths {
	switch {
	case b.of == nil, b.News, b.Moment.ReadOnly, b.Moment.Replaces != "":
		return nil
	case b.Status == string(checkpoint.Archived):
		return Lengths{"To go on with it: `ckpt reopen " + b.ID + "`"}
	case b.Mark != nil:
		rewind := script("ckpt rewind - -c "+b.ID, "WHAT WAS FOUND, WHAT LED NOWHERE, WHAT IS NEXT")
		return Lengths{
			"Before you stop: `ckpt rewind -c " + b.ID + " 'WHAT WAS FOUND'`",
			"When the question is answered, and before you stop:\n\n" + fence(rewind),
		}
	case b.Next == "" && len(b.Work)+len(b.Said) == 0:
		return b.endings()
	}
	open := b.of.OpenActions()
	delta, flag, done := "ckpt delta "+b.ID, "", ""
	if len(open) > 0 { // the next action is an entry of a list, so it can be marked as done
		flag, done = fmt.Sprintf(" --done '#%d'", open[0].Number), fmt.Sprintf("### Done\n- #%d\n", open[0].Number)
	}
	rules := "### User Rules\n- WHAT THE USER REQUIRES, WORD FOR WORD\n"
	if b.Heard { // --prompt adds what the user said
		delta, rules = delta+" --prompt", ""
	}
	if len(b.Work) > 0 {
		delta += " --recovered"
	}
	const state = "### Current State\nWHAT WORKS, WHAT DOES NOT"
	all := []string{
		script(delta+" -F -", "WHAT CHANGED\n"+done+"### Decisions\n- **WHAT**: WHY\n"+
			rules+state+"\n### Next Actions\n1. STEP, WITH ITS FILE"),
		"# a decision, when it is made\n" + script("ckpt note decision - -c "+b.ID, "- **WHAT**: WHY"),
	}
	if len(open) <= 1 && len(b.Moment.Children) == 0 {
		all = append(all, "# all done\n"+b.archive())
	}
	part := script(delta+" -F -", "WHAT CHANGED\n"+done+state)
	return Lengths{
		"Before you stop: `" + delta + " -m 'WHAT CHANGED'" + flag + "`",
		"Before the final answer, and after every finished part:\n\n" + fence(part),
		"Before the final answer, and after every finished part (leave out what has nothing new; " +
			"Current State and Next Actions replace what is there):\n\n" + fence(all...),
	}
}

// Commands returns the full text with the commands for what comes next, if there are any.
func (b *Brief) Commands() string { return b.commands().Full() }

// TextForPerson returns the text with one line in place of the scripts for agents.
func (r *Rendering) TextForPerson() string {
	all := r.Brief.commands()
	for _, scripts := range all {
		if strings.Contains(r.Text, scripts) && strings.Contains(scripts, "```") {
			return strings.Replace(r.Text, scripts, all[0], 1)
		}
	}
	return r.Text
}

// endings returns the commands for a checkpoint without next actions.
func (b *Brief) endings() Lengths {
	next := script("ckpt next - -c "+b.ID, "1. STEP, WITH ITS FILE")
	if len(b.Moment.Children) > 0 {
		children := strings.Join(b.Moment.Children, ", ")
		return Lengths{
			"If more is to be done: `ckpt next -c " + b.ID + " 'STEP, WITH ITS FILE'`",
			"If more is to be done (if not, its forks are archived first: " + children + "):\n\n" + fence(next),
		}
	}
	return Lengths{
		"If all is done: `ckpt archive " + b.ID + " --outcome 'RESULT'`",
		"If all is done:\n\n" + fence(b.archive()),
		"If more is to be done, or if all is done:\n\n" + fence("# more\n"+next, "# all done\n"+b.archive()),
	}
}

func (b *Brief) archive() string {
	command := "ckpt archive " + b.ID
	if b.Moment.Back {
		command += " --back"
	}
	return script(command+" -F -", "RESULT\n### Learnings\n- WHAT TO KNOW NEXT TIME")
}

// script returns a command with its input.
func script(command, input string) string { return command + " <<'EOF'\n" + input + "\nEOF\n" }

func fence(scripts ...string) string { return "```sh\n" + strings.Join(scripts, "") + "```" }
