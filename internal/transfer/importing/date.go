package importing

import (
	"cmp"
	"path"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

var (
	isoTime = text.Regexp(`(?:^|[^0-9])(20\d\d-[01]\d-[0-3]\d)(?:[T _-]+([0-2]\d)[:h-]?([0-5]\d)((?::[0-5]\d(?:[.,]\d+)?)?)` +
		`\s*\(?([A-Z]{1,5}\b|[+-]\d\d:?\d\d\b)?(?:[^0-9]|$))?`)
	longDay = text.Regexp(`(?i)\b(?:(\d{1,2})(?:st|nd|rd|th)? )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? ` +
		`(?:(\d{1,2})(?:st|nd|rd|th)?,? )?(20\d\d)\b`)
	slashDay = text.Regexp(`\b(20\d\d)[./]([01]\d)[./]([0-3]\d)\b`)
	saysTime = text.Regexp(`(?i)(?:^|[-*_>(|.\s])(?:(?:date|created|created at|started|written|generated|last session|timestamp)` +
		`[*_]*\s*:|(?:last[ -])?updated?[*_]*\s*(?:at|on)?\s*:?|as of:?)[*_]*\s*(.{0,60})`)
	keysOfTime = []string{"created", "created_at", "created_date", "date", "started", "timestamp", "updated",
		"last_updated", "updated_at", "modified"}
)

// dated returns the time at which a source was written, or zero. That is the first time in the frontmatter, the name,
// the title, or the first or last lines, or else the newest day in a heading. It ignores times in the future: plans.
func dated(files []file, name string, now time.Time) (newest time.Time) {
	var stated []string
	for _, f := range files {
		for _, key := range keysOfTime {
			value, _ := cmp.Or(f.given, f.doc).Front.Get(key)
			stated = append(stated, value)
		}
	}
	stated = append(stated, path.Base(name))
	for _, f := range files {
		if f.titled {
			stated = append(stated, f.doc.Sections()[0].Title)
		}
		for _, line := range outerLines(f.doc) {
			if m := saysTime.Get().FindStringSubmatch(line); m != nil {
				stated = append(stated, m[1])
			}
		}
	}
	isPast := func(t time.Time) bool { return t.Before(now.Add(24 * time.Hour)) }
	for _, text := range stated {
		if t, ok := timeIn(text); ok && isPast(t) {
			return t
		}
	}
	for _, f := range files {
		for _, s := range f.doc.Sections() {
			if t, ok := timeIn(s.Title); ok && isPast(t) && t.After(newest) {
				newest = t
			}
		}
	}
	return newest
}

// isoDay returns a text with the first day in it, such as "March 20, 2026" or 2026/03/20, written as 2026-03-20.
func isoDay(text string) string {
	text = slashDay.Get().ReplaceAllString(text, "$1-$2-$3")
	if m := longDay.Get().FindStringSubmatch(text); m != nil {
		day, err := time.Parse("Jan 2 2006", m[2]+" "+cmp.Or(m[3], m[1], "1")+" "+m[4])
		if err == nil {
			text = strings.Replace(text, m[0], day.Format(time.DateOnly), 1)
		}
	}
	return text
}

// timeIn returns the first day in a text, with the time after it. It ignores a time whose zone has an ambiguous name.
func timeIn(text string) (time.Time, bool) {
	m := isoTime.Get().FindStringSubmatch(isoDay(text))
	if m == nil {
		return time.Time{}, false
	}
	if t, ok := checkpoint.ParseTime(m[1] + "T" + m[2] + ":" + m[3] + m[4] + m[5]); m[2] != "" && ok {
		return t, true
	}
	return checkpoint.ParseTime(m[1])
}

// outerLines returns the first 40 and the last 5 lines of paragraphs, lists and quotes. It leaves out code blocks,
// which may quote other files.
func outerLines(d *doc.Doc) []string {
	var all []string
	for _, b := range d.Blocks(d.Body()) {
		said := d.Slice(b.Span)
		if b.Kind != doc.Other || said[0] == '>' {
			all = append(all, strings.Split(said, "\n")...)
		}
	}
	return append(all[:min(40, len(all)):min(40, len(all))], all[max(0, len(all)-5):]...)
}
