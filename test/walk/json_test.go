package walk

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	format "example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/transfer/schema"
)

// This file has the JSON documents of package schema: the summary of a checkpoint protocol, the state of a
// workflow's agent, and the state of an executor with its plan.

// document draws a JSON document of one of the schemas, with some of its fields.
func (w *walk) document() (schema.Name, value.Object) {
	name := rapid.SampledFrom([]schema.Name{schema.Protocol, schema.Agent, schema.State}).Draw(w.T, "schema")
	var o value.Object
	set := func(path string, v any) { o = value.Set(o, v, strings.Split(path, ".")...) }
	maybe := func(path string, v func() any) {
		if w.chance(2, path) {
			set(path, v())
		}
	}
	text := func() any { return w.text() }
	list := func() any {
		all := []any{}
		for _, t := range w.texts(0, 2, "list") {
			all = append(all, t)
		}
		return all
	}
	records := func(keys ...string) func() any {
		return func() any {
			all := []any{}
			for range w.number(3, "records") {
				var r value.Object
				for _, key := range keys {
					r = value.Set(r, any(w.text()), key)
				}
				if _, has := value.Get(r, "status"); has {
					r = value.Set(r, any(rapid.SampledFrom([]string{"pending", "completed", "failed"}).Draw(w.T, "status")), "status")
				}
				all = append(all, r)
			}
			return all
		}
	}
	any1 := func() any { return value.Object{{Key: "tried", Value: []any{w.text(), true}}} }
	switch name {
	case schema.Protocol:
		set("summary.goal", w.text())
		set("resumePointer.nextAction", w.text())
		maybe("summary.completed", list)
		maybe("summary.pending", list)
		maybe("summary.decisions", list)
		maybe("resumePointer.currentContext", text)
		maybe("resumePointer.phase", text)
		maybe("agentId", text)
	case schema.Agent:
		set("state.current_phase", w.text())
		maybe("workflow_id", text)
		maybe("workflow_type", text)
		maybe("step_name", text)
		maybe("state.completed_phases", list)
		maybe("state.pending_phases", list)
		maybe("state.context", func() any { return value.Object{{Key: "project_name", Value: w.text()}} })
		maybe("state.decisions", records("phase", "decision", "rationale"))
		maybe("state.files_modified", func() any { return []any{"/src/" + w.word() + ".ts"} })
		maybe("state.todos", records("content", "status"))
		maybe("state.agent_outputs", any1)
		maybe("metadata.branch", text)
		maybe("metadata.trigger", func() any { return "phase_complete" })
	case schema.State:
		set("sessionId", "session-1")
		set("state.query", w.text())
		set("state.plan", records("id", "description", "action", "status")())
		maybe("state.results", records("stepId", "output"))
		maybe("state.context", any1)
		maybe("state.lastError", func() any { return value.Object{{Key: "message", Value: w.text()}} })
		maybe("metadata.description", text)
	}
	return name, o
}

func jsonText(v any) string {
	src, err := value.JSON(v)
	if err != nil {
		return err.Error()
	}
	return string(src)
}

func (w *walk) newByJSON() {
	name, o := w.document()
	c := newCheckpoint("chk-" + w.name())
	w.operation(func(m *model) {
		c.began(false)(m)
		w.takeJSON(c, name, o)
	}, jsonText(o), "new", strings.TrimPrefix(c.id, "chk-"), "-F", "-")
}

func (w *walk) deltaByJSON() {
	id, flags := w.target()
	name, o := w.document()
	w.operation(func(m *model) { w.takeJSON(m.all[id], name, o) }, jsonText(o), append([]string{"delta", "-F", "-"}, flags...)...)
}

// takeJSON checks that a save is loaded as it was saved, and reads its sections into the model. Earlier
// entries must stay, in their order.
func (w *walk) takeJSON(c *checkpoint, name schema.Name, o value.Object) {
	words := ownWord.FindAllString(jsonText(o), -1)
	c.saved, c.given, c.spoken = name, slices.Concat(c.given, words), slices.Concat(c.spoken, words)
	got := w.read(c)
	for _, k := range []format.Kind{format.Decisions, format.Context, format.Breadcrumbs, format.PlayByPlay, format.Artifacts, format.Rules} {
		if lost := missing(c.sections[k], got.sections[k]); lost != "" {
			w.Fatalf("the JSON took out of %s: %s", k, lost)
		}
	}
	if lost := missing(texts(c.deltas), texts(got.deltas)); lost != "" {
		w.Fatalf("the JSON took out the delta %s", lost)
	}
	c.sections, c.deltas = got.sections, got.deltas
	c.loaded = w.export(c)
	c.kept = keptOf(c.loaded)
	if lost := c.lacks(c.loaded, o, ""); lost != "" {
		w.Fatalf("JSON is not loaded as it was saved: %s\nsaved  %s\nloaded %s\n%s", lost, jsonText(o), jsonText(c.loaded), w.files()[pathOf(c)])
	}
}

