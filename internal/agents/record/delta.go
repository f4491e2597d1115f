package record

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/text"
)

// Git has what git shows of the work since the last delta. The text of a recovered delta does not mention zero values.
type Git struct {
	Files       int      // the number of changed files, committed or uncommitted
	Uncommitted []string // the files with uncommitted changes
	Commits     []Commit // the user's commits, oldest first
}

// Commit is one of the user's commits.
type Commit struct{ Hash, Subject string }

// The maximum numbers of items that the text of a recovered delta names. The table of the delta has all files.
const (
	sessionsTold = 5
	filesTold    = 20
	runsTold     = 10
	commitsTold  = 20
	stateTold    = 5 // how many uncommitted files the line of state names
)

// Delta returns the text of a recovered delta, whose first line is a summary, and one line for the
// Current State.
func Delta(all []Work, g Git) (changed, state string) {
	facts := counts(g)
	if len(all) == 0 {
		changed = "Recovered from git: " + facts
		return changed + below(g, nil),
			"Recovered from git: " + strings.Join(slices.Concat([]string{facts}, uncommitted(g)), "; ")
	}
	clauses := []string{"Recovered: " + noDelta(all, "")}
	for _, w := range all[:min(len(all), sessionsTold)] {
		if len(w.Commands) > 0 && w.Commands[0].Test {
			clauses = append(clauses, ran(w, w.Commands[0]))
		}
	}
	if facts != "" {
		facts += "; "
	}
	return "Recovered: " + facts + noDelta(all, "") + below(g, all), strings.Join(append(clauses, uncommitted(g)...), "; ")
}

// counts describes how many files and commits git shows. The text is empty if both numbers are 0.
func counts(g Git) string {
	if g.Files+len(g.Commits) == 0 {
		return ""
	}
	s := text.Count(g.Files, "file") + " changed"
	if n := len(g.Commits); n > 0 {
		s += ", " + text.Count(n, "commit")
	}
	return s
}

// uncommitted returns the clause on files with uncommitted changes, if there are any.
func uncommitted(g Git) []string {
	if len(g.Uncommitted) == 0 {
		return nil
	}
	var told []string
	for _, f := range g.Uncommitted {
		told = append(told, drift.Quote(f))
	}
	return []string{"not committed: " + text.List(told, stateTold)}
}

// ran describes a run with its time and outcome.
func ran(w Work, r Run) string {
	text := drift.Quote(r.Command) + " at " + checkpoint.FormatTime(r.At)
	if ended := outcome(w, r); ended != "" {
		text += ": " + ended
	}
	return text
}

// below returns the list of sessions and commits that follows the summary.
func below(g Git, all []Work) string {
	var items []string
	for _, w := range all[:min(len(all), sessionsTold)] {
		if files := filesOf(w, filesTold); files != "" {
			items = append(items, upper(sessionName(w, ""))+" wrote "+files)
		}
		var runs []string
		for _, r := range w.Commands[:min(len(w.Commands), runsTold)] {
			runs = append(runs, ran(w, r))
		}
		if more := len(w.Commands) - len(runs); more > 0 {
			runs = append(runs, text.Count(more, "other command"))
		}
		if len(runs) > 0 {
			items = append(items, upper(sessionName(w, ""))+" ran "+strings.Join(runs, "; "))
		}
	}
	if more := len(g.Commits) - commitsTold; more > 0 {
		items = append(items, text.Count(more, "earlier commit"))
	}
	for _, c := range g.Commits[max(0, len(g.Commits)-commitsTold):] {
		items = append(items, "Commit "+c.Hash[:min(len(c.Hash), 7)]+": "+text.OneLine(c.Subject))
	}
	if len(items) == 0 {
		return ""
	}
	return "\n\n- " + strings.Join(items, "\n- ")
}
