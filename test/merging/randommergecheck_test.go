//go:build unix

package merging

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/text"
)

// pair merges two branches both ways, with the driver and without.
func (h *randomHistory) pair() {
	h.t.Helper()
	a, b := h.sides[0], h.sides[1]
	ab := h.merge("ab", a, b, true)
	ba := h.merge("ba", b, a, true)
	h.same(ab, ba)
	h.same(ab, h.merge("cross", ab, ba, true))
	abPlain, baPlain := h.merge("ab-plain", a, b, false), h.merge("ba-plain", b, a, false)
	h.same(abPlain, baPlain)
	if abPlain.conflict && baPlain.conflict { // otherwise git has merged without ckpt, and blank lines differ
		h.same(ab, abPlain)
	}
}

// triple merges three branches in three orders. If each has replaced a text as a whole, the text
// in the result can depend on the order, since a text has the time of the file's last delta. The
// set of lines does not depend on it.
func (h *randomHistory) triple() {
	h.t.Helper()
	a, b, c := h.sides[0], h.sides[1], h.sides[2]
	left := h.merge("ab-c", h.merge("ab", a, b, true), c, true)
	h.sameLines(left, h.merge("a-bc", a, h.merge("bc", b, c, true), true))
	h.sameLines(left, h.merge("ac-b", h.merge("ac", a, c, true), b, true))
}

// merge makes a branch of ours, merges theirs, resolves conflicts with ckpt, and makes the checks
// of a single merge.
func (h *randomHistory) merge(name string, ours, theirs *randomSide, driver bool) *randomSide {
	h.t.Helper()
	h.git("switch", "-q", "-c", name, ours.name)
	if !driver {
		_, _ = h.tryGit("config", "--remove-section", "merge.ckpt") // it is missing the second time
	}
	out, conflict := h.tryGit("merge", "-q", "--no-edit", theirs.name)
	if conflict != nil && !strings.Contains(out, "CONFLICT") {
		h.t.Fatalf("git merge: %v\n%s", conflict, out)
	}
	if conflict == nil {
		h.nothingLost(name+", as git leaves it", h.read(), ours, theirs)
	}
	out, ok := h.run("resolve")
	if !ok {
		h.t.Errorf("%s: something is left for a person:\n%s", name, out)
		h.git("add", "-A")
	}
	if conflict != nil {
		h.git("commit", "-q", "--no-edit")
	}
	if status := h.git("status", "--porcelain"); status != "" {
		h.t.Errorf("%s: git status says\n%s", name, status)
	}
	if out, _ := h.run("resolve"); !strings.Contains(out, "unchanged") {
		h.t.Errorf("%s: resolve has something to do again:\n%s", name, out)
	}
	m := &randomSide{name: name, files: h.read(), errors: h.errors(), conflict: conflict != nil}
	h.nothingLost(name, m.files, ours, theirs)
	for _, code := range m.errors {
		if !slices.Contains(ours.errors, code) && !slices.Contains(theirs.errors, code) {
			h.t.Errorf("%s: validate finds the error %s, which neither side had", name, code)
		}
	}
	return m
}

// nothingLost checks that the result has all checkpoints and words of both sides, none of them
// twice. Those that one side has removed and the other has not changed do not count.
func (h *randomHistory) nothingLost(name string, m mergedFiles, ours, theirs *randomSide) {
	h.t.Helper()
	base, a, b, now := h.base.ids(""), ours.files.ids(""), theirs.files.ids(""), m.ids("")
	for id := range union(a, b) {
		_, in := now[id]
		_, inA := a[id]
		_, inB := b[id]
		switch was, had := base[id]; {
		case inA && inB || !had || inA && a[id] != was || inB && b[id] != was:
			if !in {
				h.t.Errorf("%s: %s is lost", name, id)
			}
		case in && !h.moved(id, ours, theirs):
			h.t.Errorf("%s: %s is back, which one side has deleted", name, id)
		}
	}
	was, wordsA, wordsB, words := h.base.words(), ours.files.words(), theirs.files.words(), m.words()
	for word := range union(wordsA, wordsB) {
		if was[word] > 0 && (wordsA[word] == 0 || wordsB[word] == 0) {
			continue
		}
		most := max(wordsA[word], wordsB[word])
		if was[word] > 0 { // each side may have forked a checkpoint that has it
			most = max(most, wordsA[word]+wordsB[word]-was[word])
		}
		switch {
		case words[word] == 0:
			h.t.Errorf("%s: %s is lost: %q", name, word, ours.files.line(word)+theirs.files.line(word))
		case words[word] > most:
			h.t.Errorf("%s: %s is in %d lines, not %d: %q", name, word, words[word], most, m.line(word))
		}
	}
}

