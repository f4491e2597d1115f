package drift

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/ckpt/internal/text"
)

// word is a word that names a path.
type word struct {
	path   string
	within string // a name in the file, after the path: ":Check"
	folder bool
	glob   bool
	cell   bool // a cell of an artifact table
}

var (
	// lines matches what people append to a path: :12, :12:5, :12-40, :12,40, #L12-L40, (12,3).
	lines = text.Regexp(`(?:(?::\d+(?:[-–:,]\d+)*)|(?:#L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?)|(?:\(\d+(?:,\d+)?\)))$`)
	// inFile matches a path with an identifier after it: a.go:Check, a.py::TestX::test_y,
	// a.ts#check.
	inFile = text.Regexp(`^(.*\.[A-Za-z][A-Za-z0-9]{0,9})(?:::?|#)` +
		`[\pL_$][\pL\pN_$]*(?:(?:\.|::)[\pL_$][\pL\pN_$]*)*(?:\([^()]*\))?$`)
	host   = text.Regexp(`^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}$`)
	suffix = text.Regexp(`^\.?[^.]+(?:\.[^.]+)*\.[A-Za-z][A-Za-z0-9_-]{0,9}$`)
	drive  = text.Regexp(`^[A-Za-z]:[\\/]`)
)

// maxPath is the maximum length of a path in bytes.
const maxPath = 1024

// asPath parses a word as a path from the root of the working tree. It reports false if
// the word cannot be a path in this repository.
func asPath(text, root string) (w word, ok bool) {
	text = strings.TrimSpace(text)
	unprintable := !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl)
	if text == "" || len(text) > maxPath || unprintable {
		return w, false
	}
	if strings.Contains(text, "://") || strings.HasPrefix(text, "mailto:") || strings.HasPrefix(text, "www.") {
		return w, false
	}
	text = unquote(text)
	if rest, inside := below(text, root); inside {
		text = rest
	} else if text == "" || strings.ContainsAny(text[:1], "/~$%@") || drive.Get().MatchString(text) { // outside
		return w, false
	}
	if i := strings.LastIndex(text, " ("); i > 0 && strings.HasPrefix(text[i:], " (line") && text[len(text)-1] == ')' {
		text = text[:i]
	}
	if at := lines.Get().FindStringIndex(text); at != nil && at[0] > 0 {
		text = text[:at[0]]
	}
	if m := inFile.Get().FindStringSubmatch(text); m != nil {
		text, w.within = m[1], text[len(m[1]):]
	}
	if i := strings.Index(strings.ToLower(text), ".md#"); i > 0 { // a heading in a Markdown file
		text = text[:i+len(".md")]
	}
	if !strings.Contains(text, "/") {
		text = strings.ReplaceAll(text, `\`, "/")
	}
	if strings.ContainsAny(text, ":`|<>") || strings.HasSuffix(text, ")") { // git@host:x.git, arxiv:2509.1, check()
		return w, false
	}
	w.folder = strings.HasSuffix(text, "/")
	w.path = path.Clean(text)
	outside := w.path[0] == '/' || strings.HasPrefix(w.path+"/", "../")
	if outside || strings.Trim(w.path, "./-*…") == "" {
		return w, false
	}
	w.glob = strings.ContainsAny(w.path, "*?[{")
	return w, true
}

// below returns the path in text relative to root, and reports whether root contains it.
func below(text, root string) (rest string, inside bool) {
	root = strings.TrimSuffix(strings.ReplaceAll(root, `\`, "/"), "/")
	rest, inside = strings.CutPrefix(strings.ReplaceAll(text, `\`, "/"), root+"/")
	return rest, inside && root != ""
}

// unquote removes the punctuation around a word in prose.
func unquote(text string) string {
	pairs := [...][2]string{
		{"(", ")"}, {"[", "]"}, {"<", ">"}, {`"`, `"`}, {"'", "'"}, {"“", "”"}, {"«", "»"}, {"**", "**"}, {"*", "*"},
	}
	for {
		was := text
		text = strings.TrimRight(text, ",;!?…")
		for _, pair := range pairs {
			rest, opened := strings.CutPrefix(text, pair[0])
			rest, closed := strings.CutSuffix(rest, pair[1])
			if opened && closed && !strings.Contains(rest, pair[1]) {
				text = rest
			}
		}
		if !strings.HasSuffix(text, "..") {
			text = strings.TrimSuffix(text, ".")
		}
		text = strings.TrimSuffix(text, ":")
		if text == was {
			return text
		}
	}
}

// plausible reports whether a word that git does not know was meant as a path. Such a word ends with an extension or a
// slash, is a dotfile in a folder, or is a table cell without a space, and it does not begin with a host name.
func (w word) plausible() bool {
	first, _, deep := strings.Cut(w.path, "/")
	if deep && host.Get().MatchString(first) {
		return false
	}
	return w.folder || w.cell && !strings.Contains(w.path, " ") || hasExtension(w.path) ||
		deep && strings.HasPrefix(path.Base(w.path), ".")
}

// hasExtension reports whether a path ends with a dot and a few letters, like a file name. It returns false
// for versions and abbreviations, such as v1.2 and e.g.
func hasExtension(p string) bool {
	base := path.Base(p)
	if !suffix.Get().MatchString(base) {
		return false
	}
	dot := strings.LastIndexByte(base, '.')
	return len(strings.TrimLeft(base[:dot], "."))+len(base[dot:]) > 3 || strings.Contains(p, "/")
}
