package brief

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/text"
)

// Messages of the user that no checkpoint records get at most saidBytes of a brief, and saidShare percent
// of a limit in tokens.
const (
	saidBytes = 4000
	saidShare = 30
	saidPart  = "said"
)

// layoutForAgent returns the layout for an agent. What the user said comes first, in a part for each session.
// Without a checkpoint the layout has nothing else. If the messages take more than saidBytes, newer ones are chosen
// first. A message is shown whole or left out.
func (b *Brief) layoutForAgent() sheet {
	var s sheet
	take := "ckpt new NAME --prompt"
	if b.of != nil {
		s, take = b.layout(), "ckpt delta "+b.ID+" --prompt"
	} else {
		s.head = "# No checkpoint has what the user said before this session\n"
		s.last = "\nGo on from there. `" + take + "` makes a checkpoint of it, word for word; `ckpt log --session " +
			b.Said[0].Session + " --forget` drops it.\n"
	}
	if len(b.Work) > 0 {
		take += " --recovered"
	}
	used := 0
	var parts []Part
	var tooLong []string
	for _, w := range b.Said {
		p := Part{Name: saidPart, Title: "What the user said", Tier: MustKeep, always: true, upward: true}
		p.source = "ckpt log --session " + w.Session + " --limit 0"
		p.open = "\n## The user said in " + w.Name() + ", and nothing has taken it up yet (`" + take + "` does)\n"
		for _, said := range slices.Backward(w.Said) {
			own := piece{text: "\n" + said.Message() + "\n", entry: true}
			if used+len(own.text) > saidBytes {
				continue
			}
			used += len(own.text)
			p.pieces, p.Text = append(p.pieces, own), strings.Trim(own.text+"\n"+p.Text, "\n")
		}
		if left := len(w.Said) - len(p.pieces); left > 0 {
			tooLong = append(tooLong, text.Count(left, nouns.Get()[saidPart])+" ("+p.source+")")
		}
		parts = append(parts, p)
	}
	s.parts = append(parts, s.parts...)
	s.short = len(tooLong) > 0
	if s.short {
		s.head, s.whole = incomplete+"left out: "+strings.Join(tooLong, ", ")+"\n\n"+s.head, nil
	}
	return s
}
