// Package validate checks checkpoints against the Checkpoint Format
// Specification and against what experience says makes one useful.
//
// It promises a stable code, a line and a way out for everything that it finds,
// and the same findings for the same bytes and the same time. It reads and never
// mends. INDEX.md, secrets and what git knows are checked elsewhere.
package validate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/result"
)

// Disclaimer is what whoever shows a report has to say with it.
const Disclaimer = "checks the format, not whether the content is true"

// Set checks every file of a checkpoints folder and how the files fit together.
// It needs the whole folder: a parent or a second current that was not read
// cannot be seen. A zero now leaves out the rules about age.
func Set(set *checkpoint.Set, now time.Time) result.Report {
	r := result.Report{Checked: len(set.All) + len(set.Broken)}
	f := newFolder(set)
	for _, c := range set.All {
		r.Findings = append(r.Findings, check(c, f, now)...)
	}
	for _, rule := range table {
		if rule.folder == nil {
			continue
		}
		rule.folder(f, func(path, id string, line int, format string, args ...any) {
			r.Findings = append(r.Findings, rule.finding(path, id, line, fmt.Sprintf(format, args...)))
		})
	}
	inOrder(r.Findings)
	return r
}

// Checkpoint checks one file by itself, in the order of its lines. A zero now
// leaves out the rules about age.
func Checkpoint(c *checkpoint.Checkpoint, now time.Time) []result.Finding {
	findings := check(c, nil, now)
	inOrder(findings)
	return findings
}

// check runs the rules of one file; in is nil where its folder is not known.
func check(c *checkpoint.Checkpoint, in *folder, now time.Time) []result.Finding {
	var findings []result.Finding
	f := newFile(c, in, now)
	for _, rule := range table {
		if rule.file == nil || rule.activeOnly && !f.active {
			continue
		}
		rule.file(f, func(line int, format string, args ...any) {
			findings = append(findings, rule.finding(c.Path, c.ID, line, fmt.Sprintf(format, args...)))
		})
	}
	return findings
}

func (r *Rule) finding(path, id string, line int, message string) result.Finding {
	return result.Finding{
		Code: r.Code, Severity: r.Severity, Path: path, Line: line, ID: id,
		Message: message, Fix: strings.ReplaceAll(r.Fix, "{id}", cmp.Or(id, "ID")),
	}
}

func inOrder(findings []result.Finding) {
	slices.SortStableFunc(findings, func(a, b result.Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Code, b.Code))
	})
}
