package brief

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/transfer/schema"
)

// recentFiles is how many of the files that were mentioned last count as recent.
const recentFiles = 15

// pastStep is an entry of Play-By-Play or a delta.
type pastStep struct {
	text string
	at   time.Time // the time, as exactly as it is known
}

// playByPlay returns the completed steps in two texts, the recent and the earlier ones, each newest first.
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

// history returns the deltas and the entries of Play-By-Play, newest first, and the rest of the section.
//
// A delta has a time, and so has an entry that begins with one. Any other entry is as old as the
// entry before it. Entries that were moved here from Next Actions end in "→ done" and have no time:
// history spreads them evenly over the time up to the last delta.
func history(c *checkpoint.Checkpoint) (all []pastStep, rest string) {
	place, _ := c.Find(checkpoint.PlayByPlay)
	asides := c.Asides(checkpoint.PlayByPlay)
	var used []doc.Span
	for _, a := range asides {
		used = append(used, c.Doc.Content(a.Span()))
	}
	items := slices.DeleteFunc(c.Doc.Items(place.Extent), func(item doc.Entry) bool {
		return slices.ContainsFunc(asides, func(a checkpoint.Section) bool { return a.Span().Contains(item.Span) })
	})
	since, last := c.Created(), c.LastDelta()
	for i, item := range items {
		used = append(used, item.Span)
		if at, dated := leadingTime(item.Text); dated {
			since = at
		} else if isDone(item.Text) && last.After(since) {
			since = since.Add(last.Sub(since) / time.Duration(len(items)-i))
		}
		all = append(all, pastStep{item.Text, since})
	}
	rest = c.Doc.Text(place.Extent, used...)
	for _, d := range fold.Steps(c) {
		s := pastStep{text: d.Line()}
		switch {
		case d.Report: // a report has the result of an exploration: it is shown in full
			s.text = d.Text()
		case d.Rest != "":
			s.text += " …"
		}
		s.at, _ = checkpoint.ParseTime(d.Stamp)
		all = append(all, s)
	}
	slices.Reverse(all) // of entries with equal times the later one comes first
	slices.SortStableFunc(all, func(a, b pastStep) int { return cmp.Compare(b.at.Unix(), a.at.Unix()) })
	return all, paragraphs(rest, repeated(c, checkpoint.PlayByPlay))
}

// details returns what the deltas have below their first paragraphs, newest first.
func details(c *checkpoint.Checkpoint) string {
	var all []string
	for _, d := range slices.Backward(fold.Steps(c)) {
		if d.Rest != "" && !d.Report { // the steps already have a report in full
			all = append(all, "- "+d.Stamp+":\n\n  "+strings.ReplaceAll(d.Rest, "\n", "\n  "))
		}
	}
	return strings.Join(all, "\n")
}

var leading = text.Regexp(`^[*_(\[]*(\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?)?)`)

// leadingTime returns the time with which an entry begins.
func leadingTime(text string) (time.Time, bool) {
	m := leading.Get().FindStringSubmatch(text)
	if m == nil {
		return time.Time{}, false
	}
	return checkpoint.ParseTime(m[1])
}

// isDone reports whether an entry was moved to Play-By-Play from Next Actions.
func isDone(text string) bool {
	line, _, _ := strings.Cut(text, "\n\n")
	return strings.HasSuffix(line, "→ done") || strings.Contains(line, "→ done\n")
}

