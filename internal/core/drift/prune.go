package drift

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/text"
)

// Prune strikes through each breadcrumb whose reference leads nowhere, and says
// behind it where it went. Nothing is taken out. A breadcrumb that names several
// things stays while one of them is there. It gives what was struck, in words.
func (r *Report) Prune(revision *checkpoint.Revision) (struck []string) {
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
				to = append(to, checkpoint.Code(f.target()))
			} else {
				why = append(why, f.end())
			}
			words = append(words, f.Name()+": "+f.Fate())
		}
		struck = append(struck, strings.Join(words, "; "))
		behind := ""
		if len(to) > 0 {
			behind += " → " + strings.Join(to, ", ")
		}
		if len(why) > 0 {
			behind += " (" + strings.Join(slices.Compact(why), "; ") + ")"
		}
		revision.StrikeBreadcrumb(n-1, behind)
	}
	return struck
}

// target is where something moved, as a reference.
func (f *Finding) target() string {
	if f.Symbol != "" {
		return f.To + ":" + f.Symbol
	}
	if f.Folder {
		return f.To + "/"
	}
	return f.To
}

// end is why something leads nowhere, in short.
func (f *Finding) end() string {
	if f.Symbol != "" && f.Path != "" {
		return f.Symbol + " is gone"
	}
	if f.Verdict == Deleted && f.Commit != "" {
		return "deleted in " + short(f.Commit)
	}
	return string(f.Verdict)
}

// Name is what is named, as people write it.
func (f *Finding) Name() string {
	switch {
	case f.Path == "":
		return f.Symbol
	case f.Symbol != "":
		return f.Path + ":" + f.Symbol
	case f.Folder:
		return f.Path + "/"
	}
	return f.Path
}

// Fate is the verdict with all that belongs to it: "deleted in 1234567 (2026-01-02)".
func (f *Finding) Fate() string {
	s := string(f.Verdict)
	switch f.Verdict {
	case Changed:
		s += " in " + text.Count(f.Commits, "commit")
	case Moved:
		s += " to " + f.target()
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
