package doc

import (
	"bytes"
	"strings"

	"example.com/ckpt/internal/text"
)

// verbatim are the elements whose text is not Markdown, and end with them.
const verbatim = " pre script style textarea "

// blockElements are the elements that begin HTML wherever their tag begins a line.
const blockElements = " address article aside base basefont blockquote body caption center col colgroup dd details " +
	"dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html " +
	"iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table " +
	"tbody td tfoot th thead title tr track ul "

// loneTag matches a line that consists of one tag.
var loneTag = text.Regexp(`^<([A-Za-z][A-Za-z0-9-]*(\s+[A-Za-z_:][\w.:-]*(\s*=\s*([^\s"'=<>` + "`" + `]+|'[^']*'|"[^"]*"))?)*\s*/?|` +
	`/[A-Za-z][A-Za-z0-9-]*\s*)>\s*$`)

// htmlStart reports whether a line that begins with < begins HTML, which ends with a line that contains
// one of until, or before a blank line if there are none. Where lone is set, any tag that is alone in its
// line begins HTML, else only those of some elements do.
func htmlStart(line []byte, lone bool) (until []string, ok bool) {
	rest := line[1:]
	switch {
	case bytes.HasPrefix(rest, []byte("!--")):
		return []string{"-->"}, true
	case bytes.HasPrefix(rest, []byte("?")):
		return []string{"?>"}, true
	case bytes.HasPrefix(rest, []byte("![CDATA[")):
		return []string{"]]>"}, true
	case len(rest) > 1 && rest[0] == '!' && isLetter(rest[1]):
		return []string{">"}, true
	}
	rest, isClosing := bytes.CutPrefix(rest, []byte("/"))
	n := 0
	for n < len(rest) && (isLetter(rest[n]) || '0' <= rest[n] && rest[n] <= '9') {
		n++
	}
	name, after := " "+strings.ToLower(string(rest[:n]))+" ", rest[n:]
	ends := len(after) == 0 || after[0] == '>' || isBlank(after[:1])
	switch {
	case n > 0 && ends && !isClosing && strings.Contains(verbatim, name):
		return []string{"</pre>", "</script>", "</style>", "</textarea>"}, true
	case n > 0 && (ends || bytes.HasPrefix(after, []byte("/>"))) && strings.Contains(blockElements, name):
		return nil, true
	}
	return nil, lone && !strings.Contains(verbatim, name) && loneTag.Match(line)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
