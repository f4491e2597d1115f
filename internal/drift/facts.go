package drift

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/text"
)

// Facts is what git knows and the checkpoint does not mention. The zero value has no facts.
type Facts struct {
	Mine, Others int       // how many commits of the user and of others since base changed files other than checkpoints
	Many         bool      // there are too many commits to count them by author
	Strangers    bool      // the user's identity is not configured: all commits are counted as Others
	Findings     []Finding // the broken references
	Commits      []Commit  // the newest commits since base, newest first
	From         string    // the commit after which commits are counted
	Head         string    // the commit of HEAD
	Quiet        bool      // it is certain that there are no commits since base
	Untold       []File    // uncommitted files that no artifact table lists; newest first
	Later        []File    // uncommitted files that a table lists, written after the last delta; newest first
	Told         []File    // uncommitted files that a table lists, not known to be written after the last delta
	Clean        bool      // it is certain that there are no uncommitted files
	Folder       string    // the checkpoints folder, whose files are not counted
	Decided      int       // how many of the parent's live decisions the checkpoint does not have
	Written      string    // the branch on which the checkpoint was written, if HEAD is on another one
	Branch       string    // the branch of HEAD; empty if detached
	Lost         string    // the base, if it is not an ancestor of HEAD
	Holder       string    // a branch that contains Lost
	Missing      string    // the base, if the repository does not have it
	Doing        string    // the operation that git has in progress: "merge", "rebase"; empty for none
}

// Commit is a commit since base.
type Commit struct {
	Hash    string
	Author  string
	Subject string
	Mine    bool
}

// File is a file with uncommitted changes.
type File struct {
	Path  string
	State string // "edited"; "new, staged"
}

const (
	mostNames      = 3  // how many files of each kind the sentence names
	mostItems      = 50 // how many entries a list has at most: no text has room for more
	longestSubject = 72 // how many characters of a commit's subject are shown
)

// Names reports whether a broken reference names the given file.
func (f *Facts) Names(file string) bool {
	return slices.ContainsFunc(f.Findings, func(x Finding) bool { return x.Path == file })
}

// Lengths returns the facts in texts of growing length, each at most limit bytes. The first texts are a sentence, with
// counts or with names, of at most half of the limit. The others add longer and longer lists of the commits and files.
// If the last text has everything that git status and git log show, it ends with a line that states this.
func (f Facts) Lengths(limit int) []string {
	var all []string
	sentence := ""
	for names := range mostNames + 1 {
		if s := f.sentence(names, limit/2); s != "" {
			all, sentence = append(all, s), s
		}
	}
	lists, items, more := f.lists(), 0, 0
	for _, l := range lists {
		items, more = items+len(l.items), more+l.more
	}
	fullest := ""
	for n, least := 0, 0; n <= items; n++ {
		text := f.compose(sentence, lists, n)
		if len(text) > limit {
			break
		}
		fullest = text
		if len(text) > least {
			all, least = append(all, text), len(text)*6/5
		}
	}
	if fullest != "" && fullest != all[len(all)-1] {
		all = append(all, fullest)
	}
	isWhole := fullest != "" && more == 0 && fullest == f.compose(sentence, lists, items)
	if ended := f.ended(fullest); isWhole && ended != "" && len(ended) <= limit {
		all = append(all, ended)
	}
	return all
}

// ended returns the given text and a last line: the commit of HEAD, and that git status and git log show nothing else.
// It returns an empty text if the facts lack something that these commands show.
func (f Facts) ended(all string) string {
	line := "\n"
	if strings.Contains(all, "\n- ") {
		line = "\n- "
	}
	line += "HEAD is " + short(f.Head) + "; git status and git log show nothing else of the work."
	isKnown := f.From != "" && f.Head != "" && f.Lost == "" && f.Missing == "" && !f.Many
	if !isKnown {
		return ""
	}
	return all + line
}

// sentence returns the facts in one sentence of at most limit bytes, with at most the given number of
// file names of each kind. It returns an empty text if the limit is too small.
func (f Facts) sentence(names, limit int) string {
	clauses := f.clauses(names)
	least := len(clauses) // only a sentence without names may leave out clauses
	if names == 0 {
		least = 1
	}
	for n := len(clauses); n > 0 && n >= least; n-- {
		end := "."
		if n < len(clauses) {
			end = "; and more."
		}
		if s := "Since this was written: " + strings.Join(clauses[:n], "; ") + end; len(s) <= limit {
			return s
		}
	}
	return ""
}