// trail returns the artifact trail with the deltas folded in, as a table of the recent files and one of the earlier
// files. Each file has one row, for its latest mention, and the latest comes first. A line may name groups of files.
func trail(c *checkpoint.Checkpoint) (recent, earlier string) {
	all := fold.Artifacts(c)
	if len(all) == 0 {
		return sectionText(c, checkpoint.Artifacts), ""
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

// besides returns the text of the Artifact Trail without the entries that name files.
func besides(c *checkpoint.Checkpoint) string {
	place, _ := c.Find(checkpoint.Artifacts)
	var used []doc.Span
	for _, e := range checkpoint.TrailEntries(c.Doc, place.Extent) {
		if e.Cells == nil {
			used = append(used, e.Span)
		}
	}
	for _, t := range c.Doc.Tables(place.Extent) {
		used = append(used, t.Span)
	}
	rest := paragraphs(c.Doc.Text(place.Extent, used...), repeated(c, checkpoint.Artifacts))
	if checkpoint.IsNone(rest) {
		return ""
	}
	return rest
}

// For a trail of at least manyFiles files, a line may name its groups of files, the largest first, at most namedGroups.
const (
	manyFiles   = 6
	namedGroups = 8
)

// folders returns a line with the number of files in each group of files that have folder and extension in common,
// the largest group first (docs/sources.md, S001-80). It is empty for few files, or for small groups.
func folders(files []checkpoint.Artifact) string {
	if len(files) < manyFiles {
		return ""
	}
	groups := checkpoint.GroupFiles(files)
	if 2*len(groups) > len(files) {
		return ""
	}
	slices.SortStableFunc(groups, func(a, b checkpoint.FileGroup) int { return cmp.Compare(len(b.Files), len(a.Files)) })
	var words []string
	for _, g := range groups {
		words = append(words, fmt.Sprintf("`%s` (%d)", g.Pattern, len(g.Files)))
	}
	return fmt.Sprintf("%d files: %s", len(files), text.List(words, namedGroups))
}

// pruned matches a reference that is struck through as stale and has no successor.
var pruned = text.Regexp(`^~~[^~]*~~ *(\(.*\))?$`)

// breadcrumbs returns two texts. If the section is a single table, they are the valid references, newest first, and the
// stale ones, which name deleted files or are struck through. Otherwise fresh is the whole section.
func breadcrumbs(c *checkpoint.Checkpoint) (fresh, stale string) {
	place, _ := c.Find(checkpoint.Breadcrumbs)
	tables := c.Doc.Tables(place.Extent)
	alone := len(tables) == 1 && tables[0].Span == c.Doc.Content(place.Extent) && len(tables[0].Rows) > 0
	if !alone || repeated(c, checkpoint.Breadcrumbs) != "" {
		return sectionText(c, checkpoint.Breadcrumbs), ""
	}
	deleted := map[string]bool{}
	for _, a := range fold.Artifacts(c) {
		deleted[a.File] = a.Action == "deleted"
	}
	rows := tables[0].Rows
	for _, row := range slices.Backward(rows) {
		line := strings.TrimRight(c.Doc.Slice(row.Span), "\r\n") + "\n"
		if len(row.Cells) > 1 && (deleted[strings.Trim(row.Cells[1], "` ")] || pruned.Get().MatchString(row.Cells[1])) {
			stale += line
		} else {
			fresh += line
		}
	}
	head := c.Doc.Slice(doc.Span{Start: tables[0].Span.Start, End: rows[0].Span.Start})
	withHead := func(lines string) string {
		if lines == "" {
			return ""
		}
		return strings.TrimRight(strings.ReplaceAll(head, "\r\n", "\n")+lines, "\n")
	}
	return withHead(fresh), withHead(stale)
}

// progressOf returns the progress of the work, if the file records it (docs/sources.md, S001-78). Open is a line with
// the current step and the counts, followed by the items in progress and the pending ones. Completed is the completed
// items, newest first. Items that another part of the brief lists are left out.
func progressOf(c *checkpoint.Checkpoint) (open, completed string) {
	s := progress.Of(c)
	place := progress.RunOf(c)
	place.Progress = ""
	if s.Percent >= 0 {
		place.Progress = fmt.Sprintf("%d%%", s.Percent)
	}
	if place.Workflow+place.Phase+place.Step+c.Field("progress") == "" && !slices.ContainsFunc(s.Items, tracked) {
		return "", ""
	}
	boxes := func(status progress.Status, mark string) []string {
		var all []string
		for _, item := range s.Items {
			if item.Status == status && !listed(item) {
				all = append(all, "- ["+mark+"] "+item.Text)
			}
		}
		return all
	}
	line := text.Shorten(place.Where(), longestGoal)
	if counts := counted(s); counts != "" {
		line += ": " + counts
	}
	done := boxes(progress.Completed, "x")
	slices.Reverse(done)
	todo := append(boxes(progress.InProgress, "~"), boxes(progress.Pending, " ")...)
	return paragraphs(line, strings.Join(todo, "\n")), strings.Join(done, "\n")
}

// counted returns the number of items by status: "3 completed, 1 in progress, 2 pending". It is
// empty if the current step is the only item.
func counted(s progress.Progress) string {
	if len(s.Items) == 1 && s.Items[0].Source == progress.Front {
		return ""
	}
	count := map[progress.Status]int{}
	for _, item := range s.Items {
		count[item.Status]++
	}
	var words []string
	add := func(status progress.Status, word string) {
		if n := count[status]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, word))
		}
	}
	add(progress.Completed, "completed")
	add(progress.InProgress, "in progress")
	add(progress.Pending, "pending")
	return strings.Join(words, ", ")
}

