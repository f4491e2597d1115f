package drift

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/text"
)

// Facts is what git knows and the checkpoint does not. The zero value is nothing.
type Facts struct {
	Mine, Others int       // commits since base that touch more than checkpoints
	Many         bool      // there are more, and who made them was not looked at
	Strangers    bool      // nobody knows who the user is: all commits are Others
	Findings     []Finding // the stale references
	Commits      []Commit  // the newest of them, the newest first
	From         string    // the commit that they are counted from
	Quiet        bool      // it is known that there are none
	Begun        []int     // what "#n" is for the open next actions that name a file which changed since, by a commit or not
	Untold       []File    // with changes that no commit has, and in no artifact table; the newest first
	Later        []File    // with changes that no commit has, in a table, and written after the last delta; the newest first
	Told         []File    // with changes that no commit has, in a table, and not known to be written later
	Clean        bool      // it is known that there are no such files at all
	Folder       string    // of the checkpoints, which all of this leaves aside
	Decided      int       // decisions of the parent that the checkpoint does not have
	Written      string    // the branch that it was written on, where HEAD is on another one
	Branch       string    // HEAD's; "" where it is detached
	Lost         string    // base, where HEAD has not grown from it
	Holder       string    // a branch that holds Lost
	Missing      string    // base, where the repository does not have it
}

// Names says whether a file is named as one that is gone, or where one moved.
func (f *Facts) Names(file string) bool {
	return slices.ContainsFunc(f.Findings, func(x Finding) bool { return x.Path == file || x.To == file })
}

// sentence says the facts in at most limit bytes; "" where there is nothing to say.
// Of each kind of file it names at most so many.
func (f Facts) sentence(names, limit int) string {
	clauses := f.clauses(names)
	if len(clauses) == 0 {
		return ""
	}
	if s := "Since this was written: " + strings.Join(clauses, "; ") + "."; len(s) <= limit {
		return s
	}
	for n := len(clauses) - 1; n > 0 && names == 0; n-- {
		if s := "Since this was written: " + strings.Join(clauses[:n], "; ") + "; and more."; len(s) <= limit {
			return s
		}
	}
	return ""
}

// clauses are the facts, with at most so many files named in each.
func (f Facts) clauses(names int) []string {
	var all []string
	add := func(clause string) {
		if clause != "" {
			all = append(all, clause)
		}
	}
	add(f.commits())
	add(f.moved(names))
	add(f.gone(names))
	if n := len(f.Untold); n > 0 {
		add(text.Count(n, "edited file") + " that no delta mentions")
	}
	if n := len(f.Later); n > 0 {
		add(text.Count(n, "file") + " edited after the last delta")
	}
	add(f.actions(names))
	if f.Decided > 0 {
		add("the parent has " + text.Count(f.Decided, "newer decision"))
	}
	add(f.elsewhere(names > 0))
	return all
}

func (f Facts) commits() string {
	switch n := f.Mine + f.Others; {
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
	if len(all) == 0 || names >= len(all) {
		return strings.Join(all, ", ")
	}
	if names == 0 {
		return text.Count(len(all), "named file") + " moved"
	}
	return strings.Join(all[:names], ", ") + fmt.Sprintf(" and %d more moved", len(all)-names)
}

// gone names what no open next action does: of those [Facts.actions] speaks.
func (f Facts) gone(names int) string {
	var all []string
	for _, x := range f.Findings {
		if x.Verdict == Deleted && !x.In(NextAction) {
			all = append(all, Quote(x.Path))
		}
	}
	return some(all, names, "named file") + verb(len(all), " is gone", " are gone")
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
			if p.Source == NextAction && !slices.Contains(numbers, p.Number) {
				numbers = append(numbers, p.Number)
			}
		}
	}
	if len(files) == 0 {
		return ""
	}
	slices.Sort(numbers)
	clause := ""
	switch {
	case len(numbers) == 1 && numbers[0] <= 3:
		clause = "the " + [...]string{"first", "second", "third"}[numbers[0]-1] + " next action names "
	case len(numbers) == 1:
		clause = "next action " + strconv.Itoa(numbers[0]) + " names "
	case len(numbers) > 4:
		clause = strconv.Itoa(len(numbers)) + " next actions name "
	default:
		var words []string
		for _, n := range numbers {
			words = append(words, strconv.Itoa(n))
		}
		last := len(words) - 1
		clause = "next actions " + strings.Join(words[:last], ", ") + " and " + words[last] + " name "
	}
	clause += verb(len(files), "a file that is gone", strconv.Itoa(len(files))+" files that are gone")
	if names == 0 {
		return clause
	}
	return clause + ": " + some(files, names, "file")
}

// elsewhere says that HEAD is not where it was.
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

// some names at most n of all, and counts the rest.
func some(all []string, n int, what string) string {
	switch {
	case len(all) == 0:
		return ""
	case n == 0:
		return text.Count(len(all), what)
	case n >= len(all) && len(all) > 1:
		return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
	case n >= len(all):
		return all[0]
	}
	return strings.Join(all[:n], ", ") + fmt.Sprintf(" and %d more", len(all)-n)
}

func verb(n int, one, many string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return one
	}
	return many
}

// Quote is a path as a text names it: in backticks, and as git quotes it where it
// holds what would break a line.
func Quote(path string) string {
	if quoted := strconv.Quote(path); len(quoted) != len(path)+2 && strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd || !strconv.IsPrint(r) }) {
		path = quoted
	}
	return checkpoint.Code(path)
}

// short is a commit's name as people write it.
func short(hash string) string { return hash[:min(len(hash), 7)] }
