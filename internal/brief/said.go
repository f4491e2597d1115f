package brief

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/text"
)

// What the user said and nothing took up takes at most saidBytes of a brief, and saidShare percent of
// a limit in tokens.
const (
	saidBytes = 4000
	saidShare = 30
	saidPart  = "said"
)

// saidParts returns the parts with what the user said, one for each session, and describes what is
// too long for them. The messages of the newest session come first, and of each the newest, whole.
func (b *Brief) saidParts(l Limit, take string) (parts []Part, tooLong []string) {
	room, used := Limit{Bytes: saidBytes, Tokens: l.Tokens * saidShare / 100}, size{}
	for _, w := range b.Said {
		p := Part{Name: saidPart, Title: "What the user said", Tier: MustKeep, always: true, upward: true}
		p.open = "\n## The user said in " + w.Name() + ", and nothing has taken it up yet (`" + take + "` does)\n"
		left := len(w.Said)
		for _, said := range slices.Backward(w.Said) {
			own := piece{text: "\n" + said.Message() + "\n", entry: true}
			used = used.plus(sizeOf(own.text))
			if !room.admits(used) {
				break
			}
			p.pieces, left = append(p.pieces, own), left-1
			p.Text = strings.Trim(own.text+p.Text, "\n")
		}
		if left > 0 {
			show := text.Count(left, nouns.Get()[saidPart]) + " (ckpt log --session " + w.Session + " --limit 0)"
			p.close = "\nToo long to be shown here: " + show + "\n"
			tooLong = append(tooLong, show)
		}
		parts = append(parts, p)
	}
	return parts, tooLong
}

// layoutFor returns the layout for an agent, within a limit: what the user said comes first. Without a
// checkpoint there is nothing else.
func (b *Brief) layoutFor(l Limit) sheet {
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
	said, tooLong := b.saidParts(l, take)
	s.parts = append(said, s.parts...)
	if s.short = len(tooLong) > 0; s.short {
		s.head, s.whole = incomplete+"left out: "+strings.Join(tooLong, ", ")+"\n\n"+s.head, nil
	}
	return s
}
