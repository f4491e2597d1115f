package walk

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	format "example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/result"
)

// model returns the model of the branch.
func (w *walk) model() *model { return w.line().model }

// line returns the line of the branch. In ref mode all branches share the checkpoints.
func (w *walk) line() *line {
	if w.mode == "ref" {
		return w.lines["main"]
	}
	return w.lines[w.branch]
}

// operation runs a command that changes checkpoints, and updates the model by promise.
func (w *walk) operation(promise func(*model), stdin string, args ...string) {
	l, before := w.line(), w.files()
	a := w.ckpt(stdin, append(slices.Clone(args), "--json")...)
	if a.exit != 0 {
		w.Fatalf("exit %d: ckpt %s\n%s", a.exit, shell(args, stdin), a.err)
	}
	var receipt result.Receipt
	if err := json.Unmarshal([]byte(a.out), &receipt); err != nil {
		w.Fatalf("%v\n%s", err, a.out)
	}
	after := w.files()
	if receipt.Unchanged {
		if problem := compareFiles(before, after); problem != "" {
			w.Fatalf("the receipt has \"unchanged\" after %s:\n%s", w.last(), problem)
		}
	}
	was := l.model
	l.model = was.clone()
	promise(l.model)
	if receipt.Commit != "" {
		l.past = append(slices.Clip(l.past), moment{model: was, files: before, edits: l.edits, branch: w.branch})
		w.took(l, before, after)
		l.undone = nil
	}
}

// took records the new versions of the checkpoints whose files an operation has changed, and removes the edits
// by hand that it has committed. Except in ref mode, a change of only the mark also commits the edits in a file.
func (w *walk) took(l *line, before, after map[string]string) {
	was, is := w.unmarked(before), w.unmarked(after)
	changed := func(c *checkpoint) bool { return was[pathOf(c)] != is[pathOf(c)] }
	l.versions = maps.Clone(l.versions)
	on := map[string]string{l.model.current: w.branch}
	for id, c := range l.model.all {
		if changed(c) {
			l.versions[id] = append(slices.Clip(l.versions[id]), version{c.clone(), w.now, is[pathOf(c)], on[id]})
		}
	}
	maps.DeleteFunc(l.versions, func(id string, _ []version) bool { return l.model.all[id] == nil })
	l.edits = slices.DeleteFunc(slices.Clone(l.edits), func(e *edit) bool {
		c, there := l.model.all[e.id]
		return !there || changed(c) || w.mode != "ref" && before[pathOf(c)] != after[pathOf(c)]
	})
}

// unmarked returns the files as an operation commits them: without the mark of the current
// checkpoint, which is separate in each worktree.
func (w *walk) unmarked(files map[string]string) map[string]string {
	all := maps.Clone(files)
	for path, src := range all {
		all[path] = strings.Replace(src, "\nstatus: current\n", "\nstatus: active\n", 1)
	}
	return all
}

// target draws an active checkpoint, and returns the flags that name it. Half of the time it
// returns no flags for the current one.
func (w *walk) target() (id string, flags []string) {
	all := w.model().active()
	if len(all) == 0 {
		w.Skip("no active checkpoint")
	}
	id = rapid.SampledFrom(all).Draw(w.T, "id")
	if id == w.model().current && !w.model().unsure && w.chance(2, "by name") {
		return id, nil
	}
	return id, []string{"-c", id}
}

// texts returns a few texts of one line.
func (w *walk) texts(atLeast, atMost int, of string) []string {
	var all []string
	for range rapid.IntRange(atLeast, atMost).Draw(w.T, of) {
		all = append(all, w.text())
	}
	return all
}

// maybe returns a text, or "".
func (w *walk) maybe(text func() string, of string) string {
	if w.chance(2, of) {
		return text()
	}
	return ""
}

// began returns the change of the model for a new checkpoint. It is current unless it is parked.
func (c *checkpoint) began(parked bool) func(*model) {
	return func(m *model) {
		m.all[c.id] = c
		if !parked {
			m.choose(c.id)
		}
	}
}

// flagged draws texts for the sections of a new checkpoint, and returns the flags for them.
func (w *walk) flagged(c *checkpoint) (flags []string, parked bool) {
	give := func(flag, text string) {
		if text != "" {
			flags = append(flags, flag, text)
		}
	}
	intent, state := w.maybe(w.long, "--intent"), w.maybe(w.long, "--state")
	give("--intent", intent)
	give("--state", state)
	c.set(format.Intent, intent)
	c.set(format.State, state)
	for _, list := range []struct {
		flag string
		kind format.Kind
	}{{"--context", format.Context}, {"--step", format.PlayByPlay}, {"--next", format.Next}, {"--rule", format.Rules}} {
		for _, text := range w.texts(0, 2, list.flag) {
			give(list.flag, text)
			c.add(list.kind, text)
		}
	}
	for range w.number(3, "--decision") {
		what, why := w.what(), w.maybe(w.text, "why")
		give("--decision", strings.TrimSuffix(what+": "+why, ": "))
		c.decide(what, why)
	}
	if parked = w.chance(3, "--parked"); parked {
		flags = append(flags, "--parked")
	}
	return flags, parked
}

