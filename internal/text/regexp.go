package text

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is compiled on first use. The program has a hundred of them,
// and compiling all would double its start-up time.
type Pattern struct {
	expr     string
	once     sync.Once
	compiled *regexp.Regexp
}

// Regexp returns the pattern of an expression in the syntax of package regexp. The
// methods of the pattern panic if the expression is invalid. A package variable that is set to it
// costs nothing when the program starts: the compiler writes the pattern into the binary.
func Regexp(expr string) *Pattern { return &Pattern{expr: expr} }

// regexp returns the compiled expression.
func (p *Pattern) regexp() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.expr) })
	return p.compiled
}

// Match and the methods below are those of [regexp.Regexp].
func (p *Pattern) Match(b []byte) bool { return p.regexp().Match(b) }

func (p *Pattern) FindSubmatch(b []byte) [][]byte { return p.regexp().FindSubmatch(b) }

func (p *Pattern) MatchString(s string) bool { return p.regexp().MatchString(s) }

func (p *Pattern) FindString(s string) string { return p.regexp().FindString(s) }

func (p *Pattern) FindStringIndex(s string) []int { return p.regexp().FindStringIndex(s) }

func (p *Pattern) FindStringSubmatch(s string) []string { return p.regexp().FindStringSubmatch(s) }

func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	return p.regexp().FindStringSubmatchIndex(s)
}

func (p *Pattern) FindAllString(s string, n int) []string { return p.regexp().FindAllString(s, n) }

func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.regexp().FindAllStringIndex(s, n)
}

func (p *Pattern) ReplaceAllString(s, by string) string { return p.regexp().ReplaceAllString(s, by) }

func (p *Pattern) ReplaceAllStringFunc(s string, by func(string) string) string {
	return p.regexp().ReplaceAllStringFunc(s, by)
}