// clauses returns the parts of the sentence.
func (f Facts) clauses(names int) []string {
	var all []string
	if f.Doing != "" {
		all = append(all, "a "+f.Doing+" is in progress")
	}
	all = append(all, f.commits(), f.moved(names), f.gone(names))
	if n := len(f.Untold); n > 0 {
		all = append(all, text.Count(n, "edited file")+" that no delta mentions")
	}
	if n := len(f.Later); n > 0 {
		all = append(all, text.Count(n, "file")+" edited after the last delta")
	}
	all = append(all, f.actions(names))
	if f.Decided > 0 {
		all = append(all, "the parent has "+text.Count(f.Decided, "newer decision"))
	}
	all = append(all, f.elsewhere(names > 0))
	return slices.DeleteFunc(all, func(clause string) bool { return clause == "" })
}

func (f Facts) commits() string {
	n := f.Mine + f.Others
	switch {
	case n == 0:
		return ""
	case f.Many:
		return fmt.Sprintf("more than %d commits", n)
	case f.Strangers:
		return text.Count(n, "commit")
	case f.Others == 0:
		return text.Count(f.Mine, "commit") + " by you"
	case f.Mine == 0:
		return text.Count(f.Others, "commit") + " by others"
	}
	return fmt.Sprintf("%s by you, %d by others", text.Count(f.Mine, "commit"), f.Others)
}

func (f Facts) moved(names int) string {
	var all []string
	for _, x := range f.Findings {
		if x.Verdict == Moved {
			all = append(all, Quote(x.Path)+" moved to "+Quote(x.To))
		}
	}
	switch {
	case names >= len(all):
		return strings.Join(all, ", ")
	case names == 0:
		return text.Count(len(all), "named file") + " moved"
	}
	return text.List(all, names) + " moved"
}

// gone names the deleted files. It leaves out those that an open next action names, since
// [Facts.actions] names them.
func (f Facts) gone(names int) string {
	var all []string
	for _, x := range f.Findings {
		if x.Verdict == Deleted && !x.In(NextAction) {
			all = append(all, Quote(x.Path))
		}
	}
	switch len(all) {
	case 0:
		return ""
	case 1:
		return enumerate(all, names, "named file") + " is gone"
	}
	return enumerate(all, names, "named file") + " are gone"
}

func (f Facts) actions(names int) string {
	var files []string
	var numbers []int
	for _, x := range f.Findings {
		if x.Verdict != Deleted || !x.In(NextAction) {
			continue
		}
		files = append(files, Quote(x.Path))
		for _, p := range x.Places {
			if p.Source == NextAction {
				numbers = append(numbers, p.Number)
			}
		}
	}
	if len(files) == 0 {
		return ""
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	clause := strconv.Itoa(len(numbers)) + " next actions name "
	switch {
	case len(numbers) == 1 && numbers[0] <= 3:
		clause = "the " + [...]string{"first", "second", "third"}[numbers[0]-1] + " next action names "
	case len(numbers) == 1:
		clause = "next action " + strconv.Itoa(numbers[0]) + " names "
	case len(numbers) <= 4:
		var words []string
		for _, n := range numbers {
			words = append(words, strconv.Itoa(n))
		}
		clause = "next actions " + enumerate(words, len(words), "") + " name "
	}
	if len(files) == 1 {
		clause += "a file that is gone"
	} else {
		clause += strconv.Itoa(len(files)) + " files that are gone"
	}
	if names == 0 {
		return clause
	}
	return clause + ": " + enumerate(files, names, "file")
}

// elsewhere tells that HEAD is not on the branch or commit where the checkpoint was written.
func (f Facts) elsewhere(named bool) string {
	switch {
	case f.Missing != "":
		return "the commit that it describes, " + short(f.Missing) + ", is not in this repository"
	case f.Lost != "" && f.Holder != "" && named:
		return "HEAD has not grown from " + short(f.Lost) + ", which it describes and " + Quote(f.Holder) + " holds"
	case f.Lost != "":
		return "HEAD has not grown from " + short(f.Lost) + ", which it describes"
	case f.Written != "" && named && f.Branch != "":
		return "HEAD is on " + Quote(f.Branch) + ", no longer on " + Quote(f.Written)
	case f.Written != "":
		return "HEAD is on another branch"
	}
	return ""
}

// enumerate names at most n entries of a list, and counts the others.
func enumerate(all []string, n int, what string) string {
	last := len(all) - 1
	switch {
	case n == 0:
		return text.Count(len(all), what)
	case n <= last:
		return text.List(all, n)
	case last == 0:
		return all[0]
	}
	return strings.Join(all[:last], ", ") + " and " + all[last]
}

// list is one of the lists after the sentence of the facts.
type list struct {
	what  string // how the line with all items begins; if empty, each item is a line of its own
	items []string
	more  int    // how many further items there are
	shows string // the command that shows all items
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
		if !c.Mine {
			by = " (" + cmp.Or(text.Person(c.Author, ""), "others") + ")"
		} else if f.Others > 0 {
			by = " (you)"
		}
		commits.items = append(commits.items, short(c.Hash)+" "+Subject(c.Subject, longestSubject)+by)
	}
	return []list{
		files("In no delta: ", f.Untold),
		files("After the last delta: ", f.Later),
		commits,
		files("Not committed, in a delta: ", f.Told),
	}
}

