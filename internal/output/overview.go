package output

import (
	"cmp"
	"fmt"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/stats"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/text"
)

// Status prints the active checkpoints.
func Status(p *Printer, o *result.Overview) {
	printEntries(p, o, "no active checkpoint %s (ckpt list --all)",
		"no checkpoint is active (ckpt new NAME --problem TEXT)")
	if o.Ref != "" {
		p.remark("commit: ref: the checkpoints are on " + o.Ref + ", their files in " + o.Folder + "/")
	}
}

// shortAction is the maximum number of characters of the next action in a prompt.
const shortAction = 50

// ShortStatus prints the current checkpoint for a prompt: "chk-auth* Fix the cookie".
func ShortStatus(p *Printer, g result.ShortStatus) {
	if g.ID == "" {
		return
	}
	line := g.ID
	if g.Edited {
		line += "*"
	}
	p.printf("%s\n", strings.TrimSpace(line+" "+text.Shorten(text.OneLine(g.Next), shortAction)))
}

// Incomplete prints the runs that did not complete, and the current checkpoint if it lacks work that was done.
func Incomplete(p *Printer, o *result.Overview) {
	printEntries(p, o, "no run %s is incomplete", "no run is incomplete")
}

// printEmpty prints a remark if there are no checkpoints, then the warnings. The remark is ifNone or, if only the
// checkpoints of an agent or a run were requested, it has the format ifNoneOf.
func printEmpty(p *Printer, o *result.Overview, ifNoneOf, ifNone string) {
	switch {
	case len(o.Entries) > 0:
	case o.Of != "":
		p.remark(fmt.Sprintf(ifNoneOf, o.Of))
	default:
		p.remark(ifNone)
	}
	p.remark(o.Warnings...)
}

// printEntries prints a few lines for each checkpoint, then what printEmpty prints.
func printEntries(p *Printer, o *result.Overview, ifNoneOf, ifNone string) {
	defer printEmpty(p, o, ifNoneOf, ifNone)
	for i, e := range o.Entries {
		if i > 0 {
			p.printf("\n")
		}
		p.printf("%s %s  %s\n", checkpoint.Status(e.Status).Symbol(), p.name(e.ID, e.Status),
			p.Dim(strings.Join(facts(p, e), ", ")))
		if e.Unreadable != "" {
			p.printf("    %s: %s\n", e.Path, p.Red(e.Unreadable))
			continue
		}
		if e.Problem != "" {
			p.printf("    %s\n", p.prose(e.Problem))
		}
		if e.Next != "" {
			p.printf("    next: \v%s\n", p.prose(e.Next))
		}
		if e.Status == string(checkpoint.Current) && len(o.AlsoIn) > 0 {
			p.printf("    also current in %s\n", text.List(o.AlsoIn, 3))
		}
		if e.Unfinished != "" {
			p.printf("    %s (ckpt resume %s)\n", e.Unfinished, e.ID)
		}
		if e.Mark != nil {
			end := "ckpt rewind REPORT"
			if e.Status != string(checkpoint.Current) {
				end = "ckpt rewind -c " + e.ID + " REPORT"
			}
			p.printf("    exploring since %s: %s (%s)\n", p.clock(e.Mark.At.Time), shorten(e.Mark.Goal, 100), end)
		}
	}
}

