package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/fault"
)

// save is the stored part of the newest import: the values that are not in the sections.
type save struct {
	name   Name
	object value.Object // the values that are not in the sections
	// digests has, by path of a field, digests of the field's values in the sections right after
	// the import, if they differ from the import. It is nil in a file of an older version.
	digests map[string][]string
}

// The keys in digests of what the import, or one before it, wrote into a section: the Current State,
// and the facts of Technical Context.
const (
	wroteState = "current-state"
	wroteFacts = "technical-context"
)

// ownState records that the import wrote the Current State of a checkpoint.
func (s *save) ownState(c *checkpoint.Checkpoint) *save {
	s.digests[wroteState] = []string{digest(c.Text(checkpoint.State))}
	return s
}

// ownsState reports whether the import wrote the Current State of a checkpoint.
func (s *save) ownsState(c *checkpoint.Checkpoint) bool {
	return s != nil && slices.Equal(s.digests[wroteState], []string{digest(c.Text(checkpoint.State))})
}

// ownFacts records the facts that the import, or one before it, brought, by their digests.
func (s *save) ownFacts(digests []string) {
	if len(digests) > 0 {
		s.digests[wroteFacts] = digests
	}
}

// facts returns the digests of the facts that the save, or one before it, brought.
func (s *save) facts() []string {
	if s == nil {
		return nil
	}
	return s.digests[wroteFacts]
}

// digest returns a short hash of a text.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

const (
	fence    = "```json\n"
	savedAs  = "<!-- saved as "
	savedEnd = " -->"
)

// section returns the Markdown of the save; "" if there is nothing to store.
func (s *save) section() string {
	if len(s.object)+len(s.digests) == 0 {
		return ""
	}
	text := "## " + checkpoint.FurtherFields + "\n\n"
	if len(s.object) > 0 {
		src, _ := value.Indented(value.Object{{Key: string(s.name), Value: s.object}})
		text += fence + string(src) + "```\n\n"
	}
	text += savedAs + string(s.name)
	separator := ": "
	for _, path := range slices.Sorted(maps.Keys(s.digests)) {
		text += separator + path + " " + strings.Join(s.digests[path], " ")
		separator = "; "
	}
	return text + savedEnd + "\n"
}

// saveOf returns the save of the newest import of a schema, or nil.
func saveOf(c *checkpoint.Checkpoint, name Name) (*save, error) {
	for _, section := range slices.Backward(blocks(c)) {
		text := strings.ReplaceAll(c.Doc.Slice(section.Body), "\r\n", "\n")
		s := &save{name: name, digests: marksIn(text, name)}
		if at := strings.LastIndex("\n"+text, "\n"+fence); at >= 0 {
			src, _, _ := strings.Cut(text[at+len(fence):], "\n```")
			o, err := value.Parse([]byte(src))
			if err != nil {
				return nil, fault.New(fault.Invalid, "%s: %s, below line %d, is not JSON: %w", c.ID, checkpoint.FurtherFields,
					c.Doc.Line(section.Heading.Start), err).WithHint("ckpt edit %s", c.ID)
			}
			object, ok := member[value.Object](o, string(name))
			if ok {
				s.object = object
				return s, nil
			}
		}
		if s.digests != nil {
			return s, nil
		}
	}
	return nil, nil
}

// marksIn parses the digests of a schema in a section; nil if it has none.
func marksIn(text string, name Name) map[string][]string {
	begin := savedAs + string(name)
	at := strings.LastIndex(text, begin)
	if at < 0 {
		return nil
	}
	line, _, _ := strings.Cut(text[at+len(begin):], savedEnd)
	said := map[string][]string{}
	for field := range strings.SplitSeq(strings.TrimPrefix(line, ":"), ";") {
		if words := strings.Fields(field); len(words) > 0 {
			said[words[0]] = words[1:]
		}
	}
	return said
}

