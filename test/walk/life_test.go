package walk

import (
	"slices"

	"pgregory.net/rapid"

	format "example.com/ckpt/internal/checkpoint"
)

// This file has the actions on whole checkpoints.

func (w *walk) fold() {
	id, _ := w.target()
	w.operation(func(m *model) {
		if c := m.all[id]; c.saved == "" {
			c.fold(w.read(c).sections[format.PlayByPlay])
		} else {
			w.foldJSON(c)
		}
	}, "", "fold", id)
}

func (w *walk) use() {
	id, _ := w.target()
	w.operation(func(m *model) { m.choose(id) }, "", "use", id)
}

func (w *walk) useNone() {
	w.operation(func(m *model) { m.choose("") }, "", "use", "--none")
}

func (w *walk) archive() {
	id, flags := w.target()
	outcome, learned := "Done", []string(nil) // may be that of another checkpoint
	parent := w.model().all[w.model().all[id].parent]
	back := parent != nil && !parent.archived && w.chance(2, "--back")
	if back || w.chance(2, "an outcome of its own") {
		outcome, learned = w.text(), w.texts(0, 2, "--learning")
	}
	args := append([]string{"archive", "--outcome", outcome, "--force"}, flags...)
	for _, text := range learned {
		args = append(args, "--learning", text)
	}
	if back {
		args = append(args, "--back")
	}
	w.operation(func(m *model) {
		c := m.all[id]
		c.archived, c.outcome, c.learnings = true, outcome, learned
		if len(learned) > 0 {
			m.learnings[id] = append(slices.Clone(learned), m.learnings[id]...)
		}
		if m.current == id {
			m.current = ""
		}
		if back {
			m.choose(parent.id)
			m.all[parent.id].add(format.PlayByPlay, id+" → archived → "+outcome)
			m.all[parent.id].loaded = nil
		}
	}, "", args...)
}

// one draws one of some ids.
func (w *walk) one(ids []string, of string) string {
	if len(ids) == 0 {
		w.Skip("nothing " + of)
	}
	return rapid.SampledFrom(ids).Draw(w.T, of)
}

func (w *walk) reopen() {
	id := w.one(w.model().where(func(c *checkpoint) bool { return c.archived }), "archived")
	w.operation(func(m *model) { m.open(id) }, "", "reopen", id)
}

// open makes an archived checkpoint active, without its outcome and learnings.
func (m *model) open(id string) {
	c := m.all[id]
	m.learnings[id] = slices.DeleteFunc(slices.Clone(m.learnings[id]), func(l string) bool { return slices.Contains(c.learnings, l) })
	if len(m.learnings[id]) == 0 {
		delete(m.learnings, id)
	}
	c.archived, c.outcome, c.learnings = false, "", nil
}
