// Package drift compares what a checkpoint names with what the repository has.
// [References] finds the paths that breadcrumbs, artifact rows and next actions name; a [Check] gives each
// of them a verdict; [Facts] puts into words what git knows and the checkpoint does not.
//
// A text is full of words with dots and slashes that are not paths. A breadcrumb of type file and a
// row of an artifact table certainly name a file. Everything else only looks like a path, and
// counts only if git has, or had, such a file, because a false alarm is worse than a path that is
// not listed. The package itself reads no file and runs no process; it asks a [Repository].
package drift

import (
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// Reference is a path in the repository that a checkpoint names.
type Reference struct {
	Path    string             `json:"path"`     // slash path from the root
	Literal string             `json:"-"`        // the text as written; replaces an untracked Path if this file exists
	Folder  bool               `json:"-"`        // it is written with a slash at its end
	Glob    bool               `json:"-"`        // the reference may be a pattern
	Sure    bool               `json:"-"`        // it certainly is a path; otherwise it only looks like one
	Absent  bool               `json:"-"`        // the last artifact row about it records a deletion
	Bare    bool               `json:"-"`        // it is a single word in prose, or in a command in backticks
	Places  result.List[Place] `json:"named_by"` // the entries of the checkpoint that name it
}

// Excused reports whether the reference may be missing: only artifact rows name it, and the last of
// them records a deletion.
func (r *Reference) Excused() bool { return r.Absent && !r.In(Breadcrumb) && !r.In(NextAction) }

// In reports whether an entry of the given kind names the reference.
func (r *Reference) In(s Source) bool {
	return slices.ContainsFunc(r.Places, func(p Place) bool { return p.Source == s })
}

// Source is a kind of entry of a checkpoint that names paths.
type Source string

// The kinds of entries that name paths.
const (
	Breadcrumb Source = "breadcrumb"
	Artifact   Source = "artifact"
	NextAction Source = "next action"
)

// Place is an entry of a checkpoint that names a reference.
type Place struct {
	Source Source `json:"source"` // breadcrumb, artifact or next action
	// The number of the breadcrumb or open next action, from 1; 0 for an artifact.
	Number int    `json:"number,omitempty"`
	Aside  bool   `json:"-"` // named in passing: in a breadcrumb's hint
	within string // a name in the file, after the path: ":Check"
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

// The results of checking a reference.
const (
	OK      Verdict = "ok"
	Changed Verdict = "changed"       // changed in commits since base
	Moved   Verdict = "moved"         // git detects that it was renamed
	Deleted Verdict = "deleted"       // a file that existed before
	Never   Verdict = "never existed" // found in no commit of HEAD's history
	Ignored Verdict = "ignored"       // ignored by git
	Unknown Verdict = "unknown"       // cannot be determined here; Note has the reason
)

// Finding is one reference with its verdict.
type Finding struct {
	Reference
	Verdict Verdict `json:"verdict"`           // what became of it: ok, changed, moved, deleted ...
	Commits int     `json:"commits,omitempty"` // the number of commits that changed it since base
	To      string  `json:"to,omitempty"`      // the new path, if it moved
	Commit  string  `json:"commit,omitempty"`  // the hash of the last commit that moved or deleted it; empty if none did
	Date    string  `json:"date,omitempty"`    // the date of that commit: 2026-01-02
	Note    string  `json:"note,omitempty"`    // an explanation
}

// Stale reports whether the reference is broken.
func (f *Finding) Stale() bool { return slices.Contains([]Verdict{Moved, Deleted, Never}, f.Verdict) }

// Name returns the reference as people write it.
func (f *Finding) Name() string { return f.full(f.Path) }

// full returns a path, with a slash at its end if the reference has one.
func (f *Finding) full(path string) string {
	if f.Folder {
		return path + "/"
	}
	return path
}

// InWords describes the verdict: "deleted in 1234567 (2026-01-02)".
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

// Report has a finding for each path that a checkpoint names, in the order of [References].
type Report struct {
	ID       string               `json:"id"`
	Path     string               `json:"path"`
	Base     string               `json:"base,omitempty"` // the commit from which changes are counted; empty if unknown
	Findings result.List[Finding] `json:"references"`     // the paths that the checkpoint names
	Counts   map[Verdict]int      `json:"counts"`         // how many references have each verdict
	Remarks  []string             `json:"remarks,omitempty"`
}

// Prune strikes through each breadcrumb whose references are all broken, and adds the new paths of
// files that moved. It removes nothing. It returns a line for each breadcrumb that it struck
// through.
func (r *Report) Prune(revision *revise.Revision) (struck []string) {
	byCrumb := map[int][]*Finding{}
	for i := range r.Findings {
		for _, p := range r.Findings[i].Places {
			if p.Source == Breadcrumb && !p.Aside {
				f := r.Findings[i]
				f.To += p.within
				byCrumb[p.Number] = append(byCrumb[p.Number], &f)
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
			switch {
			case f.Verdict == Moved:
				to = append(to, checkpoint.Code(f.full(f.To)))
			case f.Verdict == Deleted && f.Commit != "":
				why = append(why, "deleted in "+short(f.Commit))
			default:
				why = append(why, string(f.Verdict))
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

// Quote returns a path in backticks, escaped as git does if it contains characters that would break
// a line.
func Quote(path string) string {
	unsafe := func(r rune) bool { return r == 0xfffd || !strconv.IsPrint(r) }
	if quoted := strconv.Quote(path); len(quoted) != len(path)+2 && strings.ContainsFunc(path, unsafe) {
		path = quoted
	}
	return checkpoint.Code(path)
}

// short returns an abbreviated commit hash.
func short(hash string) string { return hash[:min(len(hash), 7)] }
