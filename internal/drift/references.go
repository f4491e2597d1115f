package drift

import (
	"cmp"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
)

// fileTypes are the types of breadcrumbs whose reference certainly is a file. Breadcrumbs of other types (function,
// decision, external, commit) may mention files.
var fileTypes = []string{"file", "files", "path", "dir", "directory", "folder", "script", "test", "config"}

// References returns the paths that breadcrumbs, artifact rows and open next actions name, in that order and each once.
// Root is the absolute path of the working tree: some people write absolute paths.
func References(c *checkpoint.Checkpoint, root string) []Reference {
	f := finder{root: root, at: map[string]int{}}
	for i, b := range c.Breadcrumbs() {
		f.breadcrumb(b, Place{Source: Breadcrumb, Number: i + 1})
	}
	f.artifacts(c)
	for i, a := range c.OpenActions() {
		f.action(a.Text, Place{Source: NextAction, Number: i + 1})
	}
	return f.found
}

// finder collects references.
type finder struct {
	root  string
	found []Reference
	at    map[string]int // the index in found, by path
}

// add adds a reference. If it is known already, add adds the place to it.
func (f *finder) add(w word, r Reference, place Place) {
	r.Path, r.Folder, r.Glob, place.within = w.path, w.folder, w.glob, w.within
	i, known := f.at[r.Path]
	if !known {
		i = len(f.found)
		f.at[r.Path] = i
		f.found = append(f.found, r)
	}
	was := &f.found[i]
	was.Sure, was.Literal = was.Sure || r.Sure, cmp.Or(was.Literal, r.Literal)
	was.Bare = was.Bare && r.Bare
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

// path adds a text if it can be a path. A text that certainly names a file may be a path exactly as it is written.
func (f *finder) path(text string, r Reference, place Place) {
	w, ok := asPath(text, f.root)
	w.cell = place.Source == Artifact
	if r.Sure && fs.ValidPath(text) && text != "." {
		r.Literal = text
	}
	if !ok {
		w.path = r.Literal
	}
	r.Sure = r.Sure && ok && w.plausible()
	if w.path != "" {
		f.add(w, r, place)
	}
}

func (f *finder) breadcrumb(b checkpoint.Breadcrumb, place Place) {
	kind := strings.ToLower(strings.Trim(b.Type, "*_` "))
	reference := unstruck(b.Reference)
	texts, _ := codeSpans(reference)
	if len(texts) == 0 {
		texts = []string{unescape(reference)}
	}
	for _, text := range texts {
		isFile := slices.Contains(fileTypes, kind)
		if isFile || !strings.ContainsAny(text, " \t") {
			f.path(text, Reference{Sure: isFile}, place)
		}
	}
	place.Aside = true
	f.prose(unstruck(b.Hint), place)
}

// artifacts adds the files of the Artifact Trail and of all deltas. Of several rows about
// one file the last one decides whether the file is expected to exist.
func (f *finder) artifacts(c *checkpoint.Checkpoint) {
	place := Place{Source: Artifact}
	for _, a := range artifactRows(c) {
		action := strings.ToLower(strings.Trim(a.Action, "*_~` "))
		gone := strings.HasPrefix(action, "delet") || strings.HasPrefix(action, "remov")
		for i, text := range a.words {
			f.path(text, Reference{Sure: true, Absent: gone || i < a.before}, place)
		}
	}
}

// action adds what a next action names in backticks, and those of its words that end like file names.
func (f *finder) action(text string, place Place) {
	text = unstruck(text)
	_, rest := codeSpans(text)
	for _, text := range bareWords(rest) {
		if w, ok := asPath(text, f.root); ok && w.plausible() && !w.glob {
			f.add(w, Reference{Bare: true}, place)
		}
	}
	f.prose(text, place)
}

// prose adds what a text names in backticks.
func (f *finder) prose(text string, place Place) {
	spans, _ := codeSpans(text)
	for _, span := range spans {
		command := strings.ContainsAny(span, " \t")
		f.path(span, Reference{Bare: command}, place)
		if !command {
			continue
		}
		for _, part := range strings.Fields(span) {
			if w, ok := asPath(part, f.root); ok && w.plausible() {
				f.add(w, Reference{Bare: true}, place)
			}
		}
	}
}

// artifactRow is a row of an artifact table, with the paths in its first cell.
type artifactRow struct {
	checkpoint.Artifact
	words  []string
	before int // how many words, at the front, come before an arrow: they are former names of the file
}

// artifactRows returns the rows of the Artifact Trail, followed by those of the deltas.
func artifactRows(c *checkpoint.Checkpoint) []artifactRow {
	all := c.Artifacts()
	for _, d := range c.Deltas() {
		all = append(all, d.Artifacts...)
	}
	var rows []artifactRow
	for _, a := range all {
		cell := unstruck(a.File)
		if strings.TrimSpace(cell) == "" {
			continue
		}
		row := artifactRow{Artifact: a}
		parts := strings.Split(strings.ReplaceAll(cell, "->", "→"), "→")
		for i, part := range parts {
			words, _ := codeSpans(part)
			if len(words) == 0 {
				words = strings.Split(unescape(strings.TrimSpace(part)), ", ")
			}
			row.words = append(row.words, words...)
			if i < len(parts)-1 {
				row.before = len(row.words)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// Trail is the set of files that the artifact tables of a checkpoint mention.
type Trail struct {
	files   map[string]bool
	folders []string
	globs   []func(file string) bool
}

// TrailOf returns the trail of a checkpoint: its Artifact Trail and its deltas.
func TrailOf(c *checkpoint.Checkpoint, root string) Trail {
	t := Trail{files: map[string]bool{}}
	for _, row := range artifactRows(c) {
		t.files[text.OneLine(row.File)] = true // the whole cell may be a name that looks like Markdown
		for _, word := range row.words {
			t.files[text.OneLine(word)] = true // even if it does not look like a path
			w, ok := asPath(word, root)
			if !ok {
				continue
			}
			t.files[w.path] = true
			if w.folder {
				t.folders = append(t.folders, w.path+"/")
			}
			if w.glob {
				t.globs = append(t.globs, matcher(w.path))
			}
		}
	}
	return t
}

// Mentions reports whether a table names a file, a folder that contains it, or a pattern that matches it.
func (t Trail) Mentions(file string) bool {
	return t.files[file] || t.files[text.OneLine(file)] || // a table has a name with line breaks on one line
		slices.ContainsFunc(t.folders, func(folder string) bool { return strings.HasPrefix(file, folder) }) ||
		slices.ContainsFunc(t.globs, func(matches func(string) bool) bool { return matches(file) })
}

// matcher returns a function that reports whether a file matches a pattern as people write them: * within
// a name, ** across folders, {a,b} for alternatives. An invalid pattern matches nothing.
func matcher(glob string) func(file string) bool {
	signs := []string{`\*\*/`, `(?:.*/)?`, `\*\*`, `.*`, `\*`, `[^/]*`, `\?`, `[^/]`, `\[\^`, `[^`, `\[`, `[`, `\]`, `]`}
	if strings.Contains(glob, "{") {
		signs = append(signs, `\{`, `(?:`, `\}`, `)`, `,`, `|`)
	}
	expr, err := regexp.Compile(`(?s)^(?:` + strings.NewReplacer(signs...).Replace(regexp.QuoteMeta(glob)) + `)$`)
	if err != nil {
		return func(string) bool { return false }
	}
	return expr.MatchString
}

var (
	struck = text.Regexp(`(?s)~~.*?~~`)
	escape = text.Regexp(`\\([_*~#.()\[\]-])`)
	link   = text.Regexp(`\]\(<?([^()<>\s]+)>?[^()]*\)`)
)

// unstruck returns text without the parts that are struck through.
func unstruck(text string) string {
	if !strings.Contains(text, "~~") {
		return text
	}
	return struck.Get().ReplaceAllString(text, "")
}

// unescape removes the backslashes that escape characters in Markdown.
func unescape(text string) string { return escape.Get().ReplaceAllString(text, "$1") }

// codeSpans returns the parts of a text in backticks, and the rest of the text.
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

// closing returns the index of the first run of exactly n backticks, or -1.
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

// bareWords returns the words and link targets of a text that has no backticks.
func bareWords(text string) []string {
	var words []string
	for _, at := range link.Get().FindAllStringIndex(text, -1) {
		words = append(words, link.Get().FindStringSubmatch(text[at[0]:at[1]])[1])
	}
	for _, text := range strings.Fields(link.Get().ReplaceAllString(text, "]")) {
		words = append(words, unescape(text))
	}
	return words
}
