package checkpoint

import (
	"slices"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// ItemStatus is the status that a subheading states for the entries below it.
type ItemStatus int

// The statuses. Unstated is that of a subheading without one of the phrases in statusWords.
const (
	Unstated ItemStatus = iota
	Finished
	Underway
	Open
	Rejected
)

// statusWords returns for each status the subheadings that state it, in lower case between "|". A
// phrase with a star may be followed by any words. After any other phrase, more text must begin
// with punctuation: "Remaining (3)", "Rejected: too slow".
func statusWords() map[ItemStatus]string {
	return map[ItemStatus]string{
		Finished: `done|already done|done so far|completed|complete|completed work|completed tasks|finished|implemented|
		accepted|decided|shipped|closed|resolved|hecho|completado|completadas`,
		Underway: `in progress*|in-progress|work in progress|wip|doing|ongoing|under way|underway|currently working on|
		current work|active work|started|partially done|partly done|half done|in review|under review|under discussion|
		en progreso|en curso`,
		Open: `open|open items|open tasks|open questions|open points|open decisions|open work|remaining*|still remaining|not done*|not yet done|not yet*|not started*|
		not implemented*|not decided*|undecided|to be decided|to decide|decisions needed|needs decision|proposed|proposals|
		to be done|still to do|still open|left to do|what remains|what's left|what is left|outstanding|unfinished|incomplete|
		pending*|to do*|to-do*|to-dos|todo*|todos|next|up next|upcoming|
		planned|planned work|backlog|later|future|future work|blocked*|blockers|on hold|paused|
		waiting*|deferred*|postponed|
		pendiente|pendientes|por hacer|bloqueado|aplazado`,
		Rejected: `rejected*|considered*|alternatives*|other alternatives|options considered*|other options considered|approaches considered|not chosen|not taken|
		decided against|ruled out|discarded|dismissed|declined|dropped|abandoned|cancelled|canceled|won't do|will not do|
		not doing|out of scope|superseded|obsolete|withdrawn|reverted|failed|failed attempts|failed approaches|
		tried and failed|what didn't work|what did not work|didn't work|did not work|dead ends|
		rechazado|rechazada|rechazadas|rechazados|descartado|descartadas|alternativas`,
	}
}

var statusPhrases = text.Lazy[text.Titles[ItemStatus]]{
	Make: func() text.Titles[ItemStatus] { return text.NewTitles(statusWords()) },
}

// StatusOf returns the status that a subheading states.
func StatusOf(title string) ItemStatus {
	status, _, _ := statusPhrases.Get().Find(title)
	return status
}

// Contradicts reports whether entries with status s do not belong in the section, such as Finished in Next Actions.
func (k Kind) Contradicts(s ItemStatus) bool {
	switch k {
	case Decisions, PlayByPlay:
		return s == Underway || s == Open || s == Rejected
	case Next:
		return s == Finished || s == Rejected
	}
	return false
}

// Asides returns the parts of a section below a subheading whose status contradicts the section, in
// the order of the file: "Rejected" below Decisions, "Remaining" below Play-By-Play, "Done" below
// Next Actions. Their entries do not count as entries of the section. A part includes its deeper
// subheadings.
func (c *Checkpoint) Asides(k Kind) []Section {
	if !k.Contradicts(Rejected) {
		return nil
	}
	p, _ := c.Find(k)
	var all []Section
	end := p.Extent.Start
	for _, s := range c.Doc.Sections() {
		if s.Heading.Start < end || s.Heading.Start >= p.Extent.End {
			continue
		}
		if status := StatusOf(s.Title); k.Contradicts(status) {
			end = min(s.Whole.End, p.Extent.End)
			all = append(all, Section{Section: s, Kind: k, Extent: doc.Span{Start: s.Heading.End, End: end}, Status: status})
		}
	}
	return all
}

// AsideOf returns the Aside that contains an entry.
func AsideOf(all []Section, entry doc.Span) (Section, bool) {
	i := slices.IndexFunc(all, func(a Section) bool { return a.Span().Contains(entry) })
	if i < 0 {
		return Section{}, false
	}
	return all[i], true
}

// Steps returns the completed entries of Play-By-Play: those outside of Asides and without an open checkbox.
func (c *Checkpoint) Steps() []doc.Entry {
	p, _ := c.Find(PlayByPlay)
	asides := c.Asides(PlayByPlay)
	return slices.DeleteFunc(c.Doc.Items(p.Extent), func(item doc.Entry) bool {
		_, aside := AsideOf(asides, item.Span)
		_, box := CutCheckbox(item.Text)
		return aside || box && !ParseAction(item.Text).Done
	})
}
