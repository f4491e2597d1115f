package output

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/text"
)

// Receipt prints a line about what was done, with the commit.
func Receipt(p *Printer, r *result.Receipt) {
	name := r.Op
	if r.ID != "" {
		name += " " + r.ID
	}
	switch {
	case r.DryRun && !r.Unchanged:
		p.raw(r.Diff)
	case p.Quiet:
	case r.Unchanged:
		p.printf("%s: unchanged\n", name)
	default:
		how := r.Pending
		if r.Commit != "" {
			how = strings.TrimSuffix(r.Commit[:7]+"; "+r.Pending, "; ")
		}
		room := 80
		if p.terminal { // fit it on one line with the hash, if there is space
			if left := p.width - term.Columns(name+":  []"+how); left >= term.Narrowest {
				room = min(room, left)
			}
		}
		said := shorten(text.FirstLine(r.Summary), room)
		p.printf("%s: %s %s\n", p.Bold(name), p.prose(said), p.Dim("["+how+"]"))
		moves := r.Op == "new" || r.Op == "archive" || r.Op == "reopen"
		if moves && !strings.HasPrefix(r.Pending, "not published") { // an unpublished checkpoint has no file
			p.printf("  %s\n", r.Path)
		}
		if (r.Op == "setup" || r.Op == "unsetup") && len(r.Files) > 0 {
			p.printf("  %s\n", strings.Join(r.Files, "\n  "))
		}
		if r.Op == "done" {
			left := cmp.Or(r.Next, "no action is left (ckpt next TEXT, or ckpt archive --outcome TEXT)")
			p.printf("  next: \v%s\n", p.prose(left))
		}
		printGranted(p, r.Granted)
		printExploration(p, r.Exploration)
	}
	printResolution(p, r.Resolution)
	p.remark(r.Remarks...)
}

// printGranted prints what agents may run without asking. All agents may run the same commands.
func printGranted(p *Printer, all []result.Grant) {
	if len(all) == 0 {
		return
	}
	var agents []string
	tools := ""
	for _, g := range all {
		agents = append(agents, g.Agent)
		if len(g.Tools) > 0 {
			tools = ", and the tools of ckpt mcp"
		}
	}
	p.printf("  without asking, %s may run ckpt %s%s\n", strings.Join(agents, ", "), strings.Join(all[0].Commands, ", "),
		tools)
}

// printExploration prints the answer of mark or rewind in the words of similar tools, which agents
// expect.
func printExploration(p *Printer, e *result.Exploration) {
	switch {
	case e == nil:
	case e.Ended.IsZero():
		p.printf("Checkpoint created.\nGoal: %s\nRun your investigation, then call rewind with a concise report.\n", e.Goal)
	case e.Report != "":
		p.printf("Rewind requested.\nReport captured for context replacement.\n")
	}
}

// printResolution prints what happened to each file of a merge, and what the user still has to do.
func printResolution(p *Printer, r *result.Resolution) {
	if r == nil {
		return
	}
	for _, f := range r.Files {
		if !p.Quiet {
			p.printf("  %s: %s\n", f.Path, f.How)
		}
		for _, s := range f.Left {
			at := f.Path
			if s.Line > 0 {
				at += ":" + strconv.Itoa(s.Line)
			}
			p.printf("  %s: %s: %s\n", p.Yellow(at), cmp.Or(s.Section, "the file"), s.What)
		}
	}
}

// manySources is the maximum number of sources that are printed one by one.
const manySources = 30

// Import prints what each source became and where its lines went, then the receipt.
func Import(p *Printer, r *result.Import) {
	same := 0
	for _, s := range r.Sources {
		if s.Same {
			same++
		}
	}
	if !p.Quiet {
		printSources(p, r)
	}
	if same > 0 && same == len(r.Sources) {
		p.remark("nothing to do; --force imports it again")
	}
	Receipt(p, r.Receipt)
}

// printSources prints the sources of an import and where their lines went or would go.
func printSources(p *Printer, r *result.Import) {
	for i, s := range r.Sources {
		if i == manySources {
			p.printf("and %d more (--json lists them)\n", len(r.Sources)-manySources)
			break
		}
		name := s.In(s.File)
		if s.Same {
			p.printf("%s: imported before%s\n", p.Bold(name), prefixed(", it is ", s.ID))
			continue
		}
		p.printf("%s: %s → %s %s\n", p.Bold(name), s.Form, cmp.Or(s.ID, s.Path), p.Dim(text.Count(s.Lines, "line")))
		var shares []string
		for _, share := range s.Shares {
			shares = append(shares, fmt.Sprintf("%s %d", share.Section, share.Lines))
		}
		if len(shares) > 0 {
			p.printf("    %s\n", strings.Join(shares, ", "))
		}
		if s.ID != "" {
			p.printf("    next action: %s\n", cmp.Or(shorten(s.Next, 80), "none found"))
		}
		for _, remark := range s.Remarks {
			p.printf("    %s\n", p.Dim(remark))
		}
	}
}

