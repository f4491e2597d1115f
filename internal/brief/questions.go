package brief

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/text"
)

// Question asks for something that the next session needs.
type Question struct {
	Section  string `json:"section"`  // a section of the format: "decisions"
	Tier     Tier   `json:"tier"`     // must-keep, should-keep or can-summarise
	Ask      string `json:"ask"`      // the question
	Answer   string `json:"answer"`   // as in the checkpoint; empty if the checkpoint lacks it
	Answered bool   `json:"answered"` // the brief answers it

	parts       []string // the parts of the brief that may have the answer
	key, answer []string // key is what the question is about; a passage must contain the words of both
}

// questioner makes the questions of one section.
type questioner struct {
	all   []Question
	kind  checkpoint.Kind
	tier  Tier
	parts []string
}

// section begins the questions about a section, which the given further parts of a brief may
// answer, too.
func (m *questioner) section(k checkpoint.Kind, t Tier, more ...string) {
	m.kind, m.tier, m.parts = k, t, append([]string{k.Template().Name}, more...)
}

// ask adds a question, unless the answer is empty. If the question contains the answer, it asks the
// question or instead; if that is empty or contains the answer, too, it asks nothing.
func (m *questioner) ask(question, key, answer, or string) {
	q := Question{
		Section: m.kind.Template().Name, Tier: m.tier, Ask: question, Answer: text.OneLine(answer),
		parts: m.parts, key: wordsOf(key), answer: wordsOf(answer),
	}
	if len(q.answer) == 0 || checkpoint.IsNone(answer) {
		return
	}
	if containsWords(wordsOf(q.Ask), q.answer) {
		if or == "" || containsWords(wordsOf(or), q.answer) {
			return
		}
		q.Ask, q.key = or, nil
	}
	m.all = append(m.all, q)
}

// must asks for a section that a checkpoint must have. If the section is missing, the question has
// no answer.
func (m *questioner) must(question, content string) {
	if all := passages(content); len(all) == 0 || checkpoint.IsNone(content) {
		m.all = append(m.all, Question{Section: m.kind.Template().Name, Tier: m.tier, Ask: question})
	}
	m.each(question, content)
}

// each asks for each passage of a text, by its number.
func (m *questioner) each(question, content string) {
	all := passages(content)
	for i, p := range all {
		numbered := question
		if len(all) > 1 {
			numbered = fmt.Sprintf("%s (%d of %d)", question, i+1, len(all))
		}
		m.ask(numbered, "", p, "")
	}
}

// Questions returns the questions that a brief of c has to answer, in its order.
func Questions(c *checkpoint.Checkpoint) []Question {
	m := &questioner{}
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
			m.ask("Where is this: "+text.OneLine(b.Hint)+"?", b.Hint, b.Reference, or)
		}
	}
	if c.Status() == checkpoint.Archived {
		m.section(checkpoint.Completion, ShouldKeep)
		m.ask("What came of it all?", "", c.Outcome(), "")
	}
	return m.all
}

// decisions asks for each decision: it gives one half of it and asks for the other. It also asks
// for the reason.
func (m *questioner) decisions(c *checkpoint.Checkpoint) {
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
			m.ask("Why was it decided: “"+text.OneLine(d.What)+"”?", d.What, d.Why, fmt.Sprintf("Why is decision %d so?", n))
		}
	}
	if n == 0 {
		m.each("What was decided?", c.LiveText(checkpoint.Decisions))
	}
}

// half divides a text after half of its words. For a single word the first half is empty.
func half(s string) (first, rest string) {
	fields := strings.Fields(s)
	n := len(fields) / 2
	hasWords := func(fields []string) bool { return len(wordsOf(strings.Join(fields, " "))) > 0 }
	for n > 0 && !hasWords(fields[:n]) && hasWords(fields[n:]) {
		n++ // the first half is only punctuation
	}
	return strings.Join(fields[:n], " "), strings.Join(fields[n:], " ")
}

// actions asks for the open next actions.
func (m *questioner) actions(c *checkpoint.Checkpoint) {
	m.section(checkpoint.Next, MustKeep)
	n := 0
	for _, a := range c.Actions() {
		if a.Done {
			continue
		}
		n++
		if n > 1 || strings.Contains(strings.TrimSpace(a.Text), "\n") {
			m.ask(fmt.Sprintf("What is next action %d?", n), "", a.Text, "")
		}
	}
}

// files asks which file was changed in some way, or what happened to a file.
func (m *questioner) files(c *checkpoint.Checkpoint) {
	m.section(checkpoint.Artifacts, ShouldKeep, "earlier-artifacts")
	all := fold.Artifacts(c)
	for i, a := range all {
		or := fmt.Sprintf("What is file %d?", i+1)
		switch {
		case len(wordsOf(a.Change)) > 0 && !containsWords(wordsOf(a.Change), wordsOf(a.File)):
			m.ask("Which file is it: "+text.OneLine(a.Change)+"?", a.Change, a.File, or)
		default:
			m.ask("What became of "+a.File+"?", a.File, a.Action+" "+a.Change, or)
		}
	}
	if len(all) == 0 {
		m.each("Which files were touched?", c.Text(checkpoint.Artifacts))
	}
}

// steps asks for the results of completed steps.
func (m *questioner) steps(c *checkpoint.Checkpoint) {
	m.section(checkpoint.PlayByPlay, ShouldKeep, "earlier-play-by-play")
	n := 0
	for _, p := range passages(c.LiveText(checkpoint.PlayByPlay)) {
		n++
		or := fmt.Sprintf("What was step %d?", n)
		if done, came, ok := strings.Cut(p, "→"); ok && len(wordsOf(done)) > 0 {
			m.ask("What came of this: "+strings.Trim(text.OneLine(done), "*_")+"?", done, came, or)
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

// asides asks for the parts below subheadings that contradict their section, such as "Rejected"
// below Decisions.
func (m *questioner) asides(c *checkpoint.Checkpoint) {
	for _, k := range []checkpoint.Kind{checkpoint.Next, checkpoint.PlayByPlay, checkpoint.Decisions} {
		m.section(k, ShouldKeep)
		m.parts = []string{OwnPart}
		for _, a := range c.Asides(k) {
			m.each(fmt.Sprintf("What is below %q in the %s?", a.Title, k), c.Doc.Text(a.Extent))
		}
	}
}

// facts asks for the technical context. It asks by name for a fact that has a name.
func (m *questioner) facts(c *checkpoint.Checkpoint) {
	m.section(checkpoint.Context, ShouldKeep)
	for i, p := range passages(c.Text(checkpoint.Context)) {
		or := fmt.Sprintf("What is fact %d of the technical context?", i+1)
		name, value, ok := strings.Cut(p, ":")
		words := len(wordsOf(name))
		named := ok && strings.TrimSpace(value) != ""
		if named && words > 0 && words <= 5 {
			m.ask("What does the technical context say of "+strings.Trim(text.OneLine(name), "*_`")+"?", name, value, or)
		} else {
			m.ask(or, "", p, "")
		}
	}
}
