package drift

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/ckpt/internal/core/text"
)

// token is a word that may name something, taken apart.
type token struct {
	path   string
	folder bool
	glob   bool
	symbol string
}

var (
	// lines is what people put behind a path: :12, :12:5, :12-40, :12,40, #L12-L40.
	lines = text.Regexp(`(?:(?::\d+(?:[-–:,]\d+)*)|(?:#L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?)|(?:\(\d+(?:,\d+)?\)))$`)
	// inFile is an identifier behind a path: a.go:Check, a.py::TestX::test_y, a.ts#check.
	inFile = text.Regexp(`^(.*\.[A-Za-z][A-Za-z0-9]{0,9})(?:::?|#)([\pL_$][\pL\pN_$]*(?:(?:\.|::)[\pL_$][\pL\pN_$]*)*)(?:\([^()]*\))?$`)
	// call is an identifier with what makes it one: parentheses.
	call = text.Regexp(`^(?:[*&]?[\pL_$][\pL\pN_$]*(?:\([^()]*\))?(?:\.|::|#|->))*([\pL_$][\pL\pN_$]*)\([^()]*\)$`)
	// name is an identifier, qualified or not.
	name   = text.Regexp(`^(?:[\pL_$][\pL\pN_$]*(?:\.|::|#|->))*([\pL_$][\pL\pN_$]*)(?:\([^()]*\))?$`)
	host   = text.Regexp(`^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}$`)
	suffix = text.Regexp(`^\.?[^.]+(?:\.[^.]+)*\.[A-Za-z][A-Za-z0-9_-]{0,9}$`)
	drive  = text.Regexp(`^[A-Za-z]:[\\/]`)
)

// maxPath is longer than any path that a person writes down.
const maxPath = 1024

// asPath reads a word as a path from the root; ok is false where it can be none
// in this repository. Root is the folder of the working tree, absolute.
func asPath(word, root string) (t token, ok bool) {
	word = strings.TrimSpace(word)
	if word == "" || len(word) > maxPath || !utf8.ValidString(word) || strings.ContainsFunc(word, unicode.IsControl) {
		return t, false
	}
	if strings.Contains(word, "://") || strings.HasPrefix(word, "mailto:") || strings.HasPrefix(word, "www.") {
		return t, false
	}
	word = unquote(word)
	if rest, inside := below(word, root); inside {
		word = rest
	} else if word == "" || strings.ContainsAny(word[:1], "/~$%@") || drive.MatchString(word) { // somewhere else
		return t, false
	}
	if i := strings.LastIndex(word, " ("); i > 0 && strings.HasPrefix(word[i:], " (line") && strings.HasSuffix(word, ")") {
		word = word[:i]
	}
	word = cutLines(word)
	if m := inFile.FindStringSubmatch(word); m != nil {
		word = m[1]
		if !strings.HasSuffix(strings.ToLower(word), ".md") { // where it is a heading
			t.symbol = lastName(m[2])
		}
	}
	if i := strings.Index(strings.ToLower(word), ".md#"); i > 0 { // a heading
		word = word[:i+len(".md")]
	}
	if !strings.Contains(word, "/") && strings.Contains(word, `\`) {
		word = strings.ReplaceAll(word, `\`, "/")
	}
	if strings.ContainsAny(word, ":`|<>") { // git@host:x.git, arxiv:2509.1
		return t, false
	}
	t.folder = strings.HasSuffix(word, "/")
	t.path = path.Clean(word)
	if t.path == "." || t.path == ".." || strings.HasPrefix(t.path, "../") || strings.HasPrefix(t.path, "/") || strings.Trim(t.path, "./-*…") == "" {
		return t, false
	}
	t.glob = strings.ContainsAny(t.path, "*?[{")
	return t, true
}

// below is a path below root as seen from it.
func below(word, root string) (rest string, inside bool) {
	slashed := strings.ReplaceAll(word, `\`, "/")
	root = strings.TrimSuffix(strings.ReplaceAll(root, `\`, "/"), "/")
	rest, inside = strings.CutPrefix(slashed, root+"/")
	return rest, inside && root != ""
}

// unquote takes what stands around and behind a word in prose.
func unquote(word string) string {
	for {
		was := word
		word = strings.TrimRight(word, ",;!?…")
		for _, pair := range [...][2]string{{"(", ")"}, {"[", "]"}, {"<", ">"}, {"\"", "\""}, {"'", "'"}, {"“", "”"}, {"«", "»"}, {"**", "**"}, {"*", "*"}} {
			if rest, ok := strings.CutPrefix(word, pair[0]); ok && strings.HasSuffix(rest, pair[1]) && !strings.Contains(rest[:len(rest)-len(pair[1])], pair[1]) {
				word = rest[:len(rest)-len(pair[1])]
			}
		}
		if strings.HasSuffix(word, ".") && !strings.HasSuffix(word, "..") {
			word = word[:len(word)-1]
		}
		word = strings.TrimSuffix(word, ":")
		if word == was {
			return word
		}
	}
}

// cutLines takes a line number, or a range of them, from the end of a path.
func cutLines(word string) string {
	if at := lines.FindStringIndex(word); at != nil && at[0] > 0 {
		return word[:at[0]]
	}
	return word
}

// plausible says whether a path that nobody knows was meant as one: it ends in an
// extension, or in a slash, and does not begin with the name of a host.
func (t token) plausible() bool {
	first, _, deep := strings.Cut(t.path, "/")
	if deep && host.MatchString(first) {
		return false
	}
	return t.folder || hasExtension(t.path) || strings.HasPrefix(path.Base(t.path), ".") && deep
}

// hasExtension says whether a path ends as a file's name does: in a dot and a few
// letters. Versions and abbreviations do not: v1.2, e.g.
func hasExtension(p string) bool {
	base := path.Base(p)
	if !suffix.MatchString(base) {
		return false
	}
	dot := strings.LastIndexByte(base, '.')
	return len(strings.TrimLeft(base[:dot], "."))+len(base[dot:]) > 3 || strings.Contains(p, "/")
}

// asCall reads a word as a symbol that looks like one: check(), sso.Check(token).
func asCall(word string) (symbol string, ok bool) {
	if m := call.FindStringSubmatch(strings.TrimSpace(word)); m != nil {
		return m[1], len(m[1]) > 2
	}
	return "", false
}

// asName reads a word that is said to be a symbol: Check, sso.Check, Sso::check.
func asName(word string) (symbol string, ok bool) {
	if m := name.FindStringSubmatch(strings.TrimSpace(word)); m != nil {
		return m[1], len(m[1]) > 2
	}
	return asCall(word)
}

// lastName is the last part of a qualified name.
func lastName(qualified string) string {
	if m := name.FindStringSubmatch(qualified); m != nil {
		return m[1]
	}
	return ""
}