// moved reports whether a side has another path than base for the file of a checkpoint.
func (h *randomHistory) moved(id string, sides ...*randomSide) bool {
	return slices.ContainsFunc(sides, func(s *randomSide) bool {
		at := s.files.path(id)
		return at != "" && at != h.base.path(id)
	})
}

func (f mergedFiles) path(id string) string {
	for path, src := range f {
		if m := idPattern.Get().FindStringSubmatch(src); m != nil && m[1] == id {
			return path
		}
	}
	return ""
}

// words counts, for each random word, the lines that contain it.
func (f mergedFiles) words() map[string]int {
	all := map[string]int{}
	for _, src := range f {
		for line := range strings.Lines(src) {
			for _, word := range slices.Compact(slices.Sorted(slices.Values(wordPattern.Get().FindAllString(line, -1)))) {
				all[word]++
			}
		}
	}
	return all
}

// line returns the lines that contain a word.
func (f mergedFiles) line(word string) string {
	var all []string
	for _, path := range slices.Sorted(maps.Keys(f)) {
		for line := range strings.Lines(f[path]) {
			if strings.Contains(line, word) {
				all = append(all, path+": "+strings.TrimSpace(line))
			}
		}
	}
	return strings.Join(all, "\n")
}

var statusPattern = text.Regexp(`(?m)^status: .*\n`)

// same checks that two merges have the same result. The current checkpoint may differ.
func (h *randomHistory) same(one, other *randomSide) {
	h.t.Helper()
	for path := range union(one.files, other.files) {
		x, y := statusPattern.Get().ReplaceAllString(one.files[path], ""), statusPattern.Get().ReplaceAllString(other.files[path], "")
		if x != y {
			h.t.Errorf("%s and %s differ in %s:\n%s", one.name, other.name, path, firstDifference(x, y))
		}
	}
}

// sameLines checks the same, apart from headings, the order of lines and the numbers of next actions.
func (h *randomHistory) sameLines(one, other *randomSide) {
	h.t.Helper()
	for path := range union(one.files, other.files) {
		x, y := linesOf(one.files[path]), linesOf(other.files[path])
		if !slices.Equal(x, y) {
			h.t.Errorf("%s and %s have different lines in %s:\n%s", one.name, other.name, path,
				firstDifference(strings.Join(x, "\n"), strings.Join(y, "\n")))
		} else if x, y := one.files[path], other.files[path]; statusPattern.Get().ReplaceAllString(x, "") != statusPattern.Get().ReplaceAllString(y, "") {
			h.t.Logf("%s and %s differ in %s by the order of lines", one.name, other.name, path)
		}
	}
}

var numberPattern = text.Regexp(`^(- |\d+\. )`)

// linesOf returns the lines of a file, without headings, sorted.
func linesOf(src string) []string {
	var all []string
	for line := range strings.Lines(statusPattern.Get().ReplaceAllString(src, "")) {
		if line = numberPattern.Get().ReplaceAllString(strings.TrimSpace(line), ""); line != "" && line[0] != '#' {
			all = append(all, line)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// firstDifference returns the lines around the first difference of two texts.
func firstDifference(x, y string) string {
	a, b := strings.SplitAfter(x, "\n"), strings.SplitAfter(y, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	few := func(lines []string) string { return strings.Join(lines[max(0, i-3):min(len(lines), i+5)], "") }
	return few(a) + "----- and -----\n" + few(b)
}

func union[V any](a, b map[string]V) map[string]bool {
	all := map[string]bool{}
	for key := range a {
		all[key] = true
	}
	for key := range b {
		all[key] = true
	}
	return all
}

// errors returns the errors that validate finds: a code and an id each.
func (h *randomHistory) errors() []string {
	out, _ := h.run("validate", "--json")
	var report struct {
		Findings []struct{ Code, Severity, ID string }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		h.t.Fatalf("validate --json: %v\n%s", err, out)
	}
	var all []string
	for _, f := range report.Findings {
		if f.Severity == "error" {
			all = append(all, f.Code+" "+f.ID)
		}
	}
	return all
}
