package drift

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"example.com/ckpt/internal/core/text"
)

// Commit is a commit that came since.
type Commit struct {
	Hash    string
	Author  string
	Subject string
	Mine    bool
}

// File is a file with changes that no commit has.
type File struct {
	Path  string
	State string // "edited"; "new, staged"
}

// mostNames is how many files of each kind the sentence of the facts names.
const mostNames = 3

// mostItems bounds the entries of a list: no text has room for more.
const mostItems = 50

// longestSubject is how many characters of a commit's subject are shown.
const longestSubject = 72

// Lengths returns the facts in texts of growing length, each at most limit bytes: first a
// sentence with counts, then one with names, then with longer and longer lists of the
// commits and files. The sentence takes at most half of the limit.
func (f Facts) Lengths(limit int) []string {
	var all []string
	sentence := ""
	for names := range mostNames + 1 {
		if s := f.sentence(names, limit/2); s != "" {
			all, sentence = append(all, s), s
		}
	}
	lists, items := f.lists(), 0
	for _, l := range lists {
		items += len(l.items)
	}
	fullest := ""
	for n, least := 0, 0; n <= items; n++ {
		text := f.with(sentence, lists, n)
		if len(text) > limit {
			break
		}
		if fullest = text; len(text) > least {
			all, least = append(all, text), len(text)*6/5
		}
	}
	if fullest != "" && fullest != all[len(all)-1] {
		all = append(all, fullest)
	}
	return all
}

// list is one of the lists after the sentence.
type list struct {
	what  string // how the line begins: "In no delta: "; "" for a line for each item
	items []string
	more  int    // how many are not in items
	shows string // the command that shows them all
}

// lists returns the lists, the most important first.
func (f Facts) lists() []list {
	files := func(what string, files []File) list {
		l := list{what: what, shows: "git status", more: max(len(files)-mostItems, 0)}
		for _, file := range files[:len(files)-l.more] {
			l.items = append(l.items, Quote(file.Path)+" ("+file.State+")")
		}
		return l
	}
	commits := list{more: f.Mine + f.Others - len(f.Commits), shows: "git log " + short(f.From) + ".."}
	for _, c := range f.Commits {
		by := ""
		switch {
		case !c.Mine:
			by = " (" + cmp.Or(text.Person(c.Author, ""), "others") + ")"
		case f.Others > 0:
			by = " (you)"
		}
		commits.items = append(commits.items, short(c.Hash)+" "+Subject(c.Subject, longestSubject)+by)
	}
	begun := list{what: "Next actions whose files changed since: "}
	if n := min(len(f.Begun), mostItems); n > 0 { // one item: numbers are short
		var numbers []string
		for _, n := range f.Begun[:n] {
			numbers = append(numbers, "#"+strconv.Itoa(n))
		}
		begun.items = []string{strings.Join(numbers, ", ")}
	}
	return []list{
		begun,
		files("In no delta: ", f.Untold),
		files("After the last delta: ", f.Later),
		commits,
		files("Not committed, in a delta: ", f.Told),
	}
}

// with returns the sentence with that number of items, one of each list in turn, and with
// the negative facts.
func (f Facts) with(sentence string, lists []list, items int) string {
	shown := make([]int, len(lists))
	for turn := 0; turn < mostItems; turn++ {
		for i, l := range lists {
			if items > 0 && turn < len(l.items) {
				shown[i]++
				items--
			}
		}
	}
	var lines []string
	for i, l := range lists {
		lines = append(lines, l.lines(shown[i])...)
	}
	if not := f.negative(); not != "" {
		lines = append(lines, not)
	}
	if sentence == "" {
		if len(lines) == 0 {
			return ""
		}
		return strings.Join(lines, ".\n") + "."
	}
	for _, line := range lines {
		sentence += "\n- " + line
	}
	return sentence
}

// lines returns the lines with n items of a list.
func (l list) lines(n int) []string {
	if n == 0 {
		return nil
	}
	more := len(l.items) - n + l.more
	if l.what == "" {
		lines := l.items[:n:n]
		if more > 0 {
			lines = append(lines, fmt.Sprintf("and %d more (%s)", more, l.shows))
		}
		return lines
	}
	line := l.what + strings.Join(l.items[:n], ", ")
	if more > 0 {
		line += fmt.Sprintf(" and %d more (%s)", more, l.shows)
	}
	return []string{line}
}

// negative returns the facts that something is not so, which save a run of git.
func (f Facts) negative() string {
	var not []string
	if f.Clean {
		not = append(not, "working tree clean")
	}
	if f.Quiet {
		not = append(not, "no commits since")
	}
	if len(not) == 0 {
		return ""
	}
	return "Outside " + f.Folder + "/: " + strings.Join(not, ", ")
}

// Subject returns the subject of a commit for a text of ckpt: without characters that
// cannot be printed, and at most most characters of it.
func Subject(s string, most int) string {
	s = text.OneLine(strings.Map(func(r rune) rune {
		if r == 0xfffd || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s))
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most-1]) + "…"
	}
	return s
}
