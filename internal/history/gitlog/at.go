package gitlog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/text"
)

// IsCommit reports whether rev is read as a git revision. A number of versions ("-2", "@{2}") is
// not, and neither is a day or a time ("2026-01-02", "2026-01-02T10:00Z"), even if a branch has
// that name.
func IsCommit(rev string) bool {
	_, steps := stepsBack(rev)
	_, timed := moment(rev)
	return !steps && !timed
}

// At returns the version that rev means. Rev is a number of versions back from the newest ("-2", "@{2}"), or a day or a
// time: that means the newest version up to its end. The error is fault.NotFound if no such version can be shown.
func (vs *Versions) At(rev string) (revisions.Version, error) {
	n, ok := stepsBack(rev)
	if !ok {
		t, _ := moment(rev)
		n = slices.IndexFunc(vs.List, func(v revisions.Version) bool { return !v.Time.After(t) })
		if n < 0 {
			return revisions.Version{}, vs.NotYet(rev)
		}
	}
	if n >= len(vs.List) {
		return revisions.Version{},
			fault.New(fault.NotFound, "%s has %s, and %q is before the first", vs.ID, text.Count(len(vs.List), "version"), rev).
				WithHint("ckpt log %s", vs.ID)
	}
	return vs.List[n], vs.Here(vs.List[n], rev)
}

// AtCode returns the newest version that was made at the commit of the code that rev means, or at an ancestor of it.
// Known reports whether a commit of the code is that commit or an ancestor of it. The error is
// fault.NotFound if no version fits.
func (vs *Versions) AtCode(rev string, known func(code string) bool) (revisions.Version, error) {
	n := slices.IndexFunc(vs.List, func(v revisions.Version) bool { return known(codeOf(v)) })
	if n >= 0 {
		return vs.List[n], vs.Here(vs.List[n], rev)
	}
	first := vs.List[len(vs.List)-1]
	return revisions.Version{}, fault.New(fault.NotFound,
		"%s was not there yet when the code was at %q: it begins at %s on %s",
		vs.ID, rev, codeOf(first)[:7], checkpoint.FormatTime(first.Time)).WithHint("ckpt log %s", vs.ID)
}

// codeOf returns the commit of the code at which a version was made: on a branch, the commit of the version itself.
func codeOf(v revisions.Version) string { return cmp.Or(v.Code, v.Commit) }

// Codes returns the commits of the code at which versions were made.
func (vs *Versions) Codes() []string {
	var codes []string
	for _, v := range vs.List {
		codes = append(codes, codeOf(v))
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// Here returns an error if v, the version that rev means, is the deletion of the checkpoint.
func (vs *Versions) Here(v revisions.Version, rev string) error {
	if !v.Gone() {
		return nil
	}
	return fault.New(fault.NotFound, "at %q %s was gone: %s removed it (%s)", rev, vs.ID, v.Short(), v.Subject).
		WithHint("ckpt show %s --at %s~", vs.ID, v.Short())
}

// NotYet returns the error for a rev before the first version.
func (vs *Versions) NotYet(rev string) error {
	if len(vs.List) == 0 {
		return fault.New(fault.NotFound, "%s is in no commit yet", vs.ID).WithHint("ckpt save")
	}
	first := vs.List[len(vs.List)-1]
	begins := "it begins with"
	if first.Cut {
		begins = "this clone's history of it begins with"
	}
	return fault.New(fault.NotFound, "%s is not at %q: %s %s of %s", vs.ID, rev, begins, first.Short(),
		checkpoint.FormatTime(first.Time)).
		WithHint("ckpt log %s", vs.ID)
}

// stepsBack parses "-2" and "@{2}".
func stepsBack(rev string) (int, bool) {
	digits, ok := strings.CutPrefix(rev, "-")
	if !ok {
		digits, ok = strings.CutPrefix(rev, "@{")
		if !ok || !strings.HasSuffix(digits, "}") {
			return 0, false
		}
		digits = strings.TrimSuffix(digits, "}")
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n >= 0
}

// moment parses a time. A day or a month means its end.
func moment(rev string) (time.Time, bool) {
	if len(rev) < len("2026-01") || rev[4] != '-' {
		return time.Time{}, false
	}
	t, ok := checkpoint.ParseTime(rev)
	return checkpoint.EndOf(t, rev), ok
}
