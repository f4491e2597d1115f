package importing

import (
	_ "embed" // needed for headings.txt
	"regexp"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
)

// nowhere is the kind of text that is put under Imported.
const nowhere = checkpoint.Kind(-1)

// certainty is how clearly a heading or label names a section.
type certainty int

const (
	unknown certainty = iota
	likely            // the name counts if nothing else in the file names the section
	clear             // the heading begins with the words of a row, before a punctuation mark or a known clause
	whole             // the heading is the words of a row and nothing else
)

// headings is the table of headings and labels. Comments in headings.txt explain its lines.
//
//go:embed headings.txt
var headings string

// row is a line of the table of headings.
type row struct {
	kind    checkpoint.Kind
	weak    bool           // the words count only if nothing else names the section
	pattern *regexp.Regexp // the last group matches the text after the words
}

var rows = text.Lazy[[]row]{Make: func() (all []row) {
	named := map[string]string{} // regular expressions, by the sign that later lines use for each
	for line := range strings.Lines(headings) {
		title, words, ok := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case !ok || line[0] == '#':
			continue
		case len(title) == 1:
			named[title] = words
			continue
		}
		title, weak := strings.CutSuffix(title, "?")
		section := strings.TrimRight(title, ",+")
		kind, known := checkpoint.KindNamed(section)
		if !known {
			kind = nowhere
		}
		words = strings.ReplaceAll(words, "@", named["@"])
		pattern := `^(?:[一二三四五六七八九十]+、)?(?:` + words + `)(` + named[title[len(section):]] + `)$`
		all = append(all, row{kind: kind, weak: weak, pattern: regexp.MustCompile(pattern)})
	}
	return all
}}

var (
	// aside matches headings of text that is out of date or out of scope, and of legends.
	aside = text.Regexp(`^(previous|old|older|earlier|archived?|superseded|historical|obsolete|(status )?legend)\b|\bout of scope\b|\((archived|superseded|obsolete|deprecated)\b`)
	// foremost matches headings that name what to do first: "Next Steps", "Start here".
	foremost = text.Regexp(`(?i)^(to )?resume\b|\b(next|immediate|first|now|in progress|focus|start (here|with)|to start|` +
		`recommended (path|order)|pick up|resume (with|here|from)|p0|(highe?s?t?|top) priorit|nächste|reprendre|próxim|siguiente|prochaine)|` +
		`следующ|ближайш|下一步|接下[来來]|[优優]先|次の|次に|다음`)
	// focusTitle matches headings such as "Current Focus". The text below is the next action if there is no other.
	focusTitle = text.Regexp(`(?i)^\W*(?:(?:current|active|immediate|today's) (?:work )?(?:focus|objective|priority|task)|focus)\b`)
	// headEnd matches the first sign after the words that name a section, as in "Next Steps (3)".
	headEnd = text.Regexp(` ?[(:&+—–,;|\[（：]| ?/(?: |\pL{3})| [-→] `)
	// lastPart matches a line with a part after the last dash, arrow, colon or sign.
	lastPart = text.Regexp(`.*(?: [-—–|→←/] | -> |[:.] |[✅✔] )(.+)$`)
)

// meaning returns the section that a heading or label names, and how clearly.
func meaning(title string) (checkpoint.Kind, certainty) {
	known, ok := checkpoint.KindNamed(title)
	if ok && known != checkpoint.Essential && known != checkpoint.Completion {
		return known, whole
	}
	title = strings.ReplaceAll(text.BareTitle(title), "_", " ")
	head := title
	if at := headEnd.Get().FindStringIndex(title); at != nil && at[0] > 0 {
		head = title[:at[0]]
	}
	for _, r := range rows.Get() {
		m := r.pattern.FindStringSubmatchIndex(head)
		switch {
		case m == nil:
		case r.weak:
			return r.kind, likely
		case head == title && m[len(m)-2] == m[len(m)-1]:
			return r.kind, whole
		default:
			return r.kind, clear
		}
	}
	if m := lastPart.Get().FindStringSubmatch(title); m != nil {
		if kind, sure := meaning(m[1]); kind == checkpoint.Next && sure == whole {
			return kind, clear // "Shop v2 - Next Steps"
		}
	}
	return nowhere, unknown
}
