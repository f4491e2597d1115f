// Package resume is the brief: what an agent must read to go on, in the order in
// which it matters (contract, section 4; format, Information Priority Hierarchy).
package resume

import (
	"strings"
	"time"

	"example.com/ckpt/internal/core/ledger"
)

// Tier says how dear a part is.
type Tier int

// The tiers, dearest first.
const (
	MustKeep Tier = iota
	ShouldKeep
	CanSummarise
)

// String is the tier as JSON names it.
func (t Tier) String() string { return [...]string{"must-keep", "should-keep", "can-summarise"}[t] }

// Part is one section of a brief.
type Part struct {
	Name  string // of the section: "next-actions", "learnings"
	Title string
	Tier  Tier
	Text  string // Markdown; must-keep text is verbatim
}

// Brief is what `ckpt resume` prints. The same file gives the same brief: it
// holds times, never ages.
type Brief struct {
	ID        string
	Path      string
	Status    string
	Parent    string
	Anchor    string
	Created   time.Time
	LastDelta time.Time // zero where there is none
	Next      string    // the first next action, "" where none is named
	Outcome   string    // of an archived one
	Facts     string    // what git knows and the file does not: one paragraph of at most MaxFacts bytes, "" for nothing
	Parts     []Part    // in the order of the brief
	Warnings  []string
}

// MaxFacts bounds the paragraph of facts, in bytes. It is printed at every budget
// that admits the head.
const MaxFacts = 400

// MaxLearnings bounds how many learnings a brief repeats.
const MaxLearnings = 10

// learnings is the part that carries over what other checkpoints taught.
func learnings(chosen []ledger.Learning) Part {
	var b strings.Builder
	for _, l := range chosen[:min(len(chosen), MaxLearnings)] {
		b.WriteString("- " + l.Text)
		if l.ID != "" {
			b.WriteString(" (" + l.ID + ")")
		}
		b.WriteByte('\n')
	}
	return Part{Name: "learnings", Title: "Learnings", Tier: ShouldKeep, Text: strings.TrimRight(b.String(), "\n")}
}
