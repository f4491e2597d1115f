// Package drift compares what a checkpoint names with what is there: it finds the
// paths and symbols that breadcrumbs, artifact rows and next actions name, and puts
// into words what git knows of them.
//
// A text is full of words with dots and slashes that are no paths. What the format
// itself calls a file (a breadcrumb of that type, a row of an artifact table) is
// sure; all else only looks like a path, and counts if git has, or had, such a
// file. A false alarm costs more than a path that is not listed.
package drift

import "strconv"

// Reference is something in the repository that a checkpoint names.
type Reference struct {
	Path   string  // slash path, from the root as far as is known; "" for a symbol without a file
	Folder bool    // written with a slash at its end
	Glob   bool    // it may be a pattern
	Symbol string  // an identifier in the file, or somewhere; "" for the file itself
	Sure   bool    // said to be a path; else it only looks like one
	Absent bool    // the last row that names it says that it is deleted
	Bare   bool    // a word of a text, without backticks
	Places []Place // what names it
}

// Excused says whether nobody expects it to be there: all that names it is the
// artifact row that says that it was deleted.
func (r *Reference) Excused() bool {
	return r.Absent && !r.In(Breadcrumb) && !r.In(NextAction)
}

// Source is a part of a checkpoint that names things.
type Source string

// The sources.
const (
	Breadcrumb Source = "breadcrumb"
	Artifact   Source = "artifact"
	NextAction Source = "next action"
)

// Place is where in a checkpoint something is named.
type Place struct {
	Source Source
	Number int  // the breadcrumb's, or that of the open next action, from 1; 0 for an artifact
	Aside  bool // by the way: in a breadcrumb's hint, or as the file of a symbol
}

// String is the place in words: "next action 2".
func (p Place) String() string {
	if p.Number == 0 {
		return string(p.Source)
	}
	return string(p.Source) + " " + strconv.Itoa(p.Number)
}

// In says whether a source names the reference.
func (r *Reference) In(s Source) bool {
	for _, p := range r.Places {
		if p.Source == s {
			return true
		}
	}
	return false
}

// Verdict is what has become of something that a checkpoint names.
type Verdict string

// The verdicts.
const (
	OK      Verdict = "ok"
	Changed Verdict = "changed"       // in commits since base
	Moved   Verdict = "moved"         // git sees it under another name
	Deleted Verdict = "deleted"       // it was there
	Gone    Verdict = "gone"          // a symbol that was there
	Never   Verdict = "never existed" // in no commit of HEAD's history
	Ignored Verdict = "ignored"       // git is told not to look
	Unknown Verdict = "unknown"       // it cannot be told here, and Note says why
)

// Finding is one reference and what has become of it.
type Finding struct {
	Reference
	Order   int // among the references of the checkpoint
	Verdict Verdict
	Commits int    // that changed it since base
	To      string // where it moved
	Commit  string // that moved or deleted it, in full; "" where none did yet
	Date    string // of that commit: 2026-01-02
	Note    string // what else there is to say
}

// Stale says whether the reference leads nowhere.
func (f *Finding) Stale() bool {
	return f.Verdict == Moved || f.Verdict == Deleted || f.Verdict == Gone || f.Verdict == Never
}

// Report is all that a checkpoint names, in its order.
type Report struct {
	ID       string
	Path     string // of the checkpoint
	Base     string // the commit counted from, in full; "" where there is none
	Findings []Finding
	Remarks  []string
}

// Count says how many findings have verdict v.
func (r *Report) Count(v Verdict) int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Verdict == v {
			n++
		}
	}
	return n
}
