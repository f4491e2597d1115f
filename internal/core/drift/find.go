package drift

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/text"
)

// fileTypes and symbolTypes are the types of breadcrumb that say what their
// reference is. Others (decision, external, commit) name files only by the way.
var (
	fileTypes   = []string{"file", "files", "path", "dir", "directory", "folder", "script", "test", "config"}
	symbolTypes = []string{"function", "func", "method", "class", "type", "struct", "interface", "symbol", "const", "constant", "variable"}
)

// References is what breadcrumbs, artifact rows and open next actions name, each
// thing once, in that order. Root is the folder of the working tree, absolute: some
// people write whole paths.
func References(c *checkpoint.Checkpoint, root string) []Reference {
	f := finder{root: root, at: map[string]int{}}
	for i, b := range c.Breadcrumbs() {
		f.breadcrumb(b, Place{Source: Breadcrumb, Number: i + 1})
	}
	f.artifacts(c)
	for i, text := range openActions(c) {
		f.action(text, Place{Source: NextAction, Number: i + 1})
	}
	return f.found
}

// openActions are the texts of the next actions that are not done.
func openActions(c *checkpoint.Checkpoint) []string {
	var open []string
	all := c.Actions()
	for _, a := range all {
		if !a.Done {
			open = append(open, a.Text)
		}
	}
	if text := c.Text(checkpoint.Next); len(all) == 0 && !checkpoint.IsNone(text) {
		open = []string{text}
	}
	return open
}

// finder collects references.
type finder struct {
	root  string
	found []Reference
	at    map[string]int // by path and symbol
}

func (f *finder) add(t token, r Reference, place Place) {
	r.Path, r.Folder, r.Glob, r.Symbol = t.path, t.folder, t.glob, t.symbol
	key := r.Path + "\x00" + r.Symbol
	i, known := f.at[key]
	if !known {
		i = len(f.found)
		f.at[key] = i
		f.found = append(f.found, r)
	}
	was := &f.found[i]
	was.Sure, was.Bare = was.Sure || r.Sure, was.Bare && r.Bare
	if place.Source == Artifact {
		was.Absent = r.Absent
	}
	for i, p := range was.Places {
		if p.Source == place.Source && p.Number == place.Number {
			was.Places[i].Aside = p.Aside && place.Aside
			return
		}
	}
	was.Places = append(was.Places, place)
}

func (f *finder) breadcrumb(b checkpoint.Breadcrumb, place Place) {
	kind := strings.ToLower(strings.Trim(b.Type, "*_` "))
	reference := unstruck(b.Reference)
	words, _ := codeSpans(reference)
	if len(words) == 0 {
		words = []string{unescape(reference)}
	}
	var file token
	for _, word := range words {
		switch {
		case slices.Contains(symbolTypes, kind):
			if symbol, ok := asName(word); ok {
				f.add(token{symbol: symbol}, Reference{Sure: true}, place)
				continue
			}
			file = f.path(word, Reference{}, place)
		case slices.Contains(fileTypes, kind):
			file = f.path(word, Reference{Sure: true}, place)
		case !strings.ContainsAny(word, " \t"):
			f.path(word, Reference{}, place)
		}
	}
	if len(words) > 1 || file.folder || file.glob {
		file = token{}
	}
	place.Aside = true
	f.prose(unstruck(b.Hint), file, place)
}

// artifacts reads the Artifact Trail and the artifacts of all deltas; of several
// rows about one file the last one says whether it is to be there.
func (f *finder) artifacts(c *checkpoint.Checkpoint) {
	for _, a := range artifactRows(c) {
		place := Place{Source: Artifact}
		gone := saysGone(a.Action)
		for i, word := range a.words {
			t := f.path(word, Reference{Sure: true, Absent: gone || i < a.before}, place)
			if gone || len(a.words) > 1 || t.path == "" || t.folder || t.glob {
				continue
			}
			words, _ := codeSpans(a.Change)
			for _, word := range words {
				if symbol, ok := asCall(word); ok {
					f.add(token{path: t.path, symbol: symbol}, Reference{}, place)
				}
			}
		}
	}
}

