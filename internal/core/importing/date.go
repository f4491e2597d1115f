package importing

import (
	"path"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/pattern"
)

var (
	dayPattern  = pattern.New(`(?:^|[^0-9])(20\d\d-[01]\d-[0-3]\d)(?:[T _-]+([0-2]\d)[:h-]?([0-5]\d)(?:[^0-9]|$))?`)
	saysPattern = pattern.New(`(?i)^[-*>\s]*\**(?:date|created|created at|started|written|generated|updated|last updated|last session|timestamp)\**\s*:\**\s*(.*)$`)
	keysOfTime  = []string{"created", "created_at", "date", "started", "timestamp", "updated", "last_updated", "updated_at", "modified"}
)

// dated is when a source says that it was written: in its frontmatter, its name, its
// title or one of its first lines, in that order. A time that is still to come is a
// plan and no date.
func dated(files []file, name string, now time.Time) (time.Time, bool) {
	usable := func(t time.Time, ok bool) bool { return ok && t.Year() > 1990 && t.Before(now.Add(24*time.Hour)) }
	for _, f := range files {
		if f.given == nil {
			continue
		}
		for _, key := range keysOfTime {
			if value, ok := f.given.Front.Get(key); ok {
				if t, ok := checkpoint.ParseTime(value); usable(t, ok) {
					return t, true
				}
			}
		}
	}
	if t, ok := timeIn(path.Base(name)); usable(t, ok) {
		return t, true
	}
	for _, f := range files {
		if title, ok := f.title(); ok {
			if t, ok := timeIn(title.Title); usable(t, ok) {
				return t, true
			}
		}
	}
	for _, f := range files {
		for _, line := range firstLines(f.doc, 40) {
			if m := saysPattern.FindStringSubmatch(line); m != nil {
				if t, ok := timeIn(m[1]); usable(t, ok) {
					return t, true
				}
			}
		}
	}
	return time.Time{}, false
}

// timeIn is the first day in a text, with a time that follows it.
func timeIn(text string) (time.Time, bool) {
	m := dayPattern.FindStringSubmatch(text)
	if m == nil {
		return time.Time{}, false
	}
	if m[2] != "" {
		if t, err := time.Parse("2006-01-02 15:04", m[1]+" "+m[2]+":"+m[3]); err == nil {
			return t, true
		}
	}
	t, err := time.Parse(time.DateOnly, m[1])
	return t, err == nil
}

// dayIn is the first day in a text, "" where there is none.
func dayIn(text string) string {
	if m := dayPattern.FindStringSubmatch(text); m != nil {
		return m[1] + m[2] + m[3]
	}
	return ""
}

// firstLines are lines of paragraphs and lists at the beginning: not those of a code
// block, which may be somebody else's.
func firstLines(d *doc.Doc, n int) []string {
	var all []string
	for _, b := range d.Blocks(d.Body()) {
		if b.Kind == doc.Other {
			continue
		}
		for line := range strings.Lines(d.Slice(b.Span)) {
			if n--; n < 0 {
				return all
			}
			all = append(all, strings.TrimSpace(line))
		}
	}
	return all
}
