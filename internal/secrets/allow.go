package secrets

import (
	"slices"
	"strings"
)

// candidate is a match of a rule with its surroundings.
type candidate struct{ path, line, match, secret string }

// allows reports whether one of the exceptions applies to a candidate.
func (s *Scanner) allows(lists []allowed, c candidate) bool {
	for _, a := range lists {
		target := c.secret
		switch a.target {
		case "match":
			target = c.match
		case "line":
			target = c.line
		}
		matches := s.matchesAny(a.exprs, target)
		holds := hasWord(a.words, c.secret)
		if !a.all && (matches || holds) {
			return true
		}
		path := len(a.paths) == 0 || s.matchesAny(a.paths, c.path)
		text := (len(a.exprs) == 0 || matches) && (a.words == "" || holds)
		if a.all && path && text {
			return true
		}
	}
	return false
}

// allowsFile reports whether one of the exceptions applies to a whole file.
func (s *Scanner) allowsFile(lists []allowed, path string) bool {
	return slices.ContainsFunc(lists, func(a allowed) bool {
		alone := !a.all || len(a.exprs) == 0 && a.words == ""
		return alone && len(a.paths) > 0 && s.matchesAny(a.paths, path)
	})
}

func (s *Scanner) matchesAny(exprs []string, text string) bool {
	return text != "" && slices.ContainsFunc(exprs, func(e string) bool { return expr(e).MatchString(text) })
}

// hasWord reports whether a text contains one of the words, in upper or lower case.
func hasWord(words, text string) bool {
	if words == "" {
		return false
	}
	text = strings.ToLower(text)
	for word := range strings.SplitSeq(words, "\n") {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