// saysGone says whether an action of an artifact row leaves no file behind.
func saysGone(action string) bool {
	action = strings.ToLower(strings.Trim(action, "*_~` "))
	return strings.HasPrefix(action, "delet") || strings.HasPrefix(action, "remov")
}

// action reads the text of a next action: what stands in backticks, and words that
// end as the names of files do.
func (f *finder) action(text string, place Place) {
	text = unstruck(text)
	spans, rest := codeSpans(text)
	var files []token
	for _, word := range bareWords(rest) {
		if t, ok := asPath(word, f.root); ok && t.plausible() && !t.glob {
			f.add(token{path: t.path, folder: t.folder}, Reference{Bare: true}, place)
			files = append(files, t)
		}
	}
	for _, word := range spans {
		if t, ok := asPath(word, f.root); ok && t.plausible() {
			files = append(files, t)
		}
	}
	var file token
	if len(files) == 1 && !files[0].folder && !files[0].glob {
		file = files[0]
	}
	f.prose(text, file, place)
}

// prose reads what stands in backticks in a text; symbols are looked for in file
// first, if there is one.
func (f *finder) prose(text string, file token, place Place) {
	spans, _ := codeSpans(text)
	for _, word := range spans {
		if symbol, ok := asCall(word); ok {
			f.add(token{path: file.path, symbol: symbol}, Reference{}, place)
			continue
		}
		command := strings.ContainsAny(word, " \t")
		if f.path(word, Reference{Bare: command}, place); command {
			for _, part := range strings.Fields(word) {
				if t, ok := asPath(part, f.root); ok && t.plausible() {
					f.add(token{path: t.path, folder: t.folder, glob: t.glob}, Reference{Bare: true}, place)
				}
			}
		}
	}
}

// path adds a word that is a path, with the symbol behind it as another reference.
func (f *finder) path(word string, r Reference, place Place) token {
	t, ok := asPath(word, f.root)
	if !ok {
		return token{}
	}
	r.Sure = r.Sure && t.plausible()
	if t.symbol != "" {
		f.add(token{path: t.path, symbol: t.symbol}, Reference{}, place)
		place.Aside = true
	}
	f.add(token{path: t.path, folder: t.folder, glob: t.glob}, r, place)
	return t
}

var (
	struck = text.Regexp(`(?s)~~.*?~~`)
	escape = text.Regexp(`\\[_*~#.()\[\]-]`)
	link   = text.Regexp(`\]\(<?([^()<>\s]+)>?[^()]*\)`)
)

// unstruck is text without what is struck through.
func unstruck(text string) string {
	if !strings.Contains(text, "~~") {
		return text
	}
	return struck.ReplaceAllString(text, "")
}

// unescape takes Markdown's backslashes out of a text.
func unescape(text string) string {
	for _, at := range slices.Backward(escape.FindAllStringIndex(text, -1)) {
		text = text[:at[0]] + text[at[0]+1:]
	}
	return text
}

// codeSpans are what stands in backticks, and the text without it.
func codeSpans(text string) (spans []string, rest string) {
	var out strings.Builder
	for {
		open := strings.IndexByte(text, '`')
		if open < 0 {
			return spans, out.String() + text
		}
		n := len(text[open:]) - len(strings.TrimLeft(text[open:], "`"))
		end := closing(text[open+n:], n)
		if end < 0 {
			out.WriteString(text[:open+n])
			text = text[open+n:]
			continue
		}
		spans = append(spans, strings.TrimSpace(text[open+n:open+n+end]))
		out.WriteString(text[:open] + " ")
		text = text[open+n+end+n:]
	}
}

// closing is where a run of exactly n backticks begins; -1 where there is none.
func closing(text string, n int) int {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '`')
		if i < 0 {
			return -1
		}
		at += i
		run := len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
		if run == n {
			return at
		}
		at += run
	}
}

// bareWords are the words of a text without backticks, and the targets of its links.
func bareWords(text string) []string {
	var words []string
	for _, at := range link.FindAllStringIndex(text, -1) {
		words = append(words, link.FindStringSubmatch(text[at[0]:at[1]])[1])
	}
	text = link.ReplaceAllString(text, "]")
	for _, word := range strings.Fields(text) {
		words = append(words, unescape(word))
	}
	return words
}
