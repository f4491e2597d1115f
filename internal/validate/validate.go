// Package validate checks checkpoints against the Checkpoint Format Specification and against rules
// of thumb for useful checkpoints.
//
// Every finding has a stable code, a line and a remedy, and the same bytes at the same time give
// the same findings. The package repairs nothing. Other packages check secrets and facts from git.
package validate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
)

// Disclaimer is printed with every report.
const Disclaimer = "checks the format, not whether the content is true"

// Set checks every file of a checkpoints folder, and the files together. It needs the whole folder
// to find parents and a second current checkpoint. If now is zero, it leaves out the rules about
// age.
func Set(set *checkpoint.Set, now time.Time) result.Report {
	r := result.Report{Checked: len(set.All) + len(set.Broken)}
	f := newFolder(set)
	for _, c := range set.All {
		r.Findings = append(r.Findings, checkFile(c, f, now)...)
	}
	for _, rule := range table.Get() {
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

// Checkpoint checks one file without its folder. If now is zero, it leaves out the rules about age.
func Checkpoint(c *checkpoint.Checkpoint, now time.Time) []result.Finding {
	findings := checkFile(c, nil, now)
	inOrder(findings)
	return findings
}

// checkFile checks one file by all rules; in is nil if its folder is not known.
func checkFile(c *checkpoint.Checkpoint, in *folder, now time.Time) []result.Finding {
	var findings []result.Finding
	f := newFile(c, in, now)
	for _, rule := range table.Get() {
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
		Message: message, Fix: strings.ReplaceAll(r.Fix(), "{id}", cmp.Or(id, "ID")),
	}
}

func inOrder(findings []result.Finding) {
	slices.SortStableFunc(findings, func(a, b result.Finding) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Code, b.Code))
	})
}