// blocks lists the sections with saves.
func blocks(c *checkpoint.Checkpoint) []doc.Section {
	var all []doc.Section
	for _, s := range c.Doc.Sections() {
		if s.Title == checkpoint.FurtherFields {
			all = append(all, s)
		}
	}
	return all
}

// keep replaces all older saves by this one; history still has those.
func (s *save) keep(c *checkpoint.Checkpoint, r *revise.Revision) {
	text := s.section()
	sections := c.Doc.Sections()
	for _, block := range blocks(c) {
		own := block.Level == 2
		span := doc.Span{Start: block.Heading.Start, End: block.Heading.End}
		if at := slices.IndexFunc(sections, func(of doc.Section) bool {
			return checkpoint.IsRemnant(of) && of.Body.End == block.Heading.Start && of.Whole.End == block.Whole.End &&
				c.Doc.Text(of.Body) == ""
		}); at >= 0 { // the heading that a fold left of this delta
			span.Start = sections[at].Heading.Start
		}
		for _, b := range c.Doc.Blocks(block.Body) {
			if b.Kind != doc.Rule { // a rule belongs to the delta after it
				span.End = b.Span.End
			}
		}
		if own && text != "" {
			r.Splice(doc.ReplaceSections(span, text))
			text = ""
			continue
		}
		before := strings.TrimRight(string(c.Doc.Bytes()[:span.Start]), "\r\n")
		span.Start = min(len(before)+len(c.Doc.EOL()), span.Start)
		r.Splice(doc.ReplaceSections(span, ""))
	}
	if text != "" {
		r.AddSection(text)
	}
}

// save returns the part of the import that the sections of a checkpoint do not have after the
// import was written to it.
func (im *Import) save(c *checkpoint.Checkpoint) *save {
	s := &save{name: im.Name, digests: map[string][]string{}}
	now := readAll(c, im.Name)
	fields := map[string]field{}
	for _, f := range fieldsOf(im.Name) {
		fields[f.path] = f
	}
	if at, ok := value.Get(im.Object, "state", "currentStepIndex"); ok && im.Name == State {
		now["stepNumber"] = at // the value that Write adds by default
	}
	var visit func(o value.Object, path []string)
	visit = func(o value.Object, path []string) {
		for _, m := range o {
			at := append(path[:len(path):len(path)], m.Key)
			f, known := fields[strings.Join(at, ".")]
			known = known && !slices.ContainsFunc(at, func(key string) bool { return strings.Contains(key, ".") })
			have, inSections := now[f.path]
			below, isObject := m.Value.(value.Object)
			switch {
			case known && !f.alone && inSections && value.Equal(have, m.Value):
			case known && (f.alone || !inSections) && f.or != nil && value.Equal(f.or, m.Value):
			case isObject && len(below) > 0 && holdsFields(im.Name, at):
				visit(below, at)
			default:
				s.object = value.Set(s.object, m.Value, at...)
			}
		}
	}
	visit(im.Object, nil)
	for _, f := range fieldsOf(im.Name) {
		_, stored := value.Get(s.object, f.keys()...)
		v, given := value.Get(im.Object, f.keys()...)
		if f.alone && given && len(s.object) == 0 { // a field that is read from a save alone needs one
			s.object = value.Set(s.object, v, f.keys()...)
		}
		have, inSections := now[f.path]
		differs := stored || f.ofSave && !given
		if f.stored || f.alone {
			continue
		}
		if inSections && differs {
			s.digests[f.path] = f.marks(have)
		}
	}
	return s
}

// holdsFields reports whether a schema has fields below a path.
func holdsFields(name Name, path []string) bool {
	return slices.ContainsFunc(fieldsOf(name), func(f field) bool {
		keys := f.keys()
		return len(keys) > len(path) && slices.Equal(keys[:len(path)], path)
	})
}

