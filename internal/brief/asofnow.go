package brief

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/text"
)

// recentFiles is how many files, the latest mentioned, are recent.
const recentFiles = 15

// step is an entry of what was done.
type step struct {
	text string
	at   time.Time // as well as it is known
}

// playByPlay is what was done, newest first, and what was done before that.
func playByPlay(c *checkpoint.Checkpoint) (recent, earlier string) {
	all, rest := history(c)
	lines := make([]string, len(all))
	for i, s := range all {
		lines[i] = "- " + strings.ReplaceAll(s.text, "\n", "\n  ")
	}
	n := min(len(lines), fold.Detailed)
	recent, earlier = strings.Join(lines[:n], "\n"), strings.Join(lines[n:], "\n")
	if earlier == "" {
		return paragraphs(recent, rest), ""
	}
	return recent, paragraphs(earlier, rest)
}

// history is the deltas and the entries of Play-By-Play, newest first, and what
// the section says besides.
//
// A delta has its time; so has an entry that begins with one. Any other is as old
// as the one before it. Entries that were moved here from Next Actions, which say
// "→ done" and no time, came one by one until the last change: they are taken as
// spread over that time.
func history(c *checkpoint.Checkpoint) (all []step, rest string) {
	place, ok := c.Find(checkpoint.PlayByPlay)
	if ok {
		asides := c.Asides(checkpoint.PlayByPlay)
		var gone []doc.Span
		for _, a := range asides {
			gone = append(gone, c.Doc.Content(a.Span()))
		}
		items := slices.DeleteFunc(c.Doc.Items(place.Extent), func(item doc.Entry) bool {
			return slices.ContainsFunc(asides, func(a checkpoint.Section) bool { return a.Span().Contains(item.Span) })
		})
		since, last := c.Created(), c.LastDelta()
		for i, item := range items {
			s := step{text: item.Text}
			gone = append(gone, item.Span)
			switch at, dated := leadingTime(item.Text); {
			case dated:
				since = at
				s.at = at
			case isDone(item.Text) && last.After(since):
				s.at = since.Add(last.Sub(since) / time.Duration(len(items)-i))
				since = s.at
			default:
				s.at = since
			}
			all = append(all, s)
		}
		rest = c.Doc.TextWithout(place.Extent, gone...)
	}
	slices.Reverse(all)
	deltas := fold.Steps(c)
	slices.Reverse(deltas)
	var told []step
	for _, d := range deltas {
		s := step{text: d.Line()}
		switch {
		case d.Report: // what an exploration found, which nobody is to find again
			s.text = d.Text()
		case d.Rest != "":
			s.text += " …"
		}
		s.at, _ = checkpoint.ParseTime(d.Stamp)
		told = append(told, s)
	}
	all = append(told, all...)
	slices.SortStableFunc(all, func(a, b step) int { return cmp.Compare(b.at.Unix(), a.at.Unix()) })
	return all, paragraphs(rest, others(c, checkpoint.PlayByPlay))
}

// details returns the text of deltas below their first paragraphs, newest first, in
// entries that begin with the time of the delta.
func details(c *checkpoint.Checkpoint) string {
	var all []string
	for _, d := range slices.Backward(fold.Steps(c)) {
		if d.Rest != "" && !d.Report { // a report is told in full
			all = append(all, "- "+d.Stamp+":\n\n  "+strings.ReplaceAll(d.Rest, "\n", "\n  "))
		}
	}
	return strings.Join(all, "\n")
}

var leading = text.Regexp(`^[*_(\[]*(\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?)?)`)

// leadingTime is the time that an entry begins with.
func leadingTime(text string) (time.Time, bool) {
	m := leading.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}, false
	}
	return checkpoint.ParseTime(m[1])
}

// isDone says whether an entry was moved here from Next Actions.
func isDone(text string) bool {
	line, _, _ := strings.Cut(text, "\n\n")
	return strings.HasSuffix(line, "→ done") || strings.Contains(line, "→ done\n")
}

// trail is the artifact trail as of now: one row a file, later mentions winning,
// the latest mentioned first, and the files that were mentioned before those. Where
// there are many the folders go before them.
func trail(c *checkpoint.Checkpoint) (recent, earlier string) {
	all := fold.Artifacts(c)
	if len(all) == 0 {
		return textOf(c, checkpoint.Artifacts), ""
	}
	slices.Reverse(all)
	n := min(len(all), recentFiles)
	recent, earlier = paragraphs(folders(all), table(all[:n])), table(all[n:])
	if earlier == "" {
		return paragraphs(recent, besides(c)), ""
	}
	return recent, paragraphs(earlier, besides(c))
}

func table(all []checkpoint.Artifact) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(doc.TableRow("File", "Status", "Key Change") + "|------|--------|------------|\n")
	for _, a := range all {
		b.WriteString(doc.TableRow(fold.Cell(a.File), a.Action, a.Change))
	}
	return strings.TrimRight(b.String(), "\n")
}

// besides is what the Artifact Trail says that names no file.
func besides(c *checkpoint.Checkpoint) string {
	place, ok := c.Find(checkpoint.Artifacts)
	if !ok {
		return ""
	}
	var told []doc.Span
	for _, e := range checkpoint.TrailEntries(c.Doc, place.Extent) {
		if e.Cells == nil {
			told = append(told, e.Span)
		}
	}
	for _, t := range c.Doc.Tables(place.Extent) {
		told = append(told, t.Span)
	}
	if rest := paragraphs(c.Doc.TextWithout(place.Extent, told...), others(c, checkpoint.Artifacts)); !checkpoint.IsNone(rest) {
		return rest
	}
	return ""
}

// pruned is a reference that is crossed out as stale and that nothing takes the place of.
var pruned = text.Regexp(`^~~[^~]*~~ *(\(.*\))?$`)

// breadcrumbs are the references, newest first where they are a table, and the stale
// ones: to files that were deleted since, or crossed out.
func breadcrumbs(c *checkpoint.Checkpoint) (fresh, stale string) {
	place, ok := c.Find(checkpoint.Breadcrumbs)
	if !ok {
		return "", ""
	}
	tables := c.Doc.Tables(place.Extent)
	if len(tables) != 1 || tables[0].Span != c.Doc.Content(place.Extent) || len(tables[0].Rows) == 0 || others(c, checkpoint.Breadcrumbs) != "" {
		return textOf(c, checkpoint.Breadcrumbs), ""
	}
	deleted := map[string]bool{}
	for _, a := range fold.Artifacts(c) {
		deleted[a.File] = a.Action == "deleted"
	}
	rows := tables[0].Rows
	head := c.Doc.Slice(doc.Span{Start: tables[0].Span.Start, End: rows[0].Span.Start})
	for _, row := range slices.Backward(rows) {
		line := strings.TrimRight(c.Doc.Slice(row.Span), "\r\n") + "\n"
		if len(row.Cells) > 1 && (deleted[strings.Trim(row.Cells[1], "` ")] || pruned.MatchString(row.Cells[1])) {
			stale += line
		} else {
			fresh += line
		}
	}
	withHead := func(lines string) string {
		if lines == "" {
			return ""
		}
		return strings.TrimRight(strings.ReplaceAll(head, "\r\n", "\n")+lines, "\n")
	}
	return withHead(fresh), withHead(stale)
}
