package main

import (
	"fmt"
	"slices"
	"strings"
)

// truth has the facts of the transcript up to a moment that a reader needs in order to
// continue. It does not depend on what was recorded.
type truth struct {
	problem, intent string
	rules           []string
	decisions       []decision
	points          []point
	files           []string // all files changed so far, in that order
	dirty           []string // the files with uncommitted changes
	lastTest        *command // the last run of the tests; nil if there was none

	toldRules  int // the number of recorded rules
	toldPoints int
	unrecorded unrecorded
}

// unrecorded has what happened since the agent last wrote a record with `ckpt new` or `ckpt delta`.
type unrecorded struct {
	files    []string
	commands []command // each command once, with the outcome of its last run
	commits  []string  // the subjects of commits
}

type decision struct {
	what, why string
	recorded  bool
}

type point struct {
	text   string
	done   bool
	told   bool   // a record mentions that the point is finished
	commit string // the subject of the commit that finished it, "" until then
}

type command struct {
	line string
	exit int
}

// String returns the command as briefs name it, up to the exit code: more may follow,
// such as that it was run before the last edit.
func (c command) String() string { return fmt.Sprintf("`%s` (exit %d", c.line, c.exit) }

func (t *truth) changed(path string) {
	for _, list := range []*[]string{&t.files, &t.dirty, &t.unrecorded.files} {
		if !slices.Contains(*list, path) {
			*list = append(*list, path)
		}
	}
}

func (t *truth) ran(c command, isTest bool) {
	t.unrecorded.commands = append(slices.DeleteFunc(t.unrecorded.commands,
		func(o command) bool { return o.line == c.line }), c)
	if isTest {
		t.lastTest = &c
	}
}

func (t *truth) committed(subject string) {
	t.dirty = nil
	t.unrecorded.commits = append(t.unrecorded.commits, subject)
	for i, p := range t.points {
		if p.done && p.commit == "" {
			t.points[i].commit = subject
		}
	}
}

// recorded records everything that the agent knows.
func (t *truth) recorded() {
	t.unrecorded = unrecorded{}
	t.toldRules, t.toldPoints = len(t.rules), len(t.points)
	for i := range t.decisions {
		t.decisions[i].recorded = true
	}
	for i, p := range t.points {
		t.points[i].told = p.done
	}
}

// open returns the points of the order that are not finished.
func (t *truth) open() []string {
	var all []string
	for _, p := range t.points {
		if !p.done {
			all = append(all, p.text)
		}
	}
	return all
}

// stale returns the finished points that no record mentions as finished.
func (t *truth) stale() []point {
	return slices.DeleteFunc(slices.Clone(t.points), func(p point) bool { return !p.done || p.told })
}

// essentials returns the body of a checkpoint for the order, as an agent writes it at the
// beginning.
func (t *truth) essentials() string {
	var w strings.Builder
	fmt.Fprintf(&w, "## Problem\n\n%s\n\n## Session Intent\n\n%s\n\n## Essential Information\n\n### Decisions\n\n",
		t.problem, t.intent)
	for _, d := range t.decisions {
		fmt.Fprintf(&w, "- **%s**: %s\n", d.what, d.why)
	}
	w.WriteString("\n### Next Actions\n\n")
	for i, p := range t.open() {
		fmt.Fprintf(&w, "%d. %s\n", i+1, p)
	}
	w.WriteString("\n## User Rules\n\n")
	for _, r := range t.rules {
		fmt.Fprintf(&w, "- %s\n", r)
	}
	return w.String()
}

// delta returns the body of a delta, as the instructions ask for it.
func (t *truth) delta(changed, state string) string {
	var w strings.Builder
	fmt.Fprintf(&w, "%s\n", changed)
	section := func(title string, entries []string) {
		if len(entries) > 0 {
			fmt.Fprintf(&w, "\n### %s\n\n- %s\n", title, strings.Join(entries, "\n- "))
		}
	}
	var decided, done []string
	for _, d := range t.decisions {
		if !d.recorded {
			decided = append(decided, "**"+d.what+"**: "+d.why)
		}
	}
	for _, p := range t.stale() {
		done = append(done, p.text)
	}
	section("User Rules", t.rules[t.toldRules:])
	section("Decisions", decided)
	section("Done", done)
	fmt.Fprintf(&w, "\n### Current State\n\n%s\n", state)
	return w.String()
}

// handoff returns the HANDOFF.md that a diligent agent would write by hand at this moment, with
// all facts and a line for each finished part.
func (t *truth) handoff(log []string, state string) string {
	var w strings.Builder
	fmt.Fprintf(&w, "# Handoff\n\n%s\n\n%s\n", t.problem, t.intent)
	section := func(title string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(&w, "\n## %s\n\n- %s\n", title, strings.Join(lines, "\n- "))
		}
	}
	var decided, done, files []string
	for _, d := range t.decisions {
		decided = append(decided, "**"+d.what+"**: "+d.why)
	}
	for _, p := range t.points {
		if p.done {
			done = append(done, p.text+" → done")
		}
	}
	for _, f := range t.files {
		files = append(files, "`"+f+"`")
	}
	section("The user's rules", t.rules)
	section("Decisions", decided)
	section("Next", t.open())
	if state != "" {
		fmt.Fprintf(&w, "\n## State\n\n%s\n", state)
	}
	if t.lastTest != nil {
		fmt.Fprintf(&w, "\nTests: %s)\n", t.lastTest)
	}
	section("Done", slices.Concat(done, log))
	section("Files", files)
	return w.String()
}
