package merge

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/text"
)

// Revert removes one change from a Markdown file that has changed since. Before is the file before
// the change, was the file after it, and now the present file. It also removes decisions, rules and
// deltas that the change added. Lines that other changes added stay.
//
// If the text that the change wrote was changed since, Revert names the sections in changed and
// reverts nothing. If a text such as Current State was replaced as a whole since, the later text
// stays, and this does not prevent the revert of other text.
func Revert(was, now, before []byte) (src []byte, changed []string, err error) {
	switch {
	case bytes.Equal(now, was):
		return before, nil, nil
	case bytes.Equal(was, before), bytes.Equal(now, before):
		return now, nil, nil
	}
	src, changed, err = revert(was, now, before, false)
	if plain(string(src)) == plain(string(now)) { // it was reverted already or, if it cannot be made again, replaced
		src = now
		_, changed, err = revert(before, now, was, true)
	}
	return src, changed, err
}

// revert is Revert for a file that has changed since. With whole, changed also names texts replaced as a whole.
func revert(was, now, before []byte, whole bool) (src []byte, changed []string, err error) {
	r := &reversal{merger: &merger{}, whole: whole}
	eols, err := r.read(was, now, before)
	if err != nil {
		return nil, nil, err
	}
	front := r.front()
	units := r.units()
	if len(r.changed) > 0 {
		return nil, unique(r.changed), nil
	}
	text := front + r.write(units)
	if err := check(text, r.keys, units); err != nil {
		return nil, nil, err
	}
	out := []byte(withEOL(text, eols[1]))
	if field(r.x, "last_delta") != nil {
		out = updateLastDelta(out)
	}
	return out, nil, nil
}

// Obstacle is a file that has changed since, so that a change cannot be removed from it.
type Obstacle struct {
	Path string // the path after the change
	What string // what happened to the file since: "has changed in Current State"
	Made bool   // the change made the file, which still exists, so the change was not removed yet
}

// RevertSets removes one change from a folder, as [Revert] does from one file. Before has the files of the change as
// they were before it, was has them as they were after it, and now has them as they are, even if they have moved.
// The result has only the files that differ from now; nil content removes a file.
func RevertSets(was, now, before Set, text TextMerge) (files Set, obstacle *Obstacle, err error) {
	items := pair(was, now, before)
	files = Set{}
	for _, it := range items {
		obstacle, err = it.revert(text)
		if obstacle != nil || err != nil {
			return nil, obstacle, err
		}
		if it.Ours.exists() && it.Ours.Path != it.Merged.Path {
			files[it.Ours.Path] = nil
		}
	}
	for _, it := range items {
		to := it.Merged.Path
		if !it.Merged.exists() || it.Merged.equals(it.Ours) {
			continue
		}
		_, leaves := files[to]
		if now[to] != nil && to != it.Ours.Path && !leaves {
			return nil, &Obstacle{Path: to, What: "was made"}, nil
		}
		files[to] = it.Merged.Bytes
	}
	return files, nil, nil
}

// Reverts reports whether a change of a folder, from then to after, only removed an earlier change, from before to was.
// It compares the files that [RevertSets] would write, apart from lines that noText matches.
func Reverts(was, then, before, after Set, text TextMerge) bool {
	files, _, _ := RevertSets(was, then, before, text)
	bare := func(src []byte) string { return string(noText.Get().ReplaceAll(src, nil)) }
	differs := func(rel string) bool { return bare(files[rel]) != bare(after[rel]) }
	return len(files) > 0 && !slices.ContainsFunc(slices.Collect(maps.Keys(files)), differs)
}

// noText matches lines that may stay or go when a text is removed: blank lines, the guides of empty sections, the title
// of an empty LEARNINGS.md, and `status: active`, which means the same as no status.
var noText = text.Regexp(`(?m)^(<!-- .*|# Learnings|status: active)?\s*\n`)

// revert removes a change from an item. The change made it.Base from it.Theirs, and it.Ours is the present file.
func (it *Item) revert(text TextMerge) (*Obstacle, error) {
	was, now, before := it.Base, it.Ours, it.Theirs
	since := func(what string) *Obstacle { return &Obstacle{Path: cmp.Or(was.Path, before.Path), What: what} }
	switch {
	case now.equals(was):
		it.Merged = before
		return nil, nil
	case now.equals(before), was.equals(before):
		it.Merged = now
		return nil, nil
	case !now.exists():
		return since("was removed"), nil
	case now.Path == learningsFile && !before.exists(): // the change made the file, later changes added to it
		before = File{Path: now.Path, Bytes: []byte(learnings.Empty)}
	case now.Path == learningsFile && !was.exists(): // the change removed the file, later changes made it again
		was = File{Path: now.Path, Bytes: []byte(learnings.Empty)}
	case !was.exists(), !before.exists():
		return &Obstacle{Path: cmp.Or(was.Path, before.Path), What: "has changed", Made: was.exists()}, nil
	}
	it.Merged.Path = place(was.Path, now.Path, before.Path)
	var sections []string
	var err error
	if strings.HasSuffix(was.Path, ".md") {
		it.Merged.Bytes, sections, err = Revert(was.Bytes, now.Bytes, before.Bytes)
	} else {
		var clash bool
		it.Merged.Bytes, clash, err = text(was.Bytes, now.Bytes, before.Bytes)
		if clash {
			sections = []string{"the same lines"}
		}
	}
	switch {
	case fault.KindOf(err) == fault.Invalid:
		return since("has changed, and its versions do not go together,"), nil
	case err != nil:
		return nil, err
	case len(sections) > 0:
		return since("has changed in " + strings.Join(sections, ", ")), nil
	}
	if checkpoint.InArchive(now.Path) && !checkpoint.InArchive(it.Merged.Path) {
		it.stayComplete()
	}
	return nil, nil
}