// what returns the text of a decision that is given in one argument with its reason.
func (w *walk) what() string { return "Take " + w.word() }

func (w *walk) newByFlags() {
	c, problem := newCheckpoint("chk-"+w.name()), w.long()
	c.set(format.Problem, problem)
	flags, parked := w.flagged(c)
	w.operation(c.began(parked), "", append([]string{"new", strings.TrimPrefix(c.id, "chk-"), "-m", problem}, flags...)...)
}

// newByBody makes a checkpoint from sections in Markdown.
func (w *walk) newByBody() {
	c := newCheckpoint("chk-" + w.name())
	w.operation(c.began(false), w.body(c), "new", strings.TrimPrefix(c.id, "chk-"), "-F", "-")
}

// body draws a text for some sections, and returns it as Markdown that begins with the problem.
func (w *walk) body(c *checkpoint) string {
	c.set(format.Problem, w.text())
	src := c.sections[format.Problem][0] + "\n"
	for _, k := range []format.Kind{format.Intent, format.Decisions, format.Context, format.Next, format.State, format.Rules} {
		if w.chance(2, "without "+k.String()) {
			continue
		}
		t := k.Template()
		src += "\n" + strings.Repeat("#", t.Level) + " " + t.Title + "\n\n"
		switch k {
		case format.Intent, format.State:
			c.set(k, w.text())
			src += c.sections[k][0] + "\n"
		case format.Decisions:
			what, why := w.what(), w.text()
			c.decide(what, why)
			src += "- " + decision(what, why) + "\n"
		default:
			c.add(k, w.texts(1, 2, "entries")...)
			for i, entry := range c.sections[k] {
				marker := "-"
				if k == format.Next {
					marker = fmt.Sprintf("%d.", i+1)
				}
				src += marker + " " + entry + "\n"
			}
		}
	}
	if w.chance(3, "a section of its own") {
		c.own = append(c.own, "## Notes of "+w.word()+"\n\n"+w.text())
		src += "\n" + c.own[0] + "\n"
	}
	return src
}

// newByFile makes a checkpoint from a whole file, with frontmatter that ckpt does not write itself.
func (w *walk) newByFile() {
	c := newCheckpoint("chk-" + w.name())
	src := "---\ncheckpoint: " + c.id + "\ncreated: 2025-12-31\nteam: \"ops # 1\"\n---\n\n## Problem\n\n" + w.body(c)
	w.operation(c.began(false), src, "new", "-F", "-")
}

func (w *walk) fork() {
	parent, _ := w.target()
	c, of, problem := newCheckpoint("chk-"+w.name()), w.model().all[parent], w.text()
	c.parent = parent
	for _, i := range of.live() {
		c.add(format.Decisions, of.sections[format.Decisions][i])
	}
	c.add(format.Context, of.sections[format.Context]...)
	c.add(format.Rules, of.sections[format.Rules]...)
	c.set(format.Problem, problem)
	c.spoken = slices.Clone(of.spoken)
	flags, parked := w.flagged(c)
	w.operation(c.began(parked), "", append([]string{"new", strings.TrimPrefix(c.id, "chk-"), "--parent", parent, "--problem", problem}, flags...)...)
}

// change runs a command for a checkpoint, and updates the model by promise. The model then reads the
// checkpoint's JSON again.
func (w *walk) change(id string, promise func(*checkpoint), stdin string, args ...string) {
	w.operation(func(m *model) {
		promise(m.all[id])
		m.all[id].loaded = nil
	}, stdin, args...)
}

func (w *walk) noteDecision() {
	id, flags := w.target()
	what, why := w.text(), w.maybe(w.text, "--why")
	args := []string{"note", "decision", what}
	if why != "" {
		args = append(args, "--why", why)
	} else {
		what, why = format.ParseDecision(what)
	}
	w.change(id, func(c *checkpoint) { c.decide(what, why) }, "", append(args, flags...)...)
}

func (w *walk) supersede() {
	id, flags := w.target()
	live := w.model().all[id].live()
	live = slices.DeleteFunc(live, func(i int) bool {
		return ownWord.FindString(w.model().all[id].sections[format.Decisions][i]) == ""
	})
	if len(live) == 0 {
		w.Skip("no live decision")
	}
	n := rapid.SampledFrom(live).Draw(w.T, "superseded")
	word := ownWord.FindString(w.model().all[id].sections[format.Decisions][n])
	what, why := w.what(), w.text()
	w.change(id, func(c *checkpoint) { c.supersede(n, what, why) }, "",
		append([]string{"note", "decision", what, "--why", why, "--supersedes", word}, flags...)...)
}