// marks returns digests of a value in the sections: one for each entry of a list or an object.
func (f field) marks(v any) []string {
	var all []string
	switch v := v.(type) {
	case nil:
	case []any:
		for _, e := range v {
			all = append(all, f.mark(e))
		}
	case value.Object:
		for _, p := range pairs(v) {
			all = append(all, p.mark())
		}
	default:
		src, _ := value.JSON(v)
		all = append(all, digest(string(src)))
	}
	return all
}

// mark returns the digest of an entry of a list, in the sections or in the import.
func (f field) mark(e any) string {
	if f.entry == nil {
		src, _ := value.JSON(e)
		return digest(string(src))
	}
	text := oneLine(f.entry(e))
	if f.status != nil {
		text = f.status(e) + " " + text
	}
	return digest(text)
}

// unchanged reports whether digests are the same, in any order.
func unchanged(was, now []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(was)), slices.Sorted(slices.Values(now)))
}

// merged returns a stored value updated with the changes in the sections since the save. Was has
// the digests of the value in the sections then; now is the present value. It returns nil if
// nothing remains.
func (f field) merged(stored, now any, was []string) any {
	switch old := stored.(type) {
	case []any:
		entries, _ := now.([]any)
		return f.mergedList(old, entries, was)
	case value.Object:
		members, ok := now.(value.Object)
		if ok || now == nil {
			return mergedObject(old, members, was)
		}
	}
	return now
}

func (f field) mergedList(old, now []any, was []string) []any {
	nowMarks := f.marks(now)
	used := map[int]bool{}
	out := []any{}
	for _, e := range old {
		mark := f.mark(e)
		if !slices.Contains(was, mark) || slices.Contains(nowMarks, mark) {
			out = append(out, e)
			continue
		}
		for i, n := range now { // the same entry with another status
			fresh := !used[i] && !slices.Contains(was, nowMarks[i])
			if f.entry != nil && fresh && oneLine(f.entry(n)) == oneLine(f.entry(e)) {
				used[i] = true
				out = append(out, f.update(e, n))
				break
			}
		}
	}
	known := append(slices.Clone(was), f.marks(old)...)
	for i, n := range now {
		if !used[i] && !slices.Contains(known, nowMarks[i]) {
			out = append(out, n)
		}
	}
	return out
}

// pair is a member of an object, or an entry of a list that is one.
type pair struct {
	key    string
	value  any
	listed bool
}

func (p pair) mark() string {
	text, ok := scalar(p.value)
	if !ok {
		src, _ := value.JSON(p.value)
		text = string(src)
	}
	return digest(p.key + ": " + oneLine(text))
}

func pairs(o value.Object) []pair {
	var all []pair
	for _, m := range o {
		list, ok := m.Value.([]any)
		if !ok {
			all = append(all, pair{m.Key, m.Value, false})
		}
		for _, e := range list {
			all = append(all, pair{m.Key, e, true})
		}
	}
	return all
}

func mergedObject(old, now value.Object, was []string) value.Object {
	var nowMarks []string
	for _, p := range pairs(now) {
		nowMarks = append(nowMarks, p.mark())
	}
	gone := func(p pair) bool { return slices.Contains(was, p.mark()) && !slices.Contains(nowMarks, p.mark()) }
	out := value.Object{}
	for _, m := range old {
		if list, ok := m.Value.([]any); ok {
			m.Value = slices.DeleteFunc(slices.Clone(list), func(e any) bool { return gone(pair{m.Key, e, true}) })
		} else if gone(pair{m.Key, m.Value, false}) {
			continue
		}
		out = append(out, m)
	}
	for i, p := range pairs(now) {
		if slices.Contains(was, nowMarks[i]) {
			continue
		}
		if list, ok := member[[]any](out, p.key); p.listed && ok {
			p.value = append(slices.Clone(list), p.value)
		} else if p.listed {
			p.value = []any{p.value}
		}
		out = value.Set(out, p.value, p.key)
	}
	return out
}