// stayComplete leaves a checkpoint with a Completion in the archive: a person may have archived it by hand.
func (it *Item) stayComplete() {
	c := parse(it.Ours.Path, it.Merged.Bytes)
	if c == nil {
		return
	}
	_, completed := c.Find(checkpoint.Completion)
	if archived, err := revise.Begin(c).Drop("status").Apply(); completed && err == nil {
		it.Merged = File{Path: it.Ours.Path, Bytes: archived.Doc.Bytes()}
	}
}

// reversal is a merge whose base is the file after the change, whose x is the present file
// and whose y is the file before the change. Unlike a merge it also removes decisions and rules that y lacks.
type reversal struct {
	*merger
	whole   bool       // a text that later changes replaced as a whole counts as changed
	changed []string   // sections and keys that the change wrote and that have changed since
	gone    []goneText // texts of the change that later changes replaced
}

// goneText is a text of the change that is no longer in its section.
type goneText struct {
	title   string
	entries []entry
}

// front removes the change from the frontmatter. If a key of asOfDelta has changed since, it keeps
// its present value.
func (r *reversal) front() string {
	if r.x.Front.Span.Len() == 0 {
		r.keys = keys(r.x)
		return r.x.Slice(doc.Span{End: r.x.Front.Span.End})
	}
	of := map[string]string{}
	for _, key := range unique(slices.Concat(keys(r.base), keys(r.x), keys(r.y))) {
		was, now, before := field(r.base, key), field(r.x, key), field(r.y, key)
		switch {
		case sameField(was, before), sameField(now, before):
			of[key] = lines(r.x, key)
		case sameField(was, now):
			of[key] = lines(r.y, key)
		default:
			of[key] = lines(r.x, key)
			if r.whole || !slices.Contains(asOfDelta, key) {
				r.changed = append(r.changed, key)
			}
		}
	}
	return r.writeFront(of)
}

func sameField(a, b *doc.Field) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Value == b.Value
}

// units removes the change from the sections.
func (r *reversal) units() []*unit {
	was, now, before := split(r.base), split(r.x), split(r.y)
	r.was, r.inX, r.inY = byKey(was), byKey(now), byKey(before)
	all := map[string]*unit{}
	for _, n := range now {
		u := *n
		all[n.key] = &u
	}
	var restored []*unit // texts that the change had replaced as a whole
	for _, b := range before {
		w, n := r.was[b.key], all[b.key]
		switch {
		case w == nil && n == nil:
			all[b.key] = b
		case w == nil, w.same(b):
		case n == nil:
			r.changed = append(r.changed, w.name())
		case !r.inX[b.key].same(w):
			r.revertBody(w, n, b)
		default:
			all[b.key] = b
			if b.isReplacedWhole() {
				restored = append(restored, b)
			}
		}
	}
	for _, w := range slices.Backward(was) {
		if r.inY[w.key] != nil {
			continue
		}
		n := all[w.key]
		switch {
		case n == nil:
			r.changed = append(r.changed, w.name())
			continue
		case w.class == delta, n.same(w):
			n.body = ""
		default:
			r.revertBody(w, n, &unit{doc: emptyDoc(), kind: n.kind, known: n.known})
		}
		if plain(n.body) == "" && !hasParts(now, all, w.key) {
			delete(all, w.key)
		}
	}
	for _, g := range r.gone {
		g.removeFrom(all)
	}
	for _, b := range restored {
		if text := r.takeLoser(all, now, b); text != "" {
			u := *b
			u.body = "\n" + text
			all[b.key] = &u
		}
	}
	return orderUnits(all, r.was, was, now, before)
}

// hasParts reports whether a section below the given one in the present file is still among those in all.
func hasParts(now []*unit, all map[string]*unit, key string) bool {
	i := slices.IndexFunc(now, func(u *unit) bool { return u.key == key })
	for _, u := range now[i+1:] {
		if u.level <= now[i].level || now[i].class == delta {
			return false
		}
		if all[u.key] != nil {
			return true
		}
	}
	return false
}

