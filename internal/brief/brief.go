// Package brief builds the brief: what an agent must read to go on, in the order in
// which it matters. docs/format.md lists the parts that must be kept word for word.
//
// [Build] makes the whole brief of a checkpoint, [Brief.Since] leaves out what a session
// has read already, and [Brief.Within] fits it to a limit.
package brief

import (
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/learnings"
)

// Tier is the importance of a part.
type Tier int

// The tiers of parts, the most important first.
const (
	MustKeep Tier = iota
	ShouldKeep
	CanSummarise
)

// String returns the name of the tier.
func (t Tier) String() string { return [...]string{"must-keep", "should-keep", "can-summarise"}[t] }

// MarshalText implements [encoding.TextMarshaler].
func (t Tier) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Part is one section of a brief.
type Part struct {
	Name  string `json:"name"` // the name of the part: "decisions", "learnings"
	Title string `json:"title"`
	Tier  Tier   `json:"tier"` // must-keep, should-keep or can-summarise
	Text  string `json:"-"`    // Markdown; must-keep text is verbatim

	heading bool    // the part is shown even if it has no text
	pieces  []piece // the pieces of the text; one with the heading if the text is empty
	never   int     // how many of the last pieces have no room in any brief
	more    int     // how many entries are left out of the text, and of every brief

	source      string // the command that shows the whole part; empty if the checkpoint has it
	open, close string // the lines before and after the pieces
	always      bool   // open and close are shown even without a piece
	upward      bool   // pieces is newest first, so that the newest is kept longest, but is shown oldest first
}

// Names of parts in JSON.
const (
	OwnPart = "own"       // for a section that the format does not define
	learned = "learnings" // the learnings, which are in another file
)

// Brief is what `ckpt resume` prints. It gives times and no ages, so that the same file always gives the same brief.
type Brief struct {
	ID        string
	Name      string // how commands name the checkpoint, such as "@"; empty means by its id
	Path      string
	Status    string
	Parent    string
	Anchor    string
	Created   time.Time
	LastDelta time.Time        // the zero time if there is no delta
	Next      string           // the first next action
	Outcome   string           // the outcome of an archived checkpoint
	Mark      *checkpoint.Mark // the open mark; nil for none
	Facts     Lengths          // facts that git knows and the file lacks, at most MaxFacts bytes
	Work      Lengths          // the work of sessions that no delta mentions, at most MaxFacts bytes
	Said      []record.Words   // messages of the user that no checkpoint records, the newest session first
	Heard     bool             // anything that the user said in sessions is recorded
	ChangedBy string           // who changed the checkpoint last; empty if it was the reader, or if git does not know
	Parts     []Part           // in the order of the brief
	Moment    Moment           // determines the commands at the end
	News      bool             // the brief has only what the session has not read yet
	Warnings  []string

	of      *checkpoint.Checkpoint
	missing bool // some learnings cannot be read
}

// MaxFacts is the maximum size in bytes of each of two texts: the facts, and the work that no delta mentions.
// They follow the head of a brief, but are shown only if everything that must be kept is shown. [Rendering]
// describes their lengths.
const MaxFacts = 800

// MaxLearnings is the maximum number of learnings that a brief repeats.
const MaxLearnings = 10

// Checkpoint returns the checkpoint of the brief.
func (b *Brief) Checkpoint() *checkpoint.Checkpoint { return b.of }

// Steps returns the number of completed steps in the brief.
func (b *Brief) Steps() int {
	n := 0
	for _, p := range b.Parts {
		if p.Name != checkpoint.PlayByPlay.Template().Name {
			continue
		}
		for _, piece := range p.pieces {
			step := strings.TrimPrefix(piece.text, "- ")
			if !strings.Contains(step, " → failed") && !strings.HasPrefix(step, "Execution complete") {
				n++
			}
		}
		break
	}
	return n
}

