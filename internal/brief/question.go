package brief

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/edit/fold"
)

// Question is something that whoever goes on has to know.
type Question struct {
	Section  string // of the format: "decisions"
	Tier     Tier
	Ask      string
	Answer   string // as the checkpoint has it; "" where it does not say what it has to
	Answered bool   // by the brief

	parts       []string // of the brief in which the answer may stand
	key, answer []string // the words that a passage has to hold: what was asked about, and what is asked for
}

// maker makes the questions of one section.
type maker struct {
	all   []Question
	kind  checkpoint.Kind
	tier  Tier
	parts []string
}

// section begins a section, which also other parts of a brief may hold.
func (m *maker) section(k checkpoint.Kind, t Tier, more ...string) {
	m.kind, m.tier, m.parts = k, t, append([]string{k.Template().Name}, more...)
}

// ask adds a question, unless there is nothing to answer. One that would hold its
// answer is put in the words of or, which say nothing of it; where those are "" or
// hold it, too, it is not asked.
func (m *maker) ask(question, key, answer, or string) {
	q := Question{Section: m.kind.Template().Name, Tier: m.tier, Ask: question, Answer: oneLine(answer), parts: m.parts, key: wordsOf(key), answer: wordsOf(answer)}
	if len(q.answer) == 0 || checkpoint.IsNone(answer) {
		return
	}
	if holds(wordsOf(q.Ask), q.answer) {
		if q.Ask, q.key = or, nil; or == "" || holds(wordsOf(or), q.answer) {
			return
		}
	}
	m.all = append(m.all, q)
}

// must asks what a checkpoint has to say. Where it says nothing there is no answer.
func (m *maker) must(question, text string) {
	if all := passages(text); len(all) == 0 || checkpoint.IsNone(text) {
		m.all = append(m.all, Question{Section: m.kind.Template().Name, Tier: m.tier, Ask: question})
	}
	m.each(question, text)
}

// each asks for every passage of a text by its number.
func (m *maker) each(question, text string) {
	all := passages(text)
	for i, p := range all {
		numbered := question
		if len(all) > 1 {
			numbered = fmt.Sprintf("%s (%d of %d)", question, i+1, len(all))
		}
		m.ask(numbered, "", p, "")
	}
}

// Questions are what a brief of c has to answer, in the order of the brief.
func Questions(c *checkpoint.Checkpoint) []Question {
	m := &maker{}
	if c.Status() != checkpoint.Archived {
		m.section(checkpoint.Next, MustKeep, "")
		m.must("What is to be done first?", c.FirstAction())
	}
	m.section(checkpoint.Problem, MustKeep)
	m.must("What is the problem?", c.Text(checkpoint.Problem))
	m.section(checkpoint.Intent, MustKeep)
	m.must("What is wanted?", c.Text(checkpoint.Intent))
	m.decisions(c)
	m.section(checkpoint.State, MustKeep)
	m.must("What is the state?", fold.State(c))
	m.actions(c)
	m.section(checkpoint.Rules, MustKeep)
	m.each("What must always or never be done?", c.Text(checkpoint.Rules))
	m.files(c)
	m.steps(c)
	m.asides(c)
	m.facts(c)
	m.section(checkpoint.Breadcrumbs, ShouldKeep, "stale-breadcrumbs")
	for i, b := range c.Breadcrumbs() {
		or := fmt.Sprintf("What is reference %d?", i+1)
		if len(wordsOf(b.Hint)) == 0 {
			m.ask(or, "", b.Reference, or)
		} else {
			m.ask("Where is this: "+oneLine(b.Hint)+"?", b.Hint, b.Reference, or)
		}
	}
	if c.Status() == checkpoint.Archived {
		m.section(checkpoint.Completion, ShouldKeep)
		m.ask("What came of it all?", "", c.Outcome(), "")
	}
	return m.all
}

// decisions asks what was decided, with half of it given, and why.
func (m *maker) decisions(c *checkpoint.Checkpoint) {
	m.section(checkpoint.Decisions, MustKeep)
	n := 0
	for _, d := range c.Decisions() {
		if !d.Live() || checkpoint.IsNone(d.What) {
			continue
		}
		n++
		or := fmt.Sprintf("What is decision %d?", n)
		begun, rest := half(d.What)
		if begun == "" {
			m.ask(or, "", rest, or)
		} else {
			m.ask("What was decided of “"+begun+" …”?", begun, rest, or)
		}
		if d.Why != "" {
			m.ask("Why was it decided: “"+oneLine(d.What)+"”?", d.What, d.Why, fmt.Sprintf("Why is decision %d so?", n))
		}
	}
	if n == 0 {
		m.each("What was decided?", c.LiveDecisions())
	}
}

