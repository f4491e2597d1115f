package main

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// medium is a text that the next session gets, and the command that shows the rest.
type medium struct {
	text     string // the brief, or HANDOFF.md
	rest     string // what restName prints; empty if the text is complete
	restName string // the command that the brief names for what it leaves out, else the checkpoint's file
	ckpt     bool   // to write more, the reader needs the commands of ckpt
}

// costs is how many bytes each look prints, that is each command with which a reader finds a fact
// that the text lacks.
type costs struct {
	status, log, skill, tests, sources int
}

// reading is what a medium gives a reader, counted against the truth.
type reading struct {
	rules, decisions, next, files score
	newFiles, commands            score // facts from after the last record
	stale                         int   // finished points that the text presents as open
	looks                         []string
	text                          string
	bytes                         int      // bytes of the text and of what the looks print
	lost                          []string // rules, decisions and points that no look shows
	missing                       []string // all facts that the text lacks
}

type score struct{ found, of int }

// The kinds of looks, beside the command that shows the rest of the text.
const (
	lookStatus  = "git status"
	lookLog     = "git log"
	lookSkill   = "skill"
	lookTests   = "tests"
	lookSources = "sources"
)

// read counts the facts that the text of the medium contains and the looks that a reader
// needs for the rest. A fact counts if its exact text occurs. A file or a commit that is
// named only inside a rule, a decision or a point does not count: its state is not shown.
//
// The first look prints the rest. It is needed if the rest has a rule, a decision or a point that
// the text lacks, or if a brief does not tell whether it left something out. Each kind of fact that
// is in neither needs one more look:
//
//   - git status, for a file with changes that are not committed;
//   - git log, for the subject of a commit since the last record;
//   - skill, for a command that writes a delta and can be copied;
//   - tests, for the last run of the tests and its exit code;
//   - sources, the files changed since the last record, where the text presents a
//     finished point as open and the commit that finished it is not named.
//
// A committed file that is left out is counted, but causes no look.
func read(m medium, t *truth, c costs) reading {
	r := reading{text: m.text, bytes: len(m.text)}
	look := func(name string, bytes int) {
		r.looks, r.bytes = append(r.looks, name), r.bytes+bytes
	}
	text := t.without(m.text)
	count := func(s *score, in, kind, fact string) {
		s.of++
		if contains(in, fact) {
			s.found++
		} else {
			r.missing = append(r.missing, kind+": "+fact)
		}
	}
	needsRest := m.ckpt && !tellsWhatItLeftOut.MatchString(m.text)
	essential := func(s *score, kind, fact string) {
		count(s, m.text, kind, fact)
		if !contains(m.text, fact) && contains(m.rest, fact) {
			needsRest = true
		} else if !contains(m.text, fact) {
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
	for _, f := range t.files {
		count(&r.files, text, "file", f)
	}
	for _, f := range t.unrecorded.files {
		count(&r.newFiles, text, "unrecorded file", f)
	}
	for _, run := range t.unrecorded.commands {
		count(&r.commands, m.text, "unrecorded command", run.String())
	}
	seen := m.text
	if needsRest {
		look(m.restName, len(m.rest))
		seen += "\n" + m.rest
	}
	told := t.without(seen)
	lacks := func(facts []string) bool {
		return slices.ContainsFunc(facts, func(fact string) bool { return !contains(told, fact) })
	}
	if lacks(t.dirty) {
		look(lookStatus, c.status)
	}
	if lacks(t.unrecorded.commits) {
		look(lookLog, c.log)
	}
	if m.ckpt && !howToWrite.MatchString(seen) {
		look(lookSkill, c.skill)
	}
	if t.lastTest != nil && !contains(seen, t.lastTest.String()) {
		look(lookTests, c.tests)
	}
	unexplained := false
	for _, p := range t.stale() {
		if presentsAsOpen(m.text, p.text) {
			r.stale++
			unexplained = unexplained || !contains(told, p.commit)
		}
	}
	if unexplained {
		look(lookSources, c.sources)
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

// contains reports whether the text has the fact, not as a part of a longer word or path.
func contains(text, fact string) bool {
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
		if contains(line, point) && !strings.Contains(line, "→ done") && !strings.Contains(line, "[x]") {
			return true
		}
	}
	return false
}

var (
	// tellsWhatItLeftOut finds the line in which a brief tells that it is complete, or what it
	// lacks and which command shows that.
	tellsWhatItLeftOut = regexp.MustCompile(`(?m)^(?:Complete:|(?:INCOMPLETE:|Left out:).*?(?:\((ckpt [^)]*)\)|$))`)

	// howToWrite finds a command for a delta that can be copied: it reads standard input,
	// or its text is in quotes.
	howToWrite = regexp.MustCompile(`ckpt delta.* (-F -|-m ["'])`)
)
