package main

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// medium is what the next session is given to read, and where it can look besides.
type medium struct {
	name string
	text string // the brief, or HANDOFF.md
	raw  string // the checkpoint's file; "" where the text is all there is
	// ckpt is whether more has to be written with ckpt: then the reader needs its commands.
	ckpt bool
}

// costs is how many bytes each look prints.
type costs struct {
	status, log, raw, skill, tests, sources int
}

// reading is what a medium gives a reader, counted against the truth.
type reading struct {
	rules, decisions, next, files score
	newFiles, commands            score // of what happened since the last record
	stale                         int   // finished points that the text presents as open
	looks                         []string
	text                          string
	bytes                         int      // the text and what the looks print
	lost                          []string // rules, decisions and points that no look shows
	missing                       []string // all facts that the text does not hold
}

type score struct{ held, of int }

// The looks, in the order in which they are listed.
const (
	lookStatus  = "git status"
	lookLog     = "git log"
	lookRaw     = "raw file"
	lookSkill   = "skill"
	lookTests   = "tests"
	lookSources = "sources"
)

// read counts what the medium holds of the truth and which looks a reader needs for the
// rest. A fact is held where its exact text is: nothing is understood. A file or a
// commit that only a rule, a decision or a point names is not held, since nothing says
// what became of it. A look counts once, however many facts it brings:
//
//   - git status, where a file with changes that are not committed is not named;
//   - git log, where the subject of a commit since the last record, or a file that is
//     committed and that the checkpoint's file does not name either, is missing;
//   - raw file, where it has a rule, a decision, a point or a file that the text leaves
//     out, or where the text does not say whether it left something out;
//   - skill, where the text has no command for a delta that can be copied;
//   - tests, where the last run of the tests is not told with its exit code;
//   - sources, the files changed since the last record, where a finished point is
//     presented as open and the commit that finished it is not named.
func read(m medium, t *truth, c costs) reading {
	r := reading{text: m.text, bytes: len(m.text)}
	need := map[string]bool{}
	count := func(s *score, in, kind, fact string) bool {
		s.of++
		if holds(in, fact) {
			s.held++
			return true
		}
		r.missing = append(r.missing, kind+": "+fact)
		return false
	}
	essential := func(s *score, kind, fact string) {
		switch {
		case count(s, m.text, kind, fact):
		case holds(m.raw, fact):
			need[lookRaw] = true
		default:
			r.lost = append(r.lost, kind+": "+fact)
		}
	}
	for _, rule := range t.rules {
		essential(&r.rules, "rule", rule)
	}
	for _, d := range t.decisions {
		essential(&r.decisions, "decision", d.what)
	}
	for _, p := range t.open() {
		essential(&r.next, "next", p)
	}
	text, raw := t.without(m.text), t.without(m.raw)
	for _, f := range t.files {
		switch {
		case count(&r.files, text, "file", f):
		case slices.Contains(t.dirty, f):
			need[lookStatus] = true
		case holds(raw, f):
			need[lookRaw] = true
		default:
			need[lookLog] = true
		}
	}
	for _, f := range t.unrecorded.files {
		count(&r.newFiles, text, "unrecorded file", f)
	}
	for _, run := range t.unrecorded.commands {
		count(&r.commands, m.text, "unrecorded command", run.String())
	}
	for _, subject := range t.unrecorded.commits {
		if !count(new(score), text, "commit", subject) {
			need[lookLog] = true
		}
	}
	if t.lastTest != nil && !count(new(score), m.text, "tests", t.lastTest.String()) {
		need[lookTests] = true
	}
	for _, p := range t.stale() {
		if presentsAsOpen(m.text, p.text) {
			r.stale++
			if p.commit == "" || !holds(text, p.commit) {
				need[lookSources] = true
			}
		}
	}
	if m.ckpt && !saysWhatItLeftOut(m.text) {
		need[lookRaw] = true
	}
	if m.ckpt && !howToWrite.MatchString(m.text) {
		need[lookSkill] = true
	}
	for _, look := range []struct {
		name  string
		bytes int
	}{
		{lookStatus, c.status}, {lookLog, c.log}, {lookRaw, c.raw}, {lookSkill, c.skill}, {lookTests, c.tests}, {lookSources, c.sources},
	} {
		if need[look.name] {
			r.looks = append(r.looks, look.name)
			r.bytes += look.bytes
		}
	}
	return r
}

// without returns the text without the rules, decisions and points in it.
func (t *truth) without(text string) string {
	facts := slices.Clone(t.rules)
	for _, d := range t.decisions {
		facts = append(facts, d.what, d.why)
	}
	for _, p := range t.points {
		facts = append(facts, p.text)
	}
	for _, f := range facts {
		text = strings.ReplaceAll(text, f, "")
	}
	return text
}

// holds reports whether the text has the fact, not as a part of a longer word or path.
func holds(text, fact string) bool {
	for from := 0; fact != ""; {
		i := strings.Index(text[from:], fact)
		if i < 0 {
			break
		}
		start, end := from+i, from+i+len(fact)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, size := utf8.DecodeRuneInString(text[end:])
		second, _ := utf8.DecodeRuneInString(text[end+size:])
		if !inWord(before) && before != '.' && !inWord(after) && !(after == '.' && inWord(second)) {
			return true
		}
		from = start + 1
	}
	return false
}

// inWord reports whether r is part of a word or of a path.
func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-/", r)
}

// presentsAsOpen reports whether the text names the point other than as done.
func presentsAsOpen(text, point string) bool {
	for line := range strings.Lines(text) {
		if holds(line, point) && !strings.Contains(line, "→ done") && !strings.Contains(line, "[x]") {
			return true
		}
	}
	return false
}

// saysWhatItLeftOut reports whether a brief tells that it is whole, or what it lacks.
func saysWhatItLeftOut(brief string) bool {
	for line := range strings.Lines(brief) {
		if strings.HasPrefix(line, "Complete:") || strings.HasPrefix(line, "INCOMPLETE:") || strings.HasPrefix(line, "Left out:") {
			return true
		}
	}
	return false
}

// howToWrite is a command for a delta that can be copied: it reads standard input, or
// its text is in quotes.
var howToWrite = regexp.MustCompile(`ckpt delta.* (-F -|-m ["'])`)
