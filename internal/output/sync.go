package output

import (
	"strings"

	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// Sync says in a line what came and what went.
func (p JSON) Sync(s *result.Sync) error { return result.Encode(p.Out, "sync", s) }

// Sync implements [Presenter].
func (p Text) Sync(s *result.Sync) error {
	var said []string
	if s.Received > 0 {
		said = append(said, text.Count(s.Received, "commit")+" received")
	}
	if s.Merged {
		said = append(said, "merged")
	}
	if s.Sent > 0 {
		said = append(said, text.Count(s.Sent, "commit")+" sent")
	}
	if len(said) == 0 {
		said = []string{"nothing to bring, nothing to send"}
	}
	if !p.Quiet {
		style, name := p.pen(), "sync"
		if s.DryRun {
			name = "sync, as of the last fetch"
		}
		p.printf("%s: %s %s\n", style.Bold(name+" "+s.Branch), strings.Join(said, ", "), style.Dim("["+s.Upstream+"]"))
	}
	p.remark(s.Remarks...)
	return p.done()
}