// noteLine notes facts, steps and rules: one as an argument, or several as a list on standard input.
func (w *walk) noteLine() {
	id, flags := w.target()
	kind := rapid.SampledFrom([]string{"context", "step", "rule"}).Draw(w.T, "kind")
	section := map[string]format.Kind{"context": format.Context, "step": format.PlayByPlay, "rule": format.Rules}[kind]
	texts := w.texts(1, 3, "notes")
	args, stdin := []string{"note", kind, texts[0]}, ""
	if len(texts) > 1 {
		args, stdin = []string{"note", kind, "-"}, "- "+strings.Join(texts, "\n- ")+"\n"
	}
	w.change(id, func(c *checkpoint) { c.add(section, texts...) }, stdin, append(args, flags...)...)
}

// noteRow notes a breadcrumb or an artifact.
func (w *walk) noteRow() {
	id, flags := w.target()
	file, hint := "dir/"+w.word()+".go", w.text()
	if w.chance(2, "artifact") {
		w.change(id, func(c *checkpoint) { c.add(format.Artifacts, row(file, "modified", hint)) }, "",
			append([]string{"note", "artifact", file + ":modified:" + hint}, flags...)...)
		return
	}
	w.change(id, func(c *checkpoint) { c.add(format.Breadcrumbs, row("file", file, hint)) }, "",
		append([]string{"note", "breadcrumb", "file", file, hint}, flags...)...)
}

func (w *walk) noteState() {
	id, flags := w.target()
	text := w.long()
	w.change(id, func(c *checkpoint) { c.set(format.State, text) }, text, append([]string{"note", "state", "-"}, flags...)...)
}

func (w *walk) next() {
	id, flags := w.target()
	texts := w.texts(1, 3, "actions")
	w.change(id, func(c *checkpoint) { c.renew(texts) }, "", slices.Concat([]string{"next"}, texts, flags)...)
}

// renew replaces the next actions. Those that were ticked move to Play-By-Play.
func (c *checkpoint) renew(texts []string) {
	for _, action := range c.sections[format.Next] {
		if a := format.ParseAction(action); a.Done {
			c.add(format.PlayByPlay, a.Text+" → done")
		}
	}
	c.set(format.Next, texts...)
}

func (w *walk) nextAdd() {
	id, flags := w.target()
	texts := w.texts(1, 2, "actions")
	w.change(id, func(c *checkpoint) { c.add(format.Next, texts...) }, "", slices.Concat([]string{"next", "--add"}, texts, flags)...)
}

