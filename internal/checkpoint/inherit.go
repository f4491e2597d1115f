package checkpoint

import (
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
)

// inherit puts what a parent hands down before what a file says itself.
func (c *Checkpoint) inherit(s Spec) (*Checkpoint, error) {
	for _, copied := range []struct {
		kind Kind
		text string
	}{{Decisions, s.LiveText}, {Context, s.Copied}, {Rules, s.RulesText}} {
		level := copied.kind.Template().Level
		var own []string
		if p, ok := c.Find(copied.kind); ok {
			level = p.Section.Level
			for _, item := range c.Doc.Items(p.Extent) {
				own = append(own, item.Text)
			}
		}
		text := without(copied.text, own)
		if text == "" {
			continue
		}
		edit := c.replaceText(copied.kind, join(doc.Below(level, text), c.Text(copied.kind)))
		var err error
		if c, err = c.apply(doc.ReplaceSections(edit.Span, edit.Text)); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// without is copied Markdown without the items that the child says itself, so that
// each is said once.
func without(copied string, own []string) string {
	if copied == "" || len(own) == 0 {
		return copied
	}
	said := map[string]bool{}
	for _, text := range own {
		said[strings.TrimSpace(text)] = true
	}
	d, err := doc.Parse([]byte(copied))
	if err != nil || d.Front.Span.Len() > 0 {
		return copied
	}
	var twice []doc.Span
	for _, item := range d.Items(d.Body()) {
		if said[strings.TrimSpace(item.Text)] {
			twice = append(twice, item.Span)
		}
	}
	if len(twice) == 0 {
		return copied
	}
	return d.TextWithout(d.Body(), twice...)
}