// compose returns the sentence, the given number of items of the lists, and a line about what has not changed, so that
// the reader need not run git. It takes the first item of each list, then the second of each, and so on.
func (f Facts) compose(sentence string, lists []list, items int) string {
	shown := make([]int, len(lists))
	for turn := range mostItems {
		for i, l := range lists {
			if items > 0 && turn < len(l.items) {
				shown[i]++
				items--
			}
		}
	}
	var lines, unchanged []string
	for i, l := range lists {
		lines = append(lines, l.lines(shown[i])...)
	}
	if f.Clean {
		unchanged = append(unchanged, "working tree clean")
	}
	if f.Quiet {
		unchanged = append(unchanged, "no commits since")
	}
	if len(unchanged) > 0 {
		lines = append(lines, "Outside "+f.Folder+"/: "+strings.Join(unchanged, ", "))
	}
	switch {
	case len(lines) == 0:
		return sentence
	case sentence == "":
		return strings.Join(lines, ".\n") + "."
	}
	return sentence + "\n- " + strings.Join(lines, "\n- ")
}

// lines returns the lines with n items of a list.
func (l list) lines(n int) []string {
	if n == 0 {
		return nil
	}
	lines := slices.Clone(l.items[:n])
	more := ""
	if left := len(l.items) - n + l.more; left > 0 {
		more = fmt.Sprintf("and %d more (%s)", left, l.shows)
	}
	if l.what != "" {
		return []string{strings.TrimRight(l.what+strings.Join(lines, ", ")+" "+more, " ")}
	}
	if more != "" {
		lines = append(lines, more)
	}
	return lines
}

// Subject returns the subject of a commit for a text of ckpt: without unprintable characters, and
// cut to at most the given number of characters.
func Subject(s string, most int) string {
	s = text.OneLine(strings.Map(func(r rune) rune {
		if r == 0xfffd || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s))
	return text.Shorten(s, most)
}

// Newer returns the number of live decisions of a parent that its fork does not have. A fork begins with
// all live decisions and strikes through those that it drops, so those that it lacks are newer. Newer returns 0
// if the two share no decision and the fork has no base: another tool made the fork and copied none.
func Newer(fork, parent *checkpoint.Checkpoint) int {
	has := map[string]bool{}
	for _, d := range fork.Decisions() {
		has[plain(d.What)] = true
	}
	newer, shared := 0, 0
	for _, d := range parent.Decisions() {
		switch {
		case has[plain(d.What)]:
			shared++
		case d.Live():
			newer++
		}
	}
	if shared == 0 && fork.Field("base") == "" {
		return 0
	}
	return newer
}

// plain returns a decision without markup, in lower case and with single spaces.
func plain(what string) string {
	what = strings.ToLower(text.OneLine(what))
	return strings.Trim(strings.NewReplacer("*", "", "`", "", "~", "", "_", "").Replace(what), " .:;")
}
