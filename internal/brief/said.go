package brief

import (
	"slices"
	"strings"
)

// Messages of the user that no checkpoint records get at most saidBytes of a brief, and saidShare percent
// of a limit in tokens.
const (
	saidBytes = 4000
	saidShare = 30
	saidPart  = "said"
)

// layoutForAgent returns the layout for an agent. It begins with one part for the messages of the user, the oldest
// first. A message is left out, never cut, if the newer messages leave no room for it. Without a checkpoint, this part
// is all there is.
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
	p := Part{Name: saidPart, Title: "What the user said", Tier: MustKeep, upward: true}
	used := 0
	var sessions []string
	var tooLong []piece
	for _, w := range b.Said {
		sessions = append(sessions, w.Name())
		source := "ckpt log --session " + w.Session + " --limit 0"
		for _, said := range slices.Backward(w.Said) {
			own := piece{text: "\n" + said.Message() + "\n", entry: true, source: source}
			if used+len(own.text) > saidBytes {
				tooLong = append(tooLong, own)
				continue
			}
			used += len(own.text)
			p.pieces = append(p.pieces, own)
		}
	}
	p.open = "\n## The user said in " + strings.Join(sessions, " and ") + ", and nothing has taken it up yet (`" + take +
		"` does"
	if len(sessions) > 1 {
		p.open += "; typed outside a session, for one session at a time"
	}
	p.open += ")\n"
	p.pieces, p.never = append(p.pieces, tooLong...), len(tooLong)
	if len(p.pieces) > 0 {
		s.parts = slices.Insert(s.parts, 0, p)
	}
	s.short = p.never > 0
	return s
}
