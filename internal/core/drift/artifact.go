package drift

import (
	"path"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/text"
)

// artifactRow is a row of an artifact table with the paths that its first cell
// names; those before an arrow are former names.
type artifactRow struct {
	checkpoint.Artifact
	words  []string
	before int
}

// artifactRows are the rows of the Artifact Trail and then of the deltas.
func artifactRows(c *checkpoint.Checkpoint) []artifactRow {
	all := c.Artifacts()
	for _, d := range c.Deltas() {
		all = append(all, d.Artifacts...)
	}
	var rows []artifactRow
	for _, a := range all {
		if a.File = unstruck(a.File); strings.TrimSpace(a.File) == "" {
			continue
		}
		row := artifactRow{Artifact: a}
		parts := strings.Split(strings.ReplaceAll(a.File, "->", "→"), "→")
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

// Trail says which files the artifact tables of a checkpoint mention.
type Trail struct {
	files   map[string]bool
	folders []string
	globs   []string
}

// TrailOf is the trail of c: its Artifact Trail and its deltas.
func TrailOf(c *checkpoint.Checkpoint, root string) Trail {
	t := Trail{files: map[string]bool{}}
	for _, row := range artifactRows(c) {
		for _, word := range row.words {
			t.files[text.OneLine(word)] = true // as it stands there, also where it looks like no path
			p, ok := asPath(word, root)
			if !ok {
				continue
			}
			t.files[p.path] = true
			if p.folder {
				t.folders = append(t.folders, p.path+"/")
			}
			if p.glob {
				t.globs = append(t.globs, p.path)
			}
		}
	}
	return t
}

// Mentions says whether a table names a file, a folder that it is in, or a pattern
// that fits it.
func (t Trail) Mentions(file string) bool {
	if t.files[file] || t.files[text.OneLine(file)] { // a cell is one line
		return true
	}
	for _, folder := range t.folders {
		if strings.HasPrefix(file, folder) {
			return true
		}
	}
	for _, glob := range t.globs {
		if Match(glob, file) {
			return true
		}
	}
	return false
}

// Match says whether a file fits a pattern as people write them: * within a name,
// ** across folders, {a,b} for either. A pattern that cannot be read fits nothing,
// and neither does one that would take long.
func Match(glob, file string) bool {
	if strings.Count(glob, "**") > 4 || strings.Count(glob, "{") > 2 || strings.Count(glob, ",") > 32 {
		return false
	}
	for _, g := range braces(glob) {
		if matchParts(strings.Split(g, "/"), strings.Split(file, "/")) {
			return true
		}
	}
	return false
}

func matchParts(glob, file []string) bool {
	for len(glob) > 0 {
		if glob[0] == "**" {
			for i := range len(file) + 1 {
				if matchParts(glob[1:], file[i:]) {
					return true
				}
			}
			return false
		}
		if len(file) == 0 {
			return false
		}
		if ok, err := path.Match(glob[0], file[0]); !ok || err != nil {
			return false
		}
		glob, file = glob[1:], file[1:]
	}
	return len(file) == 0
}

// braces writes a{b,c}d out as abd and acd.
func braces(glob string) []string {
	before, rest, open := strings.Cut(glob, "{")
	choices, after, closed := strings.Cut(rest, "}")
	if !open || !closed {
		return []string{glob}
	}
	var all []string
	for choice := range strings.SplitSeq(choices, ",") {
		all = append(all, braces(before+choice+after)...)
	}
	return all
}
