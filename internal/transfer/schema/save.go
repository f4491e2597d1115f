package schema

import (
	"cmp"
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

// save is the newest import of a schema as a checkpoint stores it: with the members that only earlier imports had.
type save struct {
	name   Name
	object value.Object
	// differ maps the path of a field to digests of the entries that only the sections or only the object had right
	// after the import. It is nil if the digests are unknown. The key noted has digests of the facts that were in
	// Technical Context before an import named them.
	differ map[string][]string
}

const noted = "noted"

// marks is a set of digests of entries.
type marks map[string]bool

// difference returns the digests that only one of two sets has.
func difference(a, b marks) marks {
	only := maps.Clone(a)
	for mark := range b {
		if a[mark] {
			delete(only, mark)
		} else {
			only[mark] = true
		}
	}
	return only
}

// digest returns a short hash of a text.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// saveOn returns the save of an object that was written to the sections of c. Had becomes the value of the key noted.
func saveOn(c *checkpoint.Checkpoint, name Name, object value.Object, had []string) *save {
	s := &save{name, object, map[string][]string{}}
	now := readAll(c, name, object)
	for _, f := range fieldsOf(name) {
		if stored, given := value.Get(object, f.keys()...); f.read != nil && (given || f.ofSave) {
			s.differ[f.path] = slices.Sorted(maps.Keys(difference(f.marks(stored), f.marks(now[f.path]))))
		}
	}
	s.differ[noted] = had
	return s
}

// changed reports whether now, a field's value in the sections, differs from the value right after the import. It also
// returns the digests of that value. It returns false if no digests are stored, for a value that the sections cannot
// show, and for a stored trigger, since each delta has its own trigger.
func (s *save) changed(f field, now any) (then marks, changed bool) {
	if s.differ == nil || f.read == nil {
		return nil, false
	}
	stored, given := value.Get(s.object, f.keys()...)
	hidden := f.fixed && len(s.differ[f.path]) > 0
	if hidden || given && f.head == "trigger" {
		return nil, false
	}
	differ := marks{}
	for _, mark := range s.differ[f.path] {
		differ[mark] = true
	}
	then = difference(f.marks(stored), differ)
	return then, !maps.Equal(then, f.marks(now))
}

const (
	furtherFields = "## " + checkpoint.FurtherFields + "\n\n"
	fence         = "```json\n"
	savedAs       = "<!-- saved as "
	savedEnd      = " -->"
)

// markdown returns the blocks of Markdown that store the save: its JSON, and a comment with the digests.
func (s *save) markdown() string {
	text, separator := block(s.name, s.object)+"\n"+savedAs+string(s.name), ": "
	for _, path := range slices.Sorted(maps.Keys(s.differ)) {
		if len(s.differ[path]) > 0 {
			text += separator + path + " " + strings.Join(s.differ[path], " ")
			separator = "; "
		}
	}
	return text + savedEnd + "\n"
}

// block returns an object of a schema as a fenced block of Markdown.
func block(name Name, o value.Object) string {
	src, _ := value.Indented(value.Object{{Key: string(name), Value: o}})
	return fence + string(src) + "```\n"
}

// saveOf returns the newest import of a schema, or nil. An empty name means any schema.
func saveOf(c *checkpoint.Checkpoint, name Name) (*save, error) {
	comment := ""
	for _, span := range slices.Backward(Saved(c)) {
		text := strings.ReplaceAll(c.Doc.Slice(span), "\r\n", "\n")
		if strings.HasPrefix(text, savedAs) {
			comment = text
			continue
		}
		src, _, _ := strings.Cut(strings.TrimPrefix(text, fence), "\n```")
		v, err := value.Parse([]byte(src))
		if err != nil {
			return nil, fault.New(fault.Invalid, "%s: %s, below line %d, is not JSON: %w", c.ID, checkpoint.FurtherFields,
				c.Doc.Line(span.Start), err).WithHint("ckpt edit %s", c.ID)
		}
		for _, as := range Names() {
			if o, ok := member[value.Object](v, as); ok && string(cmp.Or(name, Name(as))) == as {
				return &save{Name(as), o, differIn(comment, as)}, nil
			}
		}
	}
	return nil, nil
}

// differIn parses the digests of a schema in a comment. It returns nil if the comment has none.
func differIn(comment, name string) map[string][]string {
	line, ok := strings.CutPrefix(comment, savedAs+name)
	if !ok {
		return nil
	}
	line, _, _ = strings.Cut(line, savedEnd)
	differ := map[string][]string{}
	for field := range strings.SplitSeq(strings.TrimPrefix(line, ":"), ";") {
		if words := strings.Fields(field); len(words) > 0 {
			differ[words[0]] = words[1:]
		}
	}
	return differ
}

// Saved lists the blocks of Further Fields that store saves. Any other text there was written by hand.
func Saved(c *checkpoint.Checkpoint) []doc.Span {
	var all []doc.Span
	for _, s := range c.Doc.Sections() {
		if s.Title != checkpoint.FurtherFields {
			continue
		}
		for _, b := range c.Doc.Blocks(s.Body) {
			text := c.Doc.Slice(b.Span)
			comment := b.Kind == doc.Comment && strings.HasPrefix(text, savedAs)
			src, isJSON := strings.CutPrefix(text, strings.TrimSpace(fence))
			key, _, _ := strings.Cut(strings.TrimLeft(src, " \t\r\n{"), ":")
			if comment || isJSON && slices.Contains(Names(), strings.Trim(key, `" `)) {
				all = append(all, b.Span)
			}
		}
	}
	return all
}

// keep replaces the older saves in a checkpoint by s. History still has the older saves.
func (s *save) keep(c *checkpoint.Checkpoint, r *revise.Revision) {
	text := s.markdown()
	for _, span := range Saved(c) {
		if text == "" {
			before := strings.TrimRight(string(c.Doc.Bytes()[:span.Start]), "\r\n")
			span.Start = min(len(before)+len(c.Doc.EOL()), span.Start)
		}
		r.Splice(doc.Replace(span, text))
		text = ""
	}
	if text != "" {
		r.AddSection(furtherFields + text)
	}
}

// entry is a part of the value of a field: an entry of a list, a member of an object, an entry in a list that is a
// member, or the whole value.
type entry struct {
	key    string // identifies the part: the words of an entry, or the name of a member
	mark   string // the digest of what the sections show of the part
	value  any
	listed bool
}

// entries returns the parts of a value of the field.
func (f field) entries(v any) []entry {
	text := func(v any) string {
		s, ok := scalar(v)
		if !ok {
			src, _ := value.JSON(v)
			s = string(src)
		}
		return oneLine(s)
	}
	var all []entry
	add := func(key, says string, v any, listed bool) {
		all = append(all, entry{key: key, mark: digest(says), value: v, listed: listed})
	}
	switch v := v.(type) {
	case nil:
	case []any:
		for _, e := range v {
			key, status := "", ""
			if f.entry == nil {
				src, _ := value.JSON(e)
				key = string(src)
			} else {
				key = oneLine(f.entry(e))
			}
			if f.status != nil {
				status = f.status(e) + " "
			}
			add(key, "- "+status+key, e, true)
		}
	case value.Object:
		for _, m := range v {
			list, _ := m.Value.([]any)
			if len(list) == 0 {
				add(m.Key, m.Key+": "+text(m.Value), m.Value, false)
			}
			for _, e := range list {
				add(m.Key, m.Key+": "+text(e), e, true)
			}
		}
	default:
		src, _ := value.JSON(v)
		add("", string(src), v, false)
	}
	seen := map[string]int{}
	for i, e := range slices.Backward(all) { // from the end, since `ckpt done` takes the first of equal entries
		all[i].mark += strings.Repeat("+", seen[e.mark])
		seen[e.mark]++
	}
	return all
}

// marks returns the digests of a value of the field.
func (f field) marks(v any) marks {
	all := marks{}
	for _, e := range f.entries(v) {
		all[e.mark] = true
	}
	return all
}

// merged returns a stored value with the later changes in the sections, or nil if nothing remains. The argument
// then has the digests of the value in the sections right after the import; the argument now is the present value.
func (f field) merged(stored, now any, then marks) any {
	_, list := stored.([]any)
	_, object := stored.(value.Object)
	_, alike := now.(value.Object)
	switch {
	case list:
		now, _ = now.([]any)
	case !object, now != nil && !alike:
		return now
	}
	isNow, known := f.marks(now), f.marks(stored)
	fresh := slices.DeleteFunc(f.entries(now), func(n entry) bool { return then[n.mark] || known[n.mark] })
	var all []entry
	for _, e := range f.entries(stored) {
		if !then[e.mark] || isNow[e.mark] {
			all = append(all, e)
			continue
		}
		i := slices.IndexFunc(fresh, func(n entry) bool { return f.update != nil && n.key == e.key })
		if i >= 0 { // the same entry with another status
			e.value = f.update(e.value, fresh[i].value)
			all = append(all, e)
			fresh = slices.Delete(fresh, i, i+1)
		}
	}
	out, members := []any{}, value.Object{}
	for _, e := range append(all, fresh...) {
		out = append(out, e.value)
		have, _ := member[[]any](members, e.key)
		if e.listed {
			e.value = append(slices.Clip(have), e.value)
		}
		members = value.Set(members, e.value, e.key)
	}
	if object {
		return members
	}
	return out
}
