package importing

import (
	"cmp"
	"strconv"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/text"
)

var (
	session = text.Regexp(`(?i)\b(session|day|run|iteration|round|entry|update)\b\W*#?\d|^\W*session\b\s*[:(—–-]`)
	ordinal = text.Regexp(`\d+`)
)

// isSession reports whether a chapter is an entry of a log.
func (c chapter) isSession() bool {
	return (c.kind == nowhere || c.kind == checkpoint.PlayByPlay) && !c.opens && (dayIn(c.Title) != "" || session.MatchString(c.Title))
}

// opening is a heading, or a label, that opens a section.
type opening struct {
	chapter, text int // text is the index of a stretch; -1 for the chapter's heading
	below         int // the chapter that the opening is below
	key           string
	kind          checkpoint.Kind
}

// keyOf returns the words of a heading without numbers and remarks after them, so that
// the same heading in every entry of a log has the same key.
func keyOf(title string) string {
	key, _, _ := strings.Cut(text.BareTitle(title), " (")
	if i := strings.IndexAny(key, ":[—–0123456789"); i > 0 {
		key = key[:i]
	}
	return strings.TrimSpace(key)
}

func openings(all []chapter) []opening {
	var list []opening
	for i, c := range all {
		if c.opens {
			list = append(list, opening{i, -1, c.parent, keyOf(c.Title), c.kind})
		}
		for j, t := range c.texts {
			if t.name != "" {
				list = append(list, opening{i, j, i, keyOf(t.name), t.kind})
			}
		}
	}
	return list
}

// newestOnly takes back the openings in all entries of a log but the newest one, by day,
// then number, then place. If the same heading is below several chapters that are not
// entries of a log, the first one counts.
func newestOnly(all []chapter) {
	list := openings(all)
	logs := map[int][]int{} // by the heading that their entries are below
	for i, c := range all {
		if i > 0 && c.isSession() {
			logs[c.parent] = append(logs[c.parent], i)
		}
	}
	for _, log := range logs {
		if len(log) < 2 {
			continue
		}
		newest, entry := newestOf(all, log), map[int]bool{}
		for _, i := range log {
			entry[i] = true
		}
		for _, o := range list {
			if o.kind == checkpoint.Next && !within(all, o.chapter, entry) {
				newest = -1 // the next actions are outside the log
			}
		}
		for _, i := range log {
			all[i].old = i != newest
		}
	}
	first := map[string]int{}
	for _, o := range list {
		at, met := first[o.key]
		switch {
		case all[o.chapter].isOld(all):
			mute(all, o)
		case o.kind != checkpoint.Next && o.kind != checkpoint.State:
		case !met:
			first[o.key] = o.below
		case at != o.below:
			mute(all, o)
		}
	}
}

// within reports whether a chapter is one of some, or below one.
func within(all []chapter, i int, some map[int]bool) bool {
	for ; i > 0; i = all[i].parent {
		if some[i] {
			return true
		}
	}
	return false
}

// isOld reports whether a chapter is in an older entry of a log.
func (c chapter) isOld(all []chapter) bool { return c.old || c.parent > 0 && all[c.parent].isOld(all) }

// mute undoes an opening: its text belongs to no section.
func mute(all []chapter, o opening) {
	if o.text >= 0 {
		all[o.chapter].texts[o.text].kind = nowhere
		return
	}
	was := all[o.chapter].kind
	for i := o.chapter; i < len(all) && all[o.chapter].Whole.Contains(all[i].Whole); i++ {
		for j := range all[i].texts {
			if all[i].texts[j].kind == was {
				all[i].texts[j].kind = nowhere
			}
		}
		if all[i].kind == was {
			all[i].kind, all[i].opens = nowhere, false
		}
	}
}

// newestOf returns the newest of the entries of a log.
func newestOf(all []chapter, log []int) int {
	number := func(i int) int {
		n, _ := strconv.Atoi(ordinal.FindString(strings.ReplaceAll(all[i].Title, dayOf(all[i].Title), "")))
		return n
	}
	order := func(a, b int) int {
		return cmp.Or(strings.Compare(dayIn(all[a].Title), dayIn(all[b].Title)), cmp.Compare(number(a), number(b)))
	}
	last := log[len(log)-1]
	newest := log[0]
	for _, i := range log[1:] {
		if by := order(i, newest); by > 0 || by == 0 && order(last, log[0]) > 0 {
			newest = i
		}
	}
	return newest
}

// dayOf returns the first day in a text as it is written there.
func dayOf(text string) string {
	if m := dayPattern.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return "\x00"
}