// revertBody removes from n, entry by entry, what w has and b lacks, and restores what b has and w lacks.
func (r *reversal) revertBody(w, n, b *unit) {
	if w.class == delta || w.class == remnant {
		r.changed = append(r.changed, w.name())
		return
	}
	if text, ok := revertCompletion(w, n, b); ok {
		n.body = text
		return
	}
	_, was := w.entries()
	white, have := n.entries()
	_, then := b.entries()
	wrote, missing := 0, 0
	for _, e := range was {
		if e.family == guide || hasText(then, e) || isNone(e) {
			continue
		}
		wrote++
		if !hasText(have, e) {
			missing++
		}
	}
	if missing > 0 {
		if r.whole || missing < wrote || !n.isReplacedWhole() {
			r.changed = append(r.changed, w.name())
		}
		written := slices.DeleteFunc(was, func(e entry) bool { return hasText(then, e) })
		r.gone = append(r.gone, goneText{title: w.title(), entries: written})
		return
	}
	for _, e := range have {
		if e.family == guide || hasText(was, e) {
			continue
		}
		if r.whole && n.isReplacedWhole() && !hasText(then, e) {
			r.changed = append(r.changed, w.name())
			return
		}
		then = slices.DeleteFunc(slices.Clone(then), isNone) // a later change has added an entry, so "None" is dropped
		if e.family == row {
			// A row that stays needs the header.
			was = slices.DeleteFunc(slices.Clone(was), func(w entry) bool { return w.header })
		}
	}
	s := &union{was: was, x: have, y: then}
	n.merged = s.merge()
	n.body = white + s.text(n.merged)
}

func hasText(all []entry, e entry) bool {
	return slices.ContainsFunc(all, func(have entry) bool { return have.key == e.key })
}

// isNone reports whether an entry is a word such as "None".
func isNone(e entry) bool {
	_, text, _ := strings.Cut(e.key, " ")
	return e.family != row && checkpoint.IsNone(text)
}

// isReplacedWhole reports whether commands replace the text of a section as a whole.
func (u *unit) isReplacedWhole() bool {
	switch u.kind {
	case checkpoint.Problem, checkpoint.Intent, checkpoint.State, checkpoint.Next:
		return u.known
	}
	return false
}

// takeLoser removes and returns the newest text that a merge replaced by the change's text in a section. Without the
// change, that text would be the section's. If there is none, takeLoser returns an empty string.
func (r *reversal) takeLoser(all map[string]*unit, now []*unit, section *unit) string {
	title := checkpoint.ReplacedTitle(section.title())
	for _, n := range slices.Backward(now) {
		u, w := all[n.key], r.was[n.key]
		if u == nil {
			continue
		}
		if u.class == replacedText && w == nil && strings.EqualFold(u.title(), title) {
			delete(all, n.key)
			return plain(u.body)
		}
		for i, part := range u.replaced {
			if body, ok := replacedBody(part, title); ok && (w == nil || !w.hasReplaced(part)) {
				rest := slices.Delete(slices.Clone(u.replaced), i, i+1)
				u.replaced = nil
				u.addReplaced(rest...)
				return plain(body)
			}
		}
	}
	return ""
}

// removeFrom removes the text from the replaced texts of its section.
func (g goneText) removeFrom(all map[string]*unit) {
	title := checkpoint.ReplacedTitle(g.title)
	rest := func(body string) string {
		s := &union{x: parseEntries(body)}
		return s.text(slices.DeleteFunc(slices.Clone(s.x), func(e entry) bool { return hasText(g.entries, e) }))
	}
	for key, u := range all {
		if u.class == replacedText && strings.EqualFold(u.title(), title) {
			u.body = "\n" + rest(u.body)
			if plain(u.body) == "" {
				delete(all, key)
			}
		}
		var parts []string
		for _, part := range u.replaced {
			body, ok := replacedBody(part, title)
			if ok {
				body = rest(body)
				head, _, _ := strings.Cut(part, "\n")
				part = head + "\n\n" + body
			}
			if !ok || body != "" {
				parts = append(parts, part)
			}
		}
		if len(u.replaced) > 0 {
			u.replaced = nil
			u.addReplaced(parts...)
		}
	}
}

// updateLastDelta sets last_delta to the time of the newest delta if last_delta is older.
func updateLastDelta(src []byte) []byte {
	c, err := checkpoint.Parse("active/x.md", src)
	if err != nil {
		return src
	}
	newest := c.Changed()
	for _, d := range c.Deltas() {
		if d.At.After(newest) {
			newest = d.At
		}
	}
	if newest.Equal(c.Changed()) {
		return src
	}
	if set, err := revise.Begin(c).Set("last_delta", checkpoint.FormatTime(newest)).Apply(); err == nil {
		return set.Doc.Bytes()
	}
	return src
}
