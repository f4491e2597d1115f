package secrets

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"example.com/ckpt/internal/text"
)

// Finding is a part of a text that looks like a secret. It does not contain the secret, so
// that it cannot be printed by mistake.
type Finding struct {
	Rule        string
	Line, End   int // the line numbers, from 1
	Start, Stop int // the offsets of the secret in the text
}

// Allow is what a project's configuration allows.
type Allow struct {
	Rules  []string // names of rules that do not apply
	Values []string // regular expressions of allowed values; they must be valid
}

// comments lists the comments that allow secrets on their line.
var comments = [...]string{"ckpt:allow", "gitleaks:allow"}

// Scanner finds secrets. It is not safe for concurrent use. The zero value allows nothing.
type Scanner struct {
	Allow Allow
}

// most is the maximum number of findings in a text.
const most = 1000

// Scan returns the secrets in the text of a file, in order, at most a thousand. It scans a large
// text in parts, as gitleaks does, so that a rule is applied only to parts with its keywords.
func (s *Scanner) Scan(path, words string) []Finding {
	var all []Finding
	for start, stop := range parts(words) {
		for _, f := range s.part(path, words[start:stop]) {
			f.Start, f.Stop = f.Start+start, f.Stop+start
			all = united(all, f)
		}
		if len(all) >= most {
			all = all[:most]
			break
		}
	}
	slices.SortStableFunc(all, func(a, b Finding) int { return a.Start - b.Start })
	line, at := 1, 0
	for i := range all {
		f := &all[i]
		line, at = line+strings.Count(words[at:f.Start], "\n"), f.Start
		f.Line, f.End = line, line+strings.Count(words[f.Start:f.Stop], "\n")
	}
	return all
}

// part returns the findings of all rules in a part of a text, without line numbers.
func (s *Scanner) part(path, text string) []Finding {
	has := keywords.Get().in(lowered(text))
	if len(has) == 0 {
		return nil
	}
	var all []Finding
	for _, some := range [...][]rule{rules[:], own[:], keys[:]} {
		for i := range some {
			r := &some[i]
			isFound := func(word string) bool { return has[word] }
			if slices.ContainsFunc(r.words, isFound) {
				all = append(all, s.apply(r, path, text)...)
			}
		}
	}
	return specific(all, text)
}

// lowered returns a text with its ASCII letters in lower case. Its length is the same.
func lowered(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// united adds a finding. If the previous part of the text has an overlapping finding of the same rule,
// united extends that finding instead.
func united(all []Finding, f Finding) []Finding {
	for i := range all {
		if have := &all[i]; have.Rule == f.Rule && have.Start < f.Stop && f.Start < have.Stop {
			have.Start, have.Stop = min(have.Start, f.Start), max(have.Stop, f.Stop)
			return all
		}
	}
	return append(all, f)
}

// expr returns a compiled regular expression.
func expr(e string) *regexp.Regexp { return text.Regexp(e).Get() }

// apply returns the findings of one rule in a part of a text.
func (s *Scanner) apply(r *rule, path, text string) []Finding {
	if slices.Contains(s.Allow.Rules, r.id) || s.allowsFile(r.allowed, path) {
		return nil
	}
	if r.path != "" && !expr(r.path).MatchString(path) {
		return nil
	}
	var all []Finding
	for _, at := range expr(r.expr).FindAllStringIndex(text, -1) {
		for at[0] < at[1] && text[at[0]] == '\n' {
			at[0]++
		}
		for at[0] < at[1] && text[at[1]-1] == '\n' {
			at[1]--
		}
		match := text[at[0]:at[1]]
		line := linesAround(text, at[0], at[1])
		if slices.ContainsFunc(comments[:], func(comment string) bool { return strings.Contains(line, comment) }) {
			continue
		}
		c := candidate{path: path, match: match, line: near(text, at[0], at[1], line)}
		groups := expr(r.expr).FindStringSubmatchIndex(match)
		start, stop := secretIn(groups, r.group, len(match))
		c.secret = match[start:stop]
		simple := r.entropy > 0 && entropy(c.secret) <= r.entropy
		if simple || s.allows(everywhere, c) || s.allows(r.allowed, c) {
			continue
		}
		isHash := strings.HasSuffix(text[:at[0]+start], "sha256:") && strings.Trim(c.secret, "0123456789abcdef") == ""
		if isHash || s.matchesAny(s.Allow.Values, c.secret) { // or an allowed value
			continue
		}
		if r.fits != nil && !r.fits(expr(r.expr).FindStringSubmatch(match)) {
			continue
		}
		all = append(all, Finding{Rule: r.id, Start: at[0] + start, Stop: at[0] + stop})
	}
	return all
}

// secretIn returns where the secret is in a match, by the groups of its expression.
func secretIn(groups []int, group, length int) (start, stop int) {
	if group > 0 && 2*group+1 < len(groups) {
		if groups[2*group] < 0 {
			return 0, 0
		}
		return groups[2*group], groups[2*group+1]
	}
	for i := 2; i+1 < len(groups); i += 2 {
		if groups[i] < groups[i+1] {
			return groups[i], groups[i+1]
		}
	}
	return 0, length
}

// specific removes findings of secrets that a more specific rule has found, too. It removes a finding of the generic
// rule if another rule found the secret on the same line. It removes a finding of our own rules if a specific rule of
// gitleaks, or an earlier rule of our own, found the secret.
func specific(all []Finding, text string) []Finding {
	const generic = "generic-api-key"
	return slices.DeleteFunc(slices.Clone(all), func(f Finding) bool {
		if f.Rule == generic {
			return slices.ContainsFunc(all, func(other Finding) bool {
				return other.Rule != generic && strings.Contains(text[other.Start:other.Stop], text[f.Start:f.Stop]) &&
					!strings.Contains(text[min(f.Start, other.Start):max(f.Start, other.Start)], "\n")
			})
		}
		if !isOwn(f.Rule) {
			return false
		}
		at := slices.Index(all, f)
		for i, other := range all {
			overlap := other.Start < f.Stop && f.Start < other.Stop
			if overlap && i < at && other.Rule != generic {
				return true
			}
		}
		return false
	})
}

// linesAround returns a part of a text, extended to whole lines.
func linesAround(text string, start, stop int) string {
	from := strings.LastIndexByte(text[:start], '\n') + 1
	to := strings.IndexByte(text[stop:], '\n')
	if to < 0 {
		return text[from:]
	}
	return text[from : stop+to]
}

// entropy returns the Shannon entropy of a text, in bits per character.
func entropy(text string) (bits float64) {
	count := map[rune]int{}
	for _, r := range text {
		count[r]++
	}
	for _, n := range count {
		p := float64(n) / float64(len(text))
		bits -= p * math.Log2(p)
	}
	return bits
}