// open draws an open next action, and its name in a command: its number or a word of it.
func (w *walk) open(id string) (index int, name string) {
	actions := w.model().all[id].sections[format.Next]
	var open []int
	for i, a := range actions {
		if !format.ParseAction(a).Done && ownWord.MatchString(a) {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		w.Skip("no open action")
	}
	index = rapid.SampledFrom(open).Draw(w.T, "done")
	if w.chance(2, "by a word") {
		return index, ownWord.FindString(actions[index])
	}
	return index, fmt.Sprintf("#%d", index+1)
}

func (w *walk) done() {
	id, flags := w.target()
	index, name := w.open(id)
	w.change(id, func(c *checkpoint) { c.finish(index) }, "", append([]string{"done", name}, flags...)...)
}

// progress is the random content of one delta.
type progress struct {
	at                     string
	changed, state, extra  string
	rules, context, next   []string
	decisions              [][2]string
	artifacts, transitions []string
	done                   []int
	doneNames              []string
}

func (w *walk) progress(id string) progress {
	p := progress{at: format.FormatTime(w.now), changed: w.text(), state: w.maybe(w.text, "state"),
		rules: w.texts(0, 1, "rules"), context: w.texts(0, 1, "context"), next: w.texts(0, 2, "next actions")}
	for range w.number(2, "decisions") {
		p.decisions = append(p.decisions, [2]string{w.what(), w.text()})
	}
	for range 1 + w.number(2, "artifacts") {
		p.artifacts = append(p.artifacts, row("dir/"+w.word()+".go", rapid.SampledFrom([]string{"created", "modified", "deleted"}).Draw(w.T, "action"), w.text()))
	}
	for range w.number(2, "transitions") {
		p.transitions = append(p.transitions, row("Phase "+w.word(), "open", "done"))
	}
	if len(w.model().all[id].sections[format.Next]) > 0 && len(p.next) == 0 && w.chance(2, "one is done") {
		index, name := w.open(id)
		p.done, p.doneNames = []int{index}, []string{name}
	}
	return p
}

// report adds a delta to the model.
func (p progress) report(c *checkpoint) {
	for _, d := range p.decisions {
		c.decide(d[0], d[1])
	}
	c.add(format.Rules, p.rules...)
	c.add(format.Context, p.context...)
	c.finish(p.done...)
	c.set(format.State, p.state)
	if len(p.next) > 0 {
		c.renew(p.next)
	}
	c.deltas = append(c.deltas, delta{at: p.at, changed: p.changed, artifacts: p.artifacts, transitions: p.transitions, extra: p.extra})
}

func (w *walk) deltaByFlags() {
	id, _ := w.target()
	p := w.progress(id)
	args := []string{"delta", id, "-m", p.changed}
	if p.state != "" {
		args = append(args, "--state", p.state)
	}
	each := func(flag string, texts []string) {
		for _, text := range texts {
			args = append(args, flag, text)
		}
	}
	each("--rule", p.rules)
	each("--context", p.context)
	each("--next", p.next)
	each("--done", p.doneNames)
	for _, d := range p.decisions {
		args = append(args, "--decision", d[0]+": "+d[1])
	}
	for _, a := range p.artifacts {
		args = append(args, "--artifact", strings.Join(strings.SplitN(a, " | ", 3), ":"))
	}
	for _, t := range p.transitions {
		cells := strings.Split(t, " | ")
		args = append(args, "--transition", cells[0]+": "+cells[1]+" -> "+cells[2])
	}
	w.change(id, p.report, "", args...)
}

// deltaFromGit writes a delta whose files come from git. They must be the user's own files. After it, the checkpoint
// lists none of them that is gone as there.
func (w *walk) deltaFromGit() {
	id, flags := w.target()
	p := progress{at: format.FormatTime(w.now), changed: w.text()}
	w.change(id, func(c *checkpoint) {
		all := w.read(c).deltas
		if len(all) > 0 {
			p.artifacts = all[len(all)-1].artifacts
		}
		for _, a := range p.artifacts {
			if name, change, _ := strings.Cut(a, " | "); w.user[name] == "" && !strings.HasPrefix(change, "deleted") {
				w.Fatalf("the delta names %q, which is no file of the user's", name)
			}
		}
		p.report(c)
		src := w.files()[pathOf(c)]
		parsed, err := format.Parse(pathOf(c), []byte(src))
		if err != nil {
			w.Fatal(err)
		}
		for _, a := range fold.Artifacts(parsed) {
			known := slices.Contains(codeFiles(w.branch), a.File) && len(w.branches()) == 1
			if known && w.user[a.File] == "" && a.Action != "deleted" {
				w.Fatalf("%s lists %q as %s, and it is gone\n%s", c.id, a.File, a.Action, src)
			}
		}
	}, "", append([]string{"delta", "-m", p.changed}, flags...)...)
}

// deltaByText writes a delta in Markdown whose headings name the sections.
func (w *walk) deltaByText() {
	id, flags := w.target()
	p := w.progress(id)
	p.changed += "\nand " + w.text()
	src := p.changed + "\n"
	list := func(title, marker string, texts []string) {
		if len(texts) > 0 {
			src += "\n### " + title + "\n\n" + marker + " " + strings.Join(texts, "\n"+marker+" ") + "\n"
		}
	}
	list("Done", "-", p.doneNames)
	list("User Rules", "-", p.rules)
	list("Technical Context", "-", p.context)
	list("Next Actions", "-", p.next)
	var decisions []string
	for _, d := range p.decisions {
		decisions = append(decisions, decision(d[0], d[1]))
	}
	list("Decisions", "-", decisions)
	table := func(title, header string, rows []string) {
		if len(rows) > 0 {
			src += "\n### " + title + "\n\n" + header + "\n|---|---|---|\n| " + strings.Join(rows, " |\n| ") + " |\n"
		}
	}
	p.artifacts = w.withoutPipes(p.artifacts)
	table("Artifacts", "| File | Action | Description |", p.artifacts)
	table("Status Transitions", "| Item | Before | After |", p.transitions)
	if p.state != "" {
		src += "\n### Current State\n\n" + p.state + "\n"
	}
	if w.chance(3, "a section of its own") {
		p.extra = "### Risks of " + w.word() + "\n\n" + w.text()
		src += "\n" + p.extra + "\n"
	}
	w.change(id, p.report, src, append([]string{"delta", "-F", "-"}, flags...)...)
}

// withoutPipes returns rows that can be written as they are into a table.
func (w *walk) withoutPipes(rows []string) []string {
	var all []string
	for _, r := range rows {
		cells := strings.SplitN(r, " | ", 3)
		all = append(all, row(cells[0], cells[1], strings.ReplaceAll(cells[2], "|", "/")))
	}
	return all
}
