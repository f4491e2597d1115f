// Package brief builds the brief: what an agent must read to go on, in the order in
// which it matters. docs/format.md lists the parts that must be kept word for word.
//
// [Build] makes the whole brief of a checkpoint, [Brief.Since] leaves out what a session
// has read already, and [Brief.Within] fits it to a limit.
//
// [Rehearse] tests a brief before anybody depends on it. The questions come from the
// checkpoint, the answers from the brief alone. A question counts as answered only if one
// passage of the right section contains the whole answer, word for word, beside what was
// asked about. Sections that the format does not know are not asked about; the rehearsal
// names them, since a brief shows them last.
package brief

import (
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
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

	heading bool    // shown even without text below it
	pieces  []piece // of the text; the heading itself where there is no text
}

// Brief is what `ckpt resume` prints. The same file gives the same brief: it
// holds times, never ages.
type Brief struct {
	ID        string
	Name      string // what the reader calls it on the command line: "@"; "" is the id
	Path      string
	Status    string
	Parent    string
	Anchor    string
	Created   time.Time
	LastDelta time.Time        // zero where there is none
	Next      string           // the first next action, "" where none is named
	Outcome   string           // of an archived one
	Mark      *checkpoint.Mark // the open mark; nil for none
	Facts     Lengths          // what git knows and the file does not, at most MaxFacts bytes
	Work      Lengths          // what sessions did that no delta mentions, at most MaxFacts bytes
	ChangedBy string           // who changed it last, where that is somebody else; "" for the reader, or where git does not know
	Parts     []Part           // in the order of the brief
	Moment    Moment           // what the commands at the end depend on
	News      bool             // it holds only what a session has not read
	Warnings  []string

	of *checkpoint.Checkpoint
}

// MaxFacts bounds the facts, and the work that no delta mentions, in bytes. They follow
// the head wherever all that must be kept is shown, each in the length that 15 % of the
// limit has room for; where nothing else is left out, in a longer one.
const MaxFacts = 800

// MaxLearnings bounds how many learnings a brief repeats.
const MaxLearnings = 10

// Checkpoint returns what the brief is of.
func (b *Brief) Checkpoint() *checkpoint.Checkpoint { return b.of }

// Steps is how many steps that were done the checkpoint holds.
func (b *Brief) Steps() int {
	for _, p := range b.Parts {
		if p.Name == checkpoint.PlayByPlay.Template().Name {
			n := 0
			for _, piece := range p.pieces {
				if text := strings.TrimPrefix(piece.text, "- "); !strings.Contains(text, " → failed") && !strings.HasPrefix(text, "Execution complete") {
					n++
				}
			}
			return n
		}
	}
	return 0
}