// Operations prints the operations, the newest first, numbered as undo counts them.
func Operations(p *Printer, list *result.Operations) {
	all := list.Operations
	n := 0
	var rows [][]styled
	for _, o := range all {
		number, where, subject := "    ", "no commit", p.prose(o.Subject)
		if o.Commit != "" {
			where = o.Commit[:7]
		}
		commit := p.Plain(where)
		switch {
		case o.Undone:
			commit, subject = p.Dim(where), p.Dim(o.Subject+"  (undone)")
		case o.Redone:
			commit, subject = p.Dim(where), p.Dim(o.Subject+"  (redone)")
		case o.Elsewhere != "":
			subject += p.Dim("  (made " + o.Elsewhere + ")")
		case o.Op == "undo":
			commit, subject = p.Dim(where), p.Dim(o.Subject)
		default:
			n++
			number = fmt.Sprintf("%4d", n)
		}
		rows = append(rows, []styled{p.Plain(number), commit, p.Plain(p.when(o.Time.Time)), subject})
	}
	p.table(false, rows...)
	if len(all) == 0 {
		p.remark("no operation on this branch yet")
	}
}

// Sync prints one line about what was received and sent.
func Sync(p *Printer, s *result.Sync) {
	var said []string
	if s.Received > 0 {
		said = append(said, text.Count(s.Received, "commit")+" received")
	}
	if s.Merged {
		said = append(said, "merged")
	}
	if s.Sent > 0 {
		said = append(said, text.Count(s.Sent, "commit")+" sent")
	}
	if len(said) == 0 {
		said = []string{"nothing to receive or send"}
	}
	if !p.Quiet || s.DryRun {
		name := "sync"
		if s.DryRun {
			name = "sync, as of the last fetch"
		}
		p.printf("%s: %s %s\n", p.Bold(name+" "+s.Branch), strings.Join(said, ", "), p.Dim("["+s.Upstream+"]"))
	}
	p.remark(s.Remarks...)
}

// Migration prints how many checkpoints and files were moved, and where.
func Migration(p *Printer, m *result.Migration) {
	name := "migrate --to " + m.To
	switch {
	case p.Quiet && !m.DryRun:
	case m.Unchanged:
		p.printf("%s: nothing new\n", name)
	default:
		how := "dry run"
		if m.Commit != "" {
			how = m.Commit[:7]
		} else if !m.DryRun {
			how = "no commit on the branch"
		}
		p.printf("%s: %s %s\n", p.Bold(name), moved(m), p.Dim("["+how+"]"))
	}
	p.remark(m.Remarks...)
}

// moved describes how many checkpoints and files a migration moved.
func moved(m *result.Migration) string {
	checkpoints, files := text.Count(m.Checkpoints, "checkpoint"), text.Count(m.Files, "file")
	if m.To != string(policy.Ref) {
		return checkpoints + " from " + m.Ref + ", " + files + " put on the branch"
	}
	said := checkpoints + " on " + m.Ref
	if m.Files > 0 {
		said += ", " + files + " taken off the branch"
	}
	return said
}

// Pruned has the verdicts of the retention policy.
type Pruned struct {
	*policy.Pruning
	Unread []checkpoint.Broken // files that cannot be read, which the policy keeps
}

// Prune prints which checkpoints the policy would delete, and which it keeps although a
// limit is reached.
func Prune(p *Printer, all Pruned) {
	pruned := 0
	var rows, kept [][]styled
	for _, v := range all.Verdicts {
		changed := "no time"
		if !v.Changed.IsZero() {
			changed = p.when(v.Changed)
		}
		status := p.Plain(fmt.Sprintf("%-8s", v.Status))
		row := []styled{p.Red("prune"), p.name(v.ID, v.Status), status, p.Dim(changed), p.Plain(v.Why)}
		switch {
		case !v.Keep:
			rows = append(rows, row)
			pruned++
		case v.Spared:
			row[0] = p.Green("keep")
			kept = append(kept, row)
		}
	}
	p.table(false, append(rows, kept...)...)
	p.printf("%d of %s would go, %d stay\n", pruned, text.Count(len(all.Verdicts), "checkpoint"), len(all.Verdicts)-pruned)
	switch {
	case all.Limits.None():
		p.remark("the policy sets no limit (retention in config.yaml; or --older-than 30d, --max-per-workflow 10)")
	case pruned > 0:
		p.remark("nothing is deleted yet (--apply does, in one commit; ckpt undelete ID restores one)")
	}
	if len(all.Unread) > 0 {
		p.remark(fmt.Sprintf("kept besides: %s that cannot be read (ckpt validate)", text.Count(len(all.Unread), "file")))
	}
}
