// Package drift compares what a checkpoint names with what the repository has.
// [References] finds the paths and symbols that breadcrumbs, artifact rows and next
// actions name; a [Check] gives each of them a verdict; [Facts] puts into words what git
// knows and the checkpoint does not.
//
// A text is full of words with dots and slashes that are not paths. A breadcrumb of type
// file and a row of an artifact table certainly name a file. Everything else only looks
// like a path, and counts only if git has, or had, such a file: a false alarm costs more
// than a path that is not listed. The package itself reads no file and runs no process;
// it asks a [Repository].
package drift

import (
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/text"
)

// Reference is something in the repository that a checkpoint names.
type Reference struct {
	Path   string  `json:"path,omitempty"`   // slash path from the root, as far as is known; empty for a symbol without a file
	Symbol string  `json:"symbol,omitempty"` // an identifier in Path, or in any file; empty for the file itself
	Folder bool    `json:"-"`                // written with a slash at its end
	Glob   bool    `json:"-"`                // may be a pattern
	Sure   bool    `json:"-"`                // certainly a path or symbol; otherwise it only looks like one
	Absent bool    `json:"-"`                // the last artifact row about it tells that it was deleted
	Bare   bool    `json:"-"`                // a word of a text, without backticks
	Places []Place `json:"-"`                // what names it
}

// Excused reports whether the reference is expected to be absent: only artifact rows name
// it, and the last of them tells that it was deleted.
func (r *Reference) Excused() bool {
	return r.Absent && !r.In(Breadcrumb) && !r.In(NextAction)
}

// In reports whether a source names the reference.
func (r *Reference) In(s Source) bool {
	return slices.ContainsFunc(r.Places, func(p Place) bool { return p.Source == s })
}

// Source is a part of a checkpoint that names things.
type Source string

// The sources.
const (
	Breadcrumb Source = "breadcrumb"
	Artifact   Source = "artifact"
	NextAction Source = "next action"
)

// Place is a part of a checkpoint that names a reference.
type Place struct {
	Source Source `json:"source"`
	Number int    `json:"number,omitempty"` // of the breadcrumb or open next action, from 1; 0 for an artifact
	Aside  bool   `json:"-"`                // named in passing: in a breadcrumb's hint, or as the file of a symbol
}

// String returns the place in words: "next action 2".
func (p Place) String() string {
	if p.Number == 0 {
		return string(p.Source)
	}
	return string(p.Source) + " " + strconv.Itoa(p.Number)
}

// Verdict is the result of checking a reference.
type Verdict string

// The verdicts.
const (
	OK      Verdict = "ok"
	Changed Verdict = "changed"       // in commits since base
	Moved   Verdict = "moved"         // git detects a rename
	Deleted Verdict = "deleted"       // it existed
	Gone    Verdict = "gone"          // a symbol that existed
	Never   Verdict = "never existed" // in no commit of HEAD's history
	Ignored Verdict = "ignored"       // by git
	Unknown Verdict = "unknown"       // cannot be determined here; Note has the reason
)

// Finding is one reference with its verdict.
type Finding struct {
	Reference
	Order   int     `json:"-"` // among the references of the checkpoint
	Verdict Verdict `json:"verdict"`
	Commits int     `json:"commits,omitempty"` // that changed it since base
	To      string  `json:"to,omitempty"`      // where it moved
	Commit  string  `json:"commit,omitempty"`  // that moved or deleted it, in full; empty if none did yet
	Date    string  `json:"date,omitempty"`    // of that commit: 2026-01-02
	Note    string  `json:"note,omitempty"`    // an explanation
}

// Stale reports whether the reference is broken.
func (f *Finding) Stale() bool {
	return slices.Contains([]Verdict{Moved, Deleted, Gone, Never}, f.Verdict)
}

// Name returns the reference as people write it.
func (f *Finding) Name() string {
	if f.Path == "" {
		return f.Symbol
	}
	return f.full(f.Path)
}

// full returns a path with the symbol or the slash that belongs to the reference.
func (f *Finding) full(path string) string {
	switch {
	case f.Symbol != "":
		return path + ":" + f.Symbol
	case f.Folder:
		return path + "/"
	}
	return path
}

// InWords returns the verdict in words: "deleted in 1234567 (2026-01-02)".
func (f *Finding) InWords() string {
	s := string(f.Verdict)
	switch f.Verdict {
	case Changed:
		s += " in " + text.Count(f.Commits, "commit")
	case Moved:
		s += " to " + f.full(f.To)
	}
	if f.Commit != "" {
		s += " in " + short(f.Commit)
		if f.Date != "" {
			s += " (" + f.Date + ")"
		}
	}
	if f.Note != "" {
		s += ", " + f.Note
	}
	return s
}

// reason returns in short why the reference is broken.
func (f *Finding) reason() string {
	switch {
	case f.Symbol != "" && f.Path != "":
		return f.Symbol + " is gone"
	case f.Verdict == Deleted && f.Commit != "":
		return "deleted in " + short(f.Commit)
	}
	return string(f.Verdict)
}

// Report lists everything that a checkpoint names, in its order.
type Report struct {
	ID       string
	Path     string // of the checkpoint
	Base     string // the commit that changes are counted from, in full; empty if unknown
	Findings []Finding
	Remarks  []string
}

// Count returns the number of findings with a verdict.
func (r *Report) Count(v Verdict) int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Verdict == v {
			n++
		}
	}
	return n
}

// Prune strikes through each breadcrumb whose references are all broken, and adds where
// they went. Nothing is removed. It returns a line for each breadcrumb that it struck.
func (r *Report) Prune(revision *revise.Revision) (struck []string) {
	byCrumb := map[int][]*Finding{}
	for i := range r.Findings {
		for _, p := range r.Findings[i].Places {
			if p.Source == Breadcrumb && !p.Aside {
				byCrumb[p.Number] = append(byCrumb[p.Number], &r.Findings[i])
			}
		}
	}
	var numbers []int
	for n, named := range byCrumb {
		if !slices.ContainsFunc(named, func(f *Finding) bool { return !f.Stale() }) {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		var to, why, words []string
		for _, f := range byCrumb[n] {
			if f.Verdict == Moved {
				to = append(to, checkpoint.Code(f.full(f.To)))
			} else {
				why = append(why, f.reason())
			}
			words = append(words, f.Name()+": "+f.InWords())
		}
		struck = append(struck, strings.Join(words, "; "))
		suffix := ""
		if len(to) > 0 {
			suffix += " → " + strings.Join(to, ", ")
		}
		if len(why) > 0 {
			suffix += " (" + strings.Join(slices.Compact(why), "; ") + ")"
		}
		revision.StrikeBreadcrumb(n-1, suffix)
	}
	return struck
}

// Quote returns a path for a text: in backticks, and escaped as git does if it contains
// characters that would break a line.
func Quote(path string) string {
	unsafe := func(r rune) bool { return r == 0xfffd || !strconv.IsPrint(r) }
	if quoted := strconv.Quote(path); len(quoted) != len(path)+2 && strings.ContainsFunc(path, unsafe) {
		path = quoted
	}
	return checkpoint.Code(path)
}

// short returns an abbreviated commit hash.
func short(hash string) string { return hash[:min(len(hash), 7)] }