// tracked reports whether the file states the status of an item. The implicit status of a next
// action, or of a step under Play-By-Play, does not count.
func tracked(i progress.Item) bool {
	return slices.Contains([]progress.Source{progress.Reported, progress.Stated}, i.Source) ||
		i.Source == progress.NextAction && i.Status != progress.Pending
}

// listed reports whether another part of the brief shows an item and its status. Other parts leave out
// done next actions.
func listed(i progress.Item) bool {
	return slices.Contains([]progress.Source{progress.Front, progress.Stated, progress.Step}, i.Source) ||
		i.Source == progress.NextAction && i.Status != progress.Completed
}

// own adds the sections that the format does not define: first those of the file, then those of the
// deltas, newest delta first. It leaves out a section of a delta if another part contains its text.
func (b *Brief) own(c *checkpoint.Checkpoint) {
	add := func(title string, body doc.Span, heading bool) {
		b.add(Part{Name: OwnPart, Title: title, Tier: CanSummarise, Text: c.Doc.Text(body), heading: heading})
	}
	add("Before the first heading", c.Doc.Preamble(), false)
	further, saved := schema.Further(c)
	for _, s := range ownSections(c) {
		switch {
		case saved && s.Title == checkpoint.FurtherFields:
			text := c.Doc.Text(s.Body, schema.Saved(c)...) + "\n\n" + further
			b.add(Part{Name: OwnPart, Title: s.Title, Tier: CanSummarise, Text: strings.Trim(text, "\n")})
			further = ""
		case s.remnant:
			add(distinct(s.Title), s.Body, s.Level > 2 && !revise.OfProgress(s.Title))
		default:
			add(s.Title, s.Body, true)
		}
	}
	for _, d := range slices.Backward(c.Deltas()) {
		add("From the delta of "+cmp.Or(d.Stamp, "an unknown day"), d.Section.Body, false)
		for _, part := range d.Parts {
			known := revise.OfProgress(part.Title)
			if !known || !fold.Spent(c, part) {
				add(distinct(part.Title), part.Body, !known)
			}
		}
	}
}

// ownSection is a section that the format does not define.
type ownSection struct {
	checkpoint.Heading
	remnant bool // the section is part of a delta that a fold left in the file
}

// ownSections returns the sections that the format does not define, each with its subsections. The title of the file
// is a section by itself, and so is each heading of a delta that a fold left in the file.
func ownSections(c *checkpoint.Checkpoint) []ownSection {
	var all []ownSection
	open := false    // the next heading may belong to the last section
	remnant := false // the last heading of level 1 or 2 is that of a delta's part that a fold left in the file
	for _, s := range c.Headings() {
		if s.Level <= 2 {
			remnant = checkpoint.IsRemnant(s.Section)
		}
		last := len(all) - 1
		switch {
		case s.Kind != checkpoint.Own || s.Mark || s.Delta != "":
			open = false
		case open && s.Level > all[last].Level:
			all[last].Body.End = s.Body.End
		default:
			all = append(all, ownSection{Heading: s, remnant: remnant})
			open = s.Level > 1 && !remnant
		}
	}
	return all
}

// asides adds a part for each subsection whose heading contradicts its section, such as "Rejected" below Decisions.
func (b *Brief) asides(c *checkpoint.Checkpoint) {
	for _, k := range []checkpoint.Kind{checkpoint.Next, checkpoint.PlayByPlay, checkpoint.Decisions} {
		for _, a := range c.Asides(k) {
			title := k.String() + ": " + a.Title
			b.add(Part{Name: OwnPart, Title: title, Tier: ShouldKeep, Text: c.Doc.Text(a.Extent), heading: true})
		}
	}
}

// distinct returns the title of a section of a delta, with a suffix if the format, too, has a section with this title.
func distinct(title string) string {
	if _, known := checkpoint.KindNamed(title); known || revise.OfProgress(title) {
		return title + ", in a delta"
	}
	return title
}
