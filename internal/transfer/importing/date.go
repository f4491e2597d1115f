package importing

import (
	"path"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

var (
	dayPattern  = text.Regexp(`(?:^|[^0-9])(20\d\d-[01]\d-[0-3]\d)(?:[T _-]+([0-2]\d)[:h-]?([0-5]\d)(?:[^0-9]|$))?`)
	zonePattern = text.Regexp(`^(?::[0-5]\d(?:[.,]\d+)?)?\s*\(?([A-Z]{1,5}|[+-]\d\d:?\d\d)\b`)
	saysPattern = text.Regexp(`(?i)^[-*>\s]*\**(?:date|created|created at|started|written|generated|updated|last updated|last session|timestamp)\**\s*:\**\s*(.*)$`)
	keysOfTime  = []string{"created", "created_at", "created_date", "date", "started", "timestamp", "updated",
		"last_updated", "updated_at", "modified"}
)

// dated returns the time that a source states in its frontmatter, its name, its title or one of its
// first lines; the first of these counts. It ignores times in the future, since they are plans.
func dated(files []file, name string, now time.Time) (time.Time, bool) {
	var front, titles, lines []string
	for _, f := range files {
		for _, key := range keysOfTime {
			if f.given != nil {
				value, _ := f.given.Front.Get(key)
				front = append(front, value)
			}
		}
		if title, ok := f.title(); ok {
			titles = append(titles, title.Title)
		}
		for _, line := range firstLines(f.doc, 40) {
			if m := saysPattern.FindStringSubmatch(line); m != nil {
				lines = append(lines, m[1])
			}
		}
	}
	read := checkpoint.ParseTime // for the frontmatter; then timeIn is used
	for _, texts := range [][]string{front, {path.Base(name)}, titles, lines} {
		for _, text := range texts {
			t, ok := read(text)
			if ok && t.Year() > 1990 && t.Before(now.Add(24*time.Hour)) {
				return t, true
			}
		}
		read = timeIn
	}
	return time.Time{}, false
}

// timeIn returns the first day in a text, with the time that follows it. It leaves out a time in an
// unknown or ambiguous zone.
func timeIn(text string) (time.Time, bool) {
	m := dayPattern.FindStringSubmatchIndex(text)
	if m == nil {
		return time.Time{}, false
	}
	day, err := time.Parse(time.DateOnly, text[m[2]:m[3]])
	if err != nil || m[4] < 0 {
		return day, err == nil
	}
	t, err := time.Parse("2006-01-02 15:04", text[m[2]:m[3]]+" "+text[m[4]:m[5]]+":"+text[m[6]:m[7]])
	if err != nil {
		return day, true
	}
	zone := zonePattern.FindStringSubmatch(text[m[7]:])
	if zone == nil {
		return t, true
	}
	if hours, known := zones()[zone[1]]; known {
		return t.Add(-time.Duration(hours) * time.Hour), true
	}
	for _, layout := range []string{"-07:00", "-0700"} {
		if at, err := time.Parse(layout, zone[1]); err == nil {
			_, east := at.Zone()
			return t.Add(-time.Duration(east) * time.Second), true
		}
	}
	return day, true
}

// zones returns the hours ahead of UTC by the name of a time zone. CST, IST and the like, which mean
// several offsets, are left out.
func zones() map[string]int {
	return map[string]int{
		"Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "MSK": 3, "JST": 9,
		"KST": 9,
		"EST": -5, "EDT": -4, "CDT": -5, "MDT": -6, "PST": -8, "PDT": -7,
	}
}

// dayIn returns the first day in a text, with its time, or "".
func dayIn(text string) string {
	if m := dayPattern.FindStringSubmatch(text); m != nil {
		return m[1] + m[2] + m[3]
	}
	return ""
}

// firstLines returns the first n lines of paragraphs and lists. It leaves out code blocks,
// which may quote other files.
func firstLines(d *doc.Doc, n int) []string {
	var all []string
	for _, b := range d.Blocks(d.Body()) {
		if b.Kind == doc.Other {
			continue
		}
		for line := range strings.Lines(d.Slice(b.Span)) {
			n--
			if n < 0 {
				return all
			}
			all = append(all, strings.TrimSpace(line))
		}
	}
	return all
}