// half cuts a text after half of its words; one word is all rest.
func half(text string) (begun, rest string) {
	fields := strings.Fields(text)
	n := len(fields) / 2
	for n < len(fields) && len(wordsOf(strings.Join(fields[n:], " "))) > 0 && len(wordsOf(strings.Join(fields[:n], " "))) == 0 && n > 0 {
		n++ // nothing but marks is given
	}
	return strings.Join(fields[:n], " "), strings.Join(fields[n:], " ")
}

// actions asks for what is still to be done.
func (m *maker) actions(c *checkpoint.Checkpoint) {
	m.section(checkpoint.Next, MustKeep)
	n := 0
	for _, a := range c.Actions() {
		if a.Done {
			continue
		}
		if n++; n > 1 || strings.Contains(strings.TrimSpace(a.Text), "\n") {
			m.ask(fmt.Sprintf("What is next action %d?", n), "", a.Text, "")
		}
	}
}

// files asks which file holds what, or what became of one.
func (m *maker) files(c *checkpoint.Checkpoint) {
	m.section(checkpoint.Artifacts, ShouldKeep, "earlier-artifacts")
	all := fold.Artifacts(c)
	for i, a := range all {
		or := fmt.Sprintf("What is file %d?", i+1)
		switch {
		case len(wordsOf(a.Change)) > 0 && !holds(wordsOf(a.Change), wordsOf(a.File)):
			m.ask("Which file is it: "+oneLine(a.Change)+"?", a.Change, a.File, or)
		default:
			m.ask("What became of "+a.File+"?", a.File, a.Action+" "+a.Change, or)
		}
	}
	if len(all) == 0 {
		m.each("Which files were touched?", c.Text(checkpoint.Artifacts))
	}
}

// steps asks what came of what was done.
func (m *maker) steps(c *checkpoint.Checkpoint) {
	m.section(checkpoint.PlayByPlay, ShouldKeep, "earlier-play-by-play")
	n := 0
	for _, p := range passages(c.OwnText(checkpoint.PlayByPlay)) {
		n++
		or := fmt.Sprintf("What was step %d?", n)
		if done, came, ok := strings.Cut(p, "→"); ok && len(wordsOf(done)) > 0 {
			m.ask("What came of this: "+strings.Trim(oneLine(done), "*_")+"?", done, came, or)
		} else {
			m.ask(or, "", p, "")
		}
	}
	for _, s := range fold.Steps(c) {
		m.ask("What was done by "+s.Stamp+"?", s.Stamp, s.Did, "")
		for i, o := range s.Outcome {
			item, after, _ := strings.Cut(o, ": ")
			m.ask("Where does this stand: "+item+"?", item, after, fmt.Sprintf("What is outcome %d of %s?", i+1, s.Stamp))
		}
		m.each("What else was done by "+s.Stamp+"?", s.Rest)
	}
}

// asides asks about the parts below the subheadings that contradict their section, such as
// what was rejected and what is not done yet.
func (m *maker) asides(c *checkpoint.Checkpoint) {
	for _, k := range []checkpoint.Kind{checkpoint.Next, checkpoint.PlayByPlay, checkpoint.Decisions} {
		m.section(k, ShouldKeep)
		m.parts = []string{OwnPart}
		for _, a := range c.Asides(k) {
			m.each(fmt.Sprintf("What is below %q in the %s?", a.Title, k), c.Doc.Text(a.Extent))
		}
	}
}

// facts asks for the technical context: what has a name by its name.
func (m *maker) facts(c *checkpoint.Checkpoint) {
	m.section(checkpoint.Context, ShouldKeep)
	for i, p := range passages(c.Text(checkpoint.Context)) {
		or := fmt.Sprintf("What is fact %d of the technical context?", i+1)
		name, value, ok := strings.Cut(p, ":")
		if ok && strings.TrimSpace(value) != "" && len(wordsOf(name)) > 0 && len(wordsOf(name)) <= 5 {
			m.ask("What does the technical context say of "+strings.Trim(oneLine(name), "*_`")+"?", name, value, or)
		} else {
			m.ask(or, "", p, "")
		}
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
