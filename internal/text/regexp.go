package text

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is compiled on first use. The program has a hundred of them,
// and compiling all would double its start-up time.
type Pattern struct{ compiled func() *regexp.Regexp }

// Regexp returns the pattern of an expression in the syntax of package regexp. The
// methods of the pattern panic if the expression is invalid.
func Regexp(expr string) Pattern {
	return Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// Match and the methods below are those of [regexp.Regexp].
func (p Pattern) Match(b []byte) bool { return p.compiled().Match(b) }

func (p Pattern) FindSubmatch(b []byte) [][]byte { return p.compiled().FindSubmatch(b) }

func (p Pattern) MatchString(s string) bool { return p.compiled().MatchString(s) }

func (p Pattern) FindString(s string) string { return p.compiled().FindString(s) }

func (p Pattern) FindStringIndex(s string) []int { return p.compiled().FindStringIndex(s) }

func (p Pattern) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }

func (p Pattern) FindStringSubmatchIndex(s string) []int {
	return p.compiled().FindStringSubmatchIndex(s)
}

func (p Pattern) FindAllString(s string, n int) []string { return p.compiled().FindAllString(s, n) }

func (p Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringIndex(s, n)
}

func (p Pattern) ReplaceAllString(s, by string) string { return p.compiled().ReplaceAllString(s, by) }
