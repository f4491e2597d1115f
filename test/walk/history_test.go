package walk

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pgregory.net/rapid"

	format "example.com/ckpt/internal/checkpoint"
)

// This file has the actions that undo and restore, and edits by hand.

// undo undoes the newest operation of the branch. The folder is then, byte for byte, as it was before
// the operation. It also has the edits by hand from before and since, and the changes of other
// worktrees.
func (w *walk) undo() {
	l, now := w.line(), w.files()
	if len(l.past) == 0 {
		w.Skip("no operation")
	}
	then := l.past[len(l.past)-1]
	since := slices.DeleteFunc(slices.Clone(l.edits), func(e *edit) bool { return slices.Contains(then.edits, e) })
	if slices.ContainsFunc(since, func(e *edit) bool { return then.model.all[e.id] == nil }) {
		w.refused(6, now, "undo") // the operation made the checkpoint, which was edited since
		return
	}
	a := w.ckpt("", "undo")
	if a.exit == 6 && len(since) > 0 { // the edit may be in the text of the operation
		w.same(now)
		return
	}
	if a.exit != 0 {
		w.Fatalf("undo: exit %d\n%s", a.exit, a.err)
	}
	was := l.model
	l.model, l.past = then.model.clone(), l.past[:len(l.past)-1]
	for _, e := range since {
		e.model(l.model.all[e.id])
		l.model.all[e.id].loaded = nil
	}
	for _, happened := range then.others {
		happened(l.model)
	}
	if then.branch != w.branch || was.unsure {
		l.model.unsure = true
	}
	problem := w.compareUndone(then, since)
	if problem != "" {
		w.Fatalf("undo did not give back what was there before:\n%s", problem)
	}
	w.took(l, now, w.files())
	if len(then.edits)+len(since) > 0 {
		l.past = nil // the next undo undoes the save of the edits
	}
	l.undone = &undone{model: was, files: now, unsure: l.model.unsure}
}

// compareUndone describes how the files differ from those at a moment. It ignores files that were edited,
// or written by another worktree, since then, and a mark that is not promised: the invariants check these.
func (w *walk) compareUndone(then moment, since []*edit) string {
	want, got := maps.Clone(then.files), w.files()
	ignore := func(path string) { delete(want, path); delete(got, path) }
	for _, e := range since {
		ignore(pathOf(w.model().all[e.id]))
	}
	if len(then.others) > 0 {
		ignore("LEARNINGS.md")
	}
	for id, c := range w.model().all {
		if then.model.all[id] == nil {
			ignore(pathOf(c))
		}
	}
	if w.model().unsure {
		want, got = w.unmarked(want), w.unmarked(got)
	}
	return compareFiles(want, got)
}

// refused runs a command that must be refused and change nothing.
func (w *walk) refused(exit int, files map[string]string, args ...string) {
	if a := w.ckpt("", args...); a.exit != exit {
		w.Fatalf("exit %d, not %d: ckpt %s\n%s", a.exit, exit, shell(args, ""), a.err)
	}
	w.same(files)
}

// same fails the walk if the files have changed.
func (w *walk) same(files map[string]string) {
	if problem := compareFiles(files, w.files()); problem != "" {
		w.Fatalf("%s has changed\n%s", w.last(), problem)
	}
}

// redo runs redo after an undo. The folder is then, byte for byte, as it was before the undo.
func (w *walk) redo() {
	l := w.line()
	if l.undone == nil {
		w.Skip("no undo, or something since")
	}
	then, now := l.undone, w.files()
	if a := w.ckpt("", "redo"); a.exit != 0 {
		w.Fatalf("redo: exit %d\n%s", a.exit, a.err)
	}
	l.model, l.past, l.undone = then.model.clone(), nil, nil
	l.model.unsure = l.model.unsure || then.unsure
	want, got := then.files, w.files()
	if l.model.unsure {
		want, got = w.unmarked(want), w.unmarked(got)
	}
	if problem := compareFiles(want, got); problem != "" {
		w.Fatalf("redo did not give back what was there before the undo:\n%s", problem)
	}
	w.took(l, now, w.files())
}

func (w *walk) delete() {
	id := w.one(w.model().where(func(*checkpoint) bool { return true }), "deleted")
	w.operation(func(m *model) {
		m.deleted[id] = m.all[id]
		m.deleted[id].wasCurrent = m.current == id
		delete(m.all, id)
		if m.current == id {
			m.current = ""
		}
	}, "", "delete", id, "--force")
	delete(w.line().versions, id)
}

func (w *walk) undelete() {
	id := w.one(slices.Sorted(maps.Keys(w.model().deleted)), "deleted before")
	w.operation(func(m *model) {
		c := m.deleted[id]
		delete(m.deleted, id)
		m.all[id] = c
		if c.wasCurrent && m.current == "" {
			m.current, m.unsure = id, true // only if no other one was current since
		}
	}, "", "undelete", id)
}

