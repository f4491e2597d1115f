package text

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression in the syntax of package regexp that is compiled on first use. The
// program has a hundred of them, and compiling all would double its start-up time.
type Regexp string

// compiled has the expressions that were used, by their text.
var compiled sync.Map

// Get returns the compiled expression. It panics if the expression is invalid.
func (r Regexp) Get() *regexp.Regexp {
	re, ok := compiled.Load(r)
	if !ok {
		re, _ = compiled.LoadOrStore(r, regexp.MustCompile(string(r)))
	}
	return re.(*regexp.Regexp)
}
