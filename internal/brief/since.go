package brief

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/text"
)

// Mark identifies a piece of a brief that a session has read. It has nothing to do with `ckpt mark`.
type Mark struct {
	Hash  string // the hash of the part's name and the text, without a list number
	Label string // how Since names the piece once it is gone: "decision: **Redis**"; empty for most pieces
}

// MaxMarks is the maximum number of pieces of a brief, from its beginning, that are remembered as read.
const MaxMarks = 5000

// labelLength is the maximum length of a label in bytes.
const labelLength = 80

// markOf returns the mark of a piece. The mark does not change when the piece's number changes or
// newer pieces come before it.
func markOf(part string, p piece) Mark {
	part = strings.TrimPrefix(strings.TrimPrefix(part, "earlier-"), "stale-")
	part = strings.Replace(part, "artifacts", "artifact-trail", 1)
	content := strings.TrimSpace(p.text)
	if p.entry {
		content = strings.TrimSpace(strings.TrimLeft(content, "0123456789-*+.)"))
	}
	h := fnv.New64a()
	h.Write([]byte(part + "\x00" + content))
	m := Mark{Hash: strconv.FormatUint(h.Sum64(), 36)}
	noun := map[string]string{"session-intent": "session intent", "current-state": "current state",
		"technical-context": "technical fact"}[part]
	if p.entry && slices.Contains([]string{"decisions", "next-actions", "user-rules"}, part) {
		noun = nouns.Get()[part]
	}
	if noun != "" {
		line, _, _ := strings.Cut(content, "\n")
		m.Label = noun + ": " + text.Shorten(line, labelLength)
	}
	return m
}

// mark returns one mark for all lengths of a text: a session that has read one length has read the text.
func (l Lengths) mark(part string) Mark { return markOf(part, piece{text: l.Full()}) }

// Since returns a brief of what a session has not read yet. It also lists what the session has read and the checkpoint
// no longer has: decisions, next actions, rules and facts, and an intent or a state if there is none any more.
func (b *Brief) Since(read []Mark) *Brief {
	known := map[string]bool{}
	for _, m := range read {
		known[m.Hash] = true
	}
	news := *b
	news.News, news.Parts = true, nil
	if known[b.Facts.mark("facts").Hash] {
		news.Facts = nil
	}
	if known[b.Work.mark("work").Hash] {
		news.Work = nil
	}
	there := map[string]bool{}
	for _, p := range b.Parts {
		there[strings.ReplaceAll(p.Name, "-", " ")] = true
		var w strings.Builder
		head := ""
		for _, piece := range p.pieces {
			m := markOf(p.Name, piece)
			there[m.Hash] = true
			switch {
			case known[m.Hash]:
				continue
			case piece.head != "" && piece.head != head:
				head = piece.head
				if w.Len() > 0 {
					w.WriteString("\n") // the blank line ends the paragraph before the table
				}
				w.WriteString(head)
			case piece.head == "":
				w.WriteString(piece.before)
			}
			w.WriteString(piece.text)
		}
		if p.Text == "" { // the part is only a heading
			if w.Len() > 0 {
				news.Parts = append(news.Parts, p)
			}
			continue
		}
		p.Text = strings.Trim(w.String(), "\n")
		p.heading, p.more = false, 0
		news.add(p)
	}
	var gone []string
	for _, m := range read {
		if noun, _, _ := strings.Cut(m.Label, ":"); noun != "" && !there[noun] && !there[m.Hash] {
			gone = append(gone, "- "+m.Label)
		}
	}
	news.add(Part{Name: "gone", Title: "No Longer", Tier: MustKeep, Text: strings.Join(gone, "\n")})
	return &news
}

// Read returns the marks of a session after it has read r. Before has its earlier marks. Read drops the marks of
// pieces that are no longer in the whole brief, unless r is incomplete and may not have listed these as gone.
func (r *Rendering) Read(whole *Brief, before []Mark) []Mark {
	seen := map[string]bool{}
	for _, m := range before {
		seen[m.Hash] = true
	}
	for name, text := range map[string]Lengths{"facts": whole.Facts, "work": whole.Work} {
		isShown := func(length string) bool { return strings.Contains(r.Text, "\n"+length+"\n") }
		if slices.ContainsFunc(text, isShown) {
			seen[text.mark(name).Hash] = true
		}
	}
	for _, s := range r.Shown {
		for _, p := range s.pieces[:s.Items] {
			seen[markOf(s.Name, p).Hash] = true
		}
	}
	marks := []Mark{whole.Facts.mark("facts"), whole.Work.mark("work")}
	for _, part := range whole.Parts {
		for _, p := range part.pieces {
			marks = append(marks, markOf(part.Name, p))
		}
	}
	marks = slices.DeleteFunc(marks, func(m Mark) bool { return !seen[m.Hash] })
	for _, m := range before {
		if !r.Needs.None() && m.Label != "" && !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	return marks[:min(len(marks), MaxMarks)]
}

// WriteMarks encodes marks for a file.
func WriteMarks(marks []Mark) []byte {
	var b strings.Builder
	for _, m := range marks {
		b.WriteString(m.Hash + " " + m.Label + "\n")
	}
	return []byte(b.String())
}

// ReadMarks decodes what WriteMarks encoded.
func ReadMarks(src []byte) []Mark {
	var marks []Mark
	for line := range strings.Lines(string(src)) {
		hash, label, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		marks = append(marks, Mark{hash, label})
	}
	return marks
}
