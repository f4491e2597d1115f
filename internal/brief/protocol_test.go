package brief_test

import (
	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
)

// asProtocol renders a brief with the terms from its checkpoint.
func asProtocol(b *brief.Brief, l brief.Limit) *brief.Rendering {
	c := b.Checkpoint()
	t := brief.Terms{Goal: c.Text(checkpoint.Intent), Next: b.Next, Phase: c.Field("phase")}
	for _, s := range c.Steps() {
		t.Completed = append(t.Completed, s.Text)
	}
	for _, a := range c.Actions() {
		t.Pending = append(t.Pending, a.Text)
	}
	for _, d := range c.Decisions() {
		t.Decisions = append(t.Decisions, d.Text)
	}
	return b.AsProtocol(l, t)
}
