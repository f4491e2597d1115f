package markup

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/text"
)

// marks are the delimiters of styled text, with their tags.
var marks = []struct{ mark, tag string }{{"`", "code"}, {"**", "strong"}, {"~~", "s"}}

// Inline renders the marks and links in a text. A mark without its closing one is text, and
// marks in code are not rendered.
func (p Page) Inline(text string) string {
	var b strings.Builder
	none := map[string]bool{} // marks for which no closing one was found
	for text != "" {
		at := strings.IndexAny(text, "`*~[")
		if at < 0 {
			break
		}
		b.WriteString(p.linked(text[:at]))
		text = text[at:]
		if link, rest := p.link(text); link != "" {
			b.WriteString(link)
			text = rest
			continue
		}
		inner, rest, tag := marked(text, none)
		if tag == "" {
			b.WriteString(Text(text[:1]))
			text = text[1:]
			continue
		}
		if tag == "code" {
			inner = p.linked(inner)
		} else {
			inner = p.Inline(inner)
		}
		fmt.Fprintf(&b, "<%s>%s</%[1]s>", tag, inner)
		text = rest
	}
	b.WriteString(p.linked(text))
	return b.String()
}

// marked splits off the marked text at the beginning. The tag is empty for text without a mark.
func marked(text string, none map[string]bool) (inner, rest, tag string) {
	for _, m := range marks {
		after, ok := strings.CutPrefix(text, m.mark)
		if !ok || none[m.mark] {
			continue
		}
		inner, rest, ok = strings.Cut(after, m.mark)
		none[m.mark] = !ok
		if ok && strings.TrimSpace(inner) != "" {
			return inner, rest, m.tag
		}
	}
	return "", "", ""
}

// writtenLink matches the link of Markdown that a text begins with.
var writtenLink = text.Regexp(`^\[([^][\n]+)\]\(([^()\s]+)\)`)

// link returns the link that a text begins with, and what follows it. A link that leads nowhere
// stays as it is written.
func (p Page) link(text string) (link, rest string) {
	if p.Link == nil || text[0] != '[' {
		return "", text
	}
	m := writtenLink.FindStringSubmatch(text)
	if m == nil {
		return "", text
	}
	href := p.Link(m[2])
	if href == "" {
		return "", text
	}
	return anchor(href, Page{}.Inline(m[1])), text[len(m[0]):]
}

// named matches what may be an address or the id of a checkpoint.
var named = text.Regexp(`https?://[^\s<>"` + "`" + `]+|[A-Za-z0-9][A-Za-z0-9._-]*`)

// linked escapes text. An address in it, and the id of a checkpoint, becomes a link; an id that
// does not begin with chk- could be any word, and does not.
func (p Page) linked(text string) string {
	if p.Link == nil {
		return Text(text)
	}
	var b strings.Builder
	at := 0
	for _, m := range named.FindAllStringIndex(text, -1) {
		name := strings.TrimRight(text[m[0]:m[1]], ".,;:!?'*_~-)]}")
		if !strings.HasPrefix(name, "chk-") && !strings.Contains(name, "://") {
			continue
		}
		href := p.Link(name)
		if href == "" {
			continue
		}
		b.WriteString(Text(text[at:m[0]]))
		b.WriteString(anchor(href, Text(name)))
		at = m[0] + len(name)
	}
	b.WriteString(Text(text[at:]))
	return b.String()
}

// anchor returns a link. The page it leads to does not learn where the reader came from.
func anchor(href, inner string) string {
	rel := ""
	if strings.Contains(href, "://") {
		rel = " rel=\"noreferrer\""
	}
	return fmt.Sprintf("<a href=\"%s\"%s>%s</a>", Text(href), rel, inner)
}