// Build returns the whole brief of a checkpoint. The must-keep sections come first, word for word, but without
// superseded decisions and done next actions. Then come the other sections, with the deltas folded in, newest first,
// and some of the given learnings. Missing is the error if learnings cannot be read, and nil otherwise.
func Build(c *checkpoint.Checkpoint, all []learnings.Learning, missing error) *Brief {
	archived := c.Status() == checkpoint.Archived
	b := &Brief{
		ID: c.ID, Path: c.Path, Status: string(c.Status()), Parent: c.Parent(), Anchor: c.Field("anchor"),
		Created: c.Created(), LastDelta: c.LastDelta(), of: c, missing: missing != nil,
	}
	if m, ok := c.Mark(); ok {
		b.Mark = &m
	}
	b.section(checkpoint.Problem, MustKeep, sectionText(c, checkpoint.Problem))
	b.section(checkpoint.Intent, MustKeep, sectionText(c, checkpoint.Intent))
	b.section(checkpoint.Decisions, MustKeep,
		paragraphs(c.LiveText(checkpoint.Decisions), repeated(c, checkpoint.Decisions)))
	b.section(checkpoint.State, MustKeep, sectionText(c, checkpoint.State))
	b.section(checkpoint.Next, MustKeep, paragraphs(c.LiveText(checkpoint.Next), repeated(c, checkpoint.Next)))
	b.section(checkpoint.Rules, MustKeep, sectionText(c, checkpoint.Rules))
	open, completed := "", ""
	if archived {
		b.Outcome = c.Outcome()
		b.section(checkpoint.Completion, ShouldKeep, sectionText(c, checkpoint.Completion))
	} else {
		b.Next = c.FirstAction()
		open, completed = progressOf(c)
	}
	if b.Mark != nil {
		b.part("mark", "Exploration", ShouldKeep, paragraphs(b.Mark.Markdown(), beginning(b.Mark)))
	}
	b.part("progress", "Progress", ShouldKeep, open)
	b.asides(c)
	files, earlierFiles := trail(c)
	steps, earlierSteps := playByPlay(c)
	crumbs, stale := breadcrumbs(c)
	b.section(checkpoint.Artifacts, ShouldKeep, files)
	b.section(checkpoint.PlayByPlay, ShouldKeep, steps)
	b.section(checkpoint.Context, ShouldKeep, sectionText(c, checkpoint.Context))
	b.section(checkpoint.Breadcrumbs, ShouldKeep, crumbs)
	b.part("completed", "Completed", CanSummarise, completed)
	b.part("delta-details", "Deltas in Detail", CanSummarise, details(c))
	b.own(c)
	b.part("earlier-artifacts", "Earlier Artifacts", CanSummarise, earlierFiles)
	b.part("earlier-play-by-play", "Earlier Play-By-Play", CanSummarise, earlierSteps)
	b.part("stale-breadcrumbs", "Stale Breadcrumbs", CanSummarise, stale)
	picked := learnings.OrMissing(learnings.Pick(all, string(c.Doc.Bytes()), len(all)), missing)
	b.add(Part{
		Name: learned, Title: "Learnings", Tier: ShouldKeep, Text: listLearnings(picked), source: "ckpt learnings",
		more: max(0, len(picked)-MaxLearnings),
	})
	return b
}

// section adds a section of the format. A section that need not be kept is left out if it is empty
// or only has the text "None".
func (b *Brief) section(k checkpoint.Kind, tier Tier, text string) {
	if tier == MustKeep || !checkpoint.IsNone(text) {
		b.part(k.Template().Name, k.Template().Title, tier, text)
	}
}

// part adds a part, unless its text is empty.
func (b *Brief) part(name, title string, tier Tier, text string) {
	b.add(Part{Name: name, Title: title, Tier: tier, Text: text})
}

func (b *Brief) add(p Part) {
	switch {
	case p.Text != "":
		p.pieces = cut(p.Text)
	case p.heading && p.Title != "":
		p.pieces = []piece{{text: "\n## " + p.Title + "\n"}}
	default:
		return
	}
	b.Parts = append(b.Parts, p)
}

// beginning returns HEAD and the uncommitted changes at the time when an exploration began.
func beginning(m *checkpoint.Mark) string {
	var all []string
	add := func(name, value string) {
		if value != "" {
			all = append(all, name+": "+value)
		}
	}
	add("HEAD", m.Head)
	add("Not committed", m.Dirty)
	return strings.Join(all, "; ")
}

// sectionText returns the text of all sections of a kind.
func sectionText(c *checkpoint.Checkpoint, k checkpoint.Kind) string {
	return paragraphs(c.Text(k), repeated(c, k))
}

// repeated returns the text of the second and further sections of a kind, which a merge or a person may have left.
func repeated(c *checkpoint.Checkpoint, k checkpoint.Kind) string {
	var all []string
	for _, p := range c.Sections() {
		if p.Kind == k {
			all = append(all, c.Doc.Text(p.Extent))
		}
	}
	return paragraphs(all[min(len(all), 1):]...)
}

// paragraphs joins texts as paragraphs, without the empty ones.
func paragraphs(texts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return s == "" }), "\n\n")
}

func listLearnings(chosen []learnings.Learning) string {
	var all []string
	for _, l := range chosen[:min(len(chosen), MaxLearnings)] {
		from := l.ID
		if from != "" {
			from = " (" + from + ")"
		}
		all = append(all, "- "+l.Text+from)
	}
	return strings.TrimRight(strings.Join(all, "\n"), "\n")
}