// keptOf returns in one text what only another save of an export changes: its session, and its phases, which a new
// text of Current State keeps.
func keptOf(o value.Object) string {
	done, _ := value.Get(o, "state", "completed_phases")
	open, _ := value.Get(o, "state", "pending_phases")
	session, _ := value.Get(o, "sessionId")
	return jsonText([]any{done, open, session})
}

// foldJSON reads into the model how a fold has merged deltas from JSON.
func (w *walk) foldJSON(c *checkpoint) {
	got := w.read(c)
	for _, k := range []format.Kind{format.PlayByPlay, format.Artifacts} {
		if lost := missing(c.sections[k], got.sections[k]); lost != "" {
			w.Fatalf("the fold took out of %s: %s", k, lost)
		}
		c.sections[k] = got.sections[k]
	}
	for _, d := range c.deltas {
		if d.extra != "" {
			c.own = append(c.own, d.extra)
		}
	}
	c.deltas = nil
	loaded := w.export(c)
	if c.loaded != nil && !value.Equal(unordered(c.loaded), unordered(loaded)) {
		w.Fatalf("after the fold, JSON is loaded as %s\nand was %s", jsonText(loaded), jsonText(c.loaded))
	}
	c.loaded = loaded // the fold has put the deltas among the entries by their times
}

// unordered returns a value whose lists are sorted.
func unordered(v any) any {
	switch v := v.(type) {
	case value.Object:
		o := slices.Clone(v)
		for i := range o {
			o[i].Value = unordered(o[i].Value)
		}
		return o
	case []any:
		return slices.SortedFunc(slices.Values(v), func(a, b any) int { return strings.Compare(jsonText(a), jsonText(b)) })
	}
	return v
}

// read returns the content of a checkpoint's file in the form of the model.
func (w *walk) read(c *checkpoint) *checkpoint {
	src := w.files()[pathOf(c)]
	parsed, err := format.Parse(pathOf(c), []byte(src))
	if err != nil {
		w.Fatalf("%s: %v\n%s", c.id, err, src)
	}
	return read(parsed)
}

// export returns the output of `ckpt export` in the schema that was saved last.
func (w *walk) export(c *checkpoint) value.Object {
	a := w.ckpt("", "export", c.id, "--schema", string(c.saved))
	v, err := value.Parse([]byte(a.out))
	o, ok := v.(value.Object)
	if a.exit != 0 || err != nil || !ok {
		w.Fatalf("export: exit %d, %v\n%s%s", a.exit, err, a.out, a.err)
	}
	return o
}

// missing returns the first entry of was that is lacks or has in another order. It is empty if there is none.
func missing(was, is []string) string {
	for _, entry := range was {
		i := slices.Index(is, entry)
		if i < 0 {
			return entry
		}
		is = is[i+1:]
	}
	return ""
}

// lacks returns the path of the first member of want that is missing or different in got, or "". A list
// in got may also have entries from other commands.
func (c *checkpoint) lacks(got, want any, path string) string {
	if list, ok := got.([]any); ok {
		got = slices.DeleteFunc(slices.Clone(list), func(entry any) bool {
			words := ownWord.FindAllString(jsonText(entry), -1)
			return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool { return slices.Contains(c.given, word) })
		})
	}
	o, ok := want.(value.Object)
	if !ok {
		if value.Equal(got, want) {
			return ""
		}
		return fmt.Sprintf("%s is %s", path, jsonText(got))
	}
	for _, m := range o {
		v, there := value.Get(got, m.Key)
		if !there {
			return path + "." + m.Key + " is missing"
		}
		if lost := c.lacks(v, m.Value, path+"."+m.Key); lost != "" {
			return lost
		}
	}
	return ""
}