func facts(p *Printer, e *result.Entry) []string {
	all := []string{e.Status}
	if e.Elsewhere {
		all = append(all, "of "+e.Branch)
	}
	if !e.Changed.IsZero() {
		all = append(all, "changed "+p.when(e.Changed.Time))
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

// List prints a line for each checkpoint.
func List(p *Printer, o *result.Overview) {
	var rows [][]styled
	for _, e := range o.Entries {
		said := cmp.Or(e.Outcome, e.Problem)
		if e.Unreadable != "" {
			said = e.Path + ": " + e.Unreadable
		}
		if where := e.Run.Where(); where != "" && e.Unreadable == "" {
			said = "[" + where + "] " + said
		}
		if e.Elsewhere {
			said = "(of " + e.Branch + ") " + said
		}
		changed := ""
		if !e.Changed.IsZero() {
			changed = p.when(e.Changed.Time)
		}
		status := p.Plain(fmt.Sprintf("%-10s", e.Status))
		rows = append(rows, []styled{p.name(e.ID, e.Status), status, p.Dim(changed), p.Plain(said)})
	}
	p.table(true, rows...)
	printEmpty(p, o, "no checkpoint %s (ckpt list --all)",
		"no checkpoint to list (ckpt new NAME begins one, ckpt list --all shows archived ones)")
}

// Pick prints checkpoints with numbers by which the user can pick one.
func Pick(p *Printer, o *result.Overview) {
	var rows [][]styled
	for i, e := range o.Entries {
		said := p.prose(e.Problem)
		if e.Status == string(checkpoint.Current) {
			said += "  (current)"
		}
		rows = append(rows, []styled{p.Plain(fmt.Sprintf("%3d", i+1)), p.name(e.ID, e.Status), said})
	}
	p.table(false, rows...)
}

// Tree draws the lineage with box characters. Problems are printed after the name, and on a
// terminal also what the checkpoint is about.
func Tree(p *Printer, f *lineage.Forest) {
	for _, n := range f.Roots {
		printNode(p, n, "", "")
	}
	for _, b := range f.Broken {
		p.printf("%s %s  %s\n", checkpoint.Status("").Symbol(), b.Path, p.Red("unreadable: "+b.Err.Error()))
	}
	treeRemarks(p, f)
}

// treeRemarks prints the remarks about a lineage, which are the same in every format.
func treeRemarks(p *Printer, f *lineage.Forest) {
	if len(f.Roots) == 0 && len(f.Broken) == 0 {
		p.remark("no checkpoint to draw (ckpt new NAME begins one)")
	}
	p.remark(f.Warnings...)
}

// printNode prints a node and those below it. Branch is the prefix of the node's line, and margin that of the others.
func printNode(p *Printer, n *lineage.Node, branch, margin string) {
	c := n.Checkpoint
	mark := p.Plain(branch + c.Status().Symbol() + " ")
	about := " [" + string(c.Status()) + "]"
	if created := c.Created(); !created.IsZero() {
		about = " (" + created.Format("2006-01-02") + ")" + about
	}
	line := mark + p.name(c.ID, string(c.Status())) + styled(about)
	if n.Skipped {
		line = p.Dim(string(mark) + c.ID + about)
	}
	for _, problem := range n.Problems {
		line += "  " + p.Red("← "+problem.String())
	}
	if room := p.width - term.Columns(string(line)) - 2; p.terminal && room >= term.Narrowest {
		line += "  " + p.Dim(shorten(c.Headline(), room)) // not in a pipe, where scripts parse the line
	}
	p.printf("%s\n", styled(strings.TrimRight(string(line), " ")))
	for i, child := range n.Children {
		if i < len(n.Children)-1 {
			printNode(p, child, margin+"├── ", margin+"│   ")
		} else {
			printNode(p, child, margin+"└── ", margin+"    ")
		}
	}
}

// Picture prints a drawing of a lineage, whose text has no escape sequences.
func Picture(p *Printer, f *lineage.Forest, drawn string, remarks []string) {
	p.raw(drawn)
	p.remark(remarks...)
	treeRemarks(p, f)
}

// Due prints whether a delta is due, and why.
func Due(p *Printer, a policy.Reminder) {
	switch {
	case a.ID == "":
		p.printf("not due: no checkpoint is current\n")
	case !a.Due():
		work := "no work detected"
		if len(a.Edits)+a.Files > 0 {
			work = policy.Minutes(a.Worked) + " of work, " + text.Count(a.Files, "file") + " changed"
		}
		p.printf("not due: %s, %s since %s\n", p.Bold(a.ID), work, p.clock(a.Since))
	default:
		p.printf("%s %s, %s (since %s)\n", p.Yellow("due ("+string(a.Triggers[0])+"):"), p.Bold(a.ID),
			strings.Join(a.Why(), "; "), p.clock(a.Since))
		p.remark("to write it (ckpt delta --help): ckpt delta -F - --trigger " + string(a.Triggers[0]))
	}
	if a.Unrecorded != "" {
		p.printf("%s\n", a.Unrecorded)
	}
}

// barWidth is the longest bar, in columns.
const barWidth = 24

// Stats prints the figures, with a bar for each day on a terminal.
func Stats(p *Printer, f *stats.Figures) {
	line := func(name string, value int, about ...string) {
		p.figure(p.Bold(name), value, p.Dim(strings.Join(about, ", ")))
	}
	var ops []string
	for _, op := range f.Ops() {
		ops = append(ops, fmt.Sprintf("%s %d", op, f.Operations[op]))
	}
	line("saves", f.Saves, ops...)
	about := []string{fmt.Sprintf("%d active", f.Active), fmt.Sprintf("%d archived", f.Archived),
		bytesOf(float64(f.Bytes))}
	if f.Unreadable > 0 {
		about = append(about, fmt.Sprintf("%d unreadable (ckpt doctor)", f.Unreadable))
	}
	line("checkpoints", f.Active+f.Archived, about...)
	line("decisions", f.Decisions, fmt.Sprintf("%d superseded", f.Superseded))
	line("learnings", f.Learnings)
	line("tokens used", f.Tokens, "tokens_used of the checkpoints")
	if f.Since.IsZero() {
		p.remark("this clone has noted no command yet: resumes and latencies begin with the next one")
	} else {
		p.printf("\nThis clone, since %s\n", p.clock(f.Since.Time))
		line("saves", f.SaveCount, latency(f.SaveLatency, bytesOf(f.SaveSize.Sum)+" written")...)
		line("resumes", f.ResumeCount, latency(f.ResumeLatency, text.Count(f.Steps, "step")+" recovered")...)
	}
	if len(f.Days) > 0 {
		p.printf("\nDeltas per day\n")
	}
	most := 0
	for _, d := range f.Days {
		most = max(most, d.Deltas)
	}
	for _, d := range f.Days {
		bar := ""
		if p.terminal {
			bar = strings.Repeat("█", (d.Deltas*barWidth+most-1)/most)
		}
		p.figure(p.Plain(d.Date), d.Deltas, p.Green(bar))
	}
}

func (p *Printer) figure(name styled, value int, about styled) {
	pad := strings.Repeat(" ", max(13-term.Columns(string(name)), 0))
	p.table(false, []styled{name + styled(fmt.Sprintf("%s %8d", pad, value)), about})
}

// latency returns a fact about commands, followed by how long the commands took.
func latency(took stats.Spread, about string) []string {
	if took.None {
		return []string{about}
	}
	return []string{about, fmt.Sprintf("median %.1f ms", took.Median), fmt.Sprintf("95 %% within %.1f ms", took.P95)}
}

func bytesOf(n float64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%.0f bytes", n)
	case n < 1e6:
		return fmt.Sprintf("%.1f KB", n/1e3)
	}
	return fmt.Sprintf("%.1f MB", n/1e6)
}

// Learnings prints learnings in groups by the checkpoint that they come from.
func Learnings(p *Printer, learnings []learnings.Learning) {
	for i, l := range learnings {
		if i == 0 || l.ID != learnings[i-1].ID || l.Date != learnings[i-1].Date {
			if i > 0 {
				p.printf("\n")
			}
			if title := strings.Trim(l.Date+" — "+l.ID, " —"); title != "" {
				p.printf("%s\n", p.Bold(title))
			}
		}
		p.printf("- \v%s\n", p.prose(l.Text))
	}
	if len(learnings) == 0 {
		p.remark("no learnings found")
	}
}
