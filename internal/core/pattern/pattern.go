// Package pattern is regular expressions that are compiled when they are first
// used: a command pays for those that it needs, and start-up for none.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression. Its methods are those of [regexp.Regexp] and
// panic where the expression does not parse.
type Pattern struct{ compiled func() *regexp.Regexp }

// New is the pattern of an expression in the syntax of package regexp.
func New(expr string) Pattern {
	return Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// Match is [regexp.Regexp.Match]; the methods below likewise.
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