// restore restores the version before the newest one.
func (w *walk) restore() {
	l := w.line()
	id := w.one(l.model.where(func(c *checkpoint) bool { return len(l.versions[c.id]) > 1 && !l.edited(c.id) }), "restored")
	then := l.versions[id][len(l.versions[id])-2]
	w.operation(func(m *model) {
		if m.all[id].archived && !then.archived {
			m.open(id)
		}
		if then.archived && len(then.learnings) > 0 && !slices.Equal(m.learnings[id], then.learnings) {
			m.learnings[id] = append(slices.Clone(then.learnings), m.learnings[id]...)
		}
		m.all[id] = then.clone()
		switch {
		case then.archived && m.current == id:
			m.current = ""
		case then.current == w.branch && m.current == "":
			m.choose(id)
		}
	}, "", "restore", id, "--at", "@{1}")
}

// lookBack shows a version by its number or its time. It must be the file as an operation left it at that time,
// whatever came later. A brief of the version has its problem.
func (w *walk) lookBack() {
	l := w.line()
	id := w.one(l.model.where(func(c *checkpoint) bool { return len(l.versions[c.id]) > 0 && !l.edited(c.id) }), "shown as it was")
	all := l.versions[id]
	back := w.number(len(all), "versions back")
	then := all[len(all)-1-back]
	rev := rapid.SampledFrom([]string{fmt.Sprintf("@{%d}", back), fmt.Sprintf("-%d", back), format.FormatTime(then.at)}).Draw(w.T, "rev")
	shown := w.ckpt("", "show", id, "--raw", "--at", rev)
	if src := w.unmarked(map[string]string{id: shown.out})[id]; shown.exit != 0 || src != then.src {
		w.Fatalf("ckpt show %s --at %s: exit %d\n%s%s", id, rev, shown.exit, shown.err,
			compareFiles(map[string]string{id: then.src}, map[string]string{id: src}))
	}
	brief := w.ckpt("", "resume", id, "--at", rev)
	words := ownWord.FindAllString(strings.Join(then.sections[format.Problem], " "), -1)
	if brief.exit != 0 || !containsRun(ownWord.FindAllString(brief.out, -1), words) {
		w.Fatalf("ckpt resume %s --at %s: exit %d, and the problem has %v\n%s%s", id, rev, brief.exit, words, brief.err, brief.out)
	}
}

// edit edits the file of an active checkpoint, as a person does with an editor.
func (w *walk) edit() {
	id, _ := w.target()
	text := w.text()
	e := rapid.SampledFrom([]func(string) edit{editContext, editProblem, editState, editOwn}).Draw(w.T, "edit")(text)
	e.id = id
	path := filepath.Join(w.folder(), pathOf(w.model().all[id]))
	src, err := os.ReadFile(path)
	if err != nil {
		w.Fatal(err)
	}
	w.log = append(w.log, "edit "+pathOf(w.model().all[id])+": "+text)
	if err := os.WriteFile(path, []byte(e.file(string(src))), 0o666); err != nil {
		w.Fatal(err)
	}
	l := w.line()
	c := l.model.all[id]
	e.model(c)
	c.loaded = nil
	l.edits = append(slices.Clip(l.edits), &e)
	delete(l.versions, id)
	l.undone = nil
}

// below returns an edit that inserts a line below a heading.
func below(heading, line string) func(string) string {
	return func(src string) string {
		before, after, _ := strings.Cut(src, "\n"+heading+"\n")
		after = strings.TrimPrefix(after, "\n")
		if !strings.HasPrefix(line, "- ") || !strings.HasPrefix(after, "- ") {
			line += "\n"
		}
		return before + "\n" + heading + "\n\n" + line + "\n" + after
	}
}

func editContext(text string) edit {
	return edit{file: below("### Technical Context", "- "+text), model: func(c *checkpoint) {
		c.sections[format.Context] = append([]string{text}, c.sections[format.Context]...)
	}}
}

func editProblem(text string) edit { return editText(format.Problem, "## Problem", text) }

func editState(text string) edit { return editText(format.State, "### Current State", text) }

func editText(k format.Kind, heading, text string) edit {
	return edit{file: below(heading, text), model: func(c *checkpoint) {
		c.set(k, strings.Join(append([]string{text}, c.sections[k]...), "\n\n"))
	}}
}

// editOwn appends a section that the format does not define.
func editOwn(text string) edit {
	section := "## Notes\n\n" + text
	return edit{file: func(src string) string { return src + "\n" + section + "\n" }, model: func(c *checkpoint) {
		c.own = append(c.own, section)
	}}
}

func (w *walk) save() {
	w.operation(func(*model) {}, "", "save")
	w.line().edits = nil
}
