package doc

import (
	"cmp"
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
)

// Edit replaces one span by a text. An empty span inserts, an empty text removes.
type Edit struct {
	Span Span
	Text string // line breaks as \n; they take the file's form when written

	key      string  // the frontmatter key that it sets or drops
	want     *string // the value that key must have afterwards; nil: none
	headings bool    // the text may bring headings of its own
	inline   bool    // for [Page.Splice]: the text is part of a line, or the whole file
}

// Replace is an edit of the body whose text must not bring a heading.
func Replace(s Span, text string) Edit { return Edit{Span: s, Text: text} }

// ReplaceInline is an edit of a part of a line of a [Page].
func ReplaceInline(s Span, text string) Edit { return Edit{Span: s, Text: text, inline: true} }

// Insert is an edit that adds whole lines at an offset.
func Insert(at int, text string) Edit { return Edit{Span: Span{at, at}, Text: text} }

// ReplaceSections is an edit of the body whose text brings sections of its own.
func ReplaceSections(s Span, text string) Edit { return Edit{Span: s, Text: text, headings: true} }

// SetField is the edit that gives a frontmatter key a value. A new key goes
// behind the last of the keys named in after that the file has, else to the top.
func (d *Doc) SetField(key, value string, after ...string) Edit {
	text := Scalar(value)
	e := Edit{key: key, want: &value}
	if i := d.Front.index(key); i >= 0 {
		f := d.Front.Fields[i]
		switch {
		case f.value.Len() > 0:
			e.Span, e.Text = f.value, text
		case f.hole > 0:
			e.Span, e.Text = Span{f.hole, f.hole}, " "+text
		default:
			e.Span, e.Text = f.Span, key+": "+text+"\n"
		}
		return e
	}
	at := d.Front.Inner.Start
	for _, f := range d.Front.Fields {
		if slices.Contains(after, f.Key) {
			at = f.Span.End
		}
	}
	e.Span, e.Text = Span{at, at}, key+": "+text+"\n"
	return e
}

// DropField is the edit that takes a frontmatter key out; ok is false where the
// file does not have it.
func (d *Doc) DropField(key string) (e Edit, ok bool) {
	i := d.Front.index(key)
	if i < 0 {
		return Edit{}, false
	}
	return Edit{Span: d.Front.Fields[i].Span, key: key}, true
}

// Apply makes all edits at once, parses the result and checks that nothing
// outside the edited spans reads differently: every other key has its value,
// every other heading stands where it stood. Otherwise it is an [fault.Invalid]
// error and nothing is done. Edits must not overlap; those that insert at the
// same place keep their order, and come before one that replaces what follows.
func (d *Doc) Apply(edits ...Edit) (*Doc, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(a.Span.Start-b.Span.Start, min(a.Span.Len(), 1)-min(b.Span.Len(), 1))
	})
	var out strings.Builder
	at := 0
	placed := make([]Span, len(edits)) // where each text stands in the result
	for i, e := range edits {
		if e.Span.Start < at || e.Span.End < e.Span.Start || e.Span.End > len(d.src) {
			return nil, fault.New(fault.Invalid, "two edits of one place (line %d)", d.Line(e.Span.Start))
		}
		if e.key != "" && (d.Front.flow || d.Front.Span.Len() == 0) {
			return nil, fault.New(fault.Invalid, "frontmatter does not hold `key: value` lines: %q cannot be set", e.key)
		}
		out.Write(d.src[at:e.Span.Start])
		text := strings.ReplaceAll(e.Text, "\r\n", "\n")
		if eol := d.EOL(); eol != "\n" {
			text = strings.ReplaceAll(text, "\n", eol)
		}
		placed[i] = Span{out.Len(), out.Len() + len(text)}
		out.WriteString(text)
		at = e.Span.End
	}
	out.Write(d.src[at:])
	result, err := Parse([]byte(out.String()))
	if err != nil {
		return nil, fault.New(fault.Invalid, "the edit would break the file: %w", err)
	}
	if err := d.sameFront(result, edits, placed); err != nil {
		return nil, err
	}
	if err := d.sameFields(result, edits); err != nil {
		return nil, err
	}
	if err := d.sameHeadings(result, edits, placed); err != nil {
		return nil, err
	}
	return result, nil
}

// sameFront checks that the frontmatter still ends where it ended, shifted by
// what was edited in it.
func (d *Doc) sameFront(result *Doc, edits []Edit, placed []Span) error {
	end := d.Front.Inner.End
	for i, e := range edits {
		if e.Span.End <= d.Front.Inner.End && e.Span.Start < d.Front.Span.End {
			end = d.Front.Inner.End + placed[i].End - e.Span.End
		}
	}
	if (d.Front.Span.Len() > 0) != (result.Front.Span.Len() > 0) || result.Front.Inner.End != end {
		return fault.New(fault.Invalid, "the edit would move the end of the frontmatter")
	}
	return nil
}

func (d *Doc) sameFields(result *Doc, edits []Edit) error {
	wanted := map[string]*string{}
	for _, e := range edits {
		if e.key != "" {
			wanted[e.key] = e.want
		}
	}
	for key, want := range wanted {
		got, ok := result.Front.Get(key)
		if ok != (want != nil) || ok && got != *want {
			return fault.New(fault.Invalid, "line %d: the key %q cannot be edited as it is written here", d.Front.Line(key), key)
		}
	}
	rest := func(fields []Field) []Field {
		return slices.DeleteFunc(slices.Clone(fields), func(f Field) bool { _, touched := wanted[f.Key]; return touched })
	}
	before, after := rest(d.Front.Fields), rest(result.Front.Fields)
	if !slices.EqualFunc(before, after, func(a, b Field) bool { return a.Key == b.Key && a.Value == b.Value }) {
		return fault.New(fault.Invalid, "the edit would change other keys of the frontmatter")
	}
	return nil
}

// sameHeadings walks the headings of both sides: one outside every edit must be
// found again, shifted by what was edited before it; a new one must stand inside
// a text that may bring headings.
func (d *Doc) sameHeadings(result *Doc, edits []Edit, placed []Span) error {
	before, after := d.Sections(), result.Sections()
	i, shift := 0, 0 // the next edit, and what the edits before it moved
	j := 0
	for _, old := range before {
		for i < len(edits) && edits[i].Span.End <= old.Heading.Start {
			shift = placed[i].End - edits[i].Span.End
			i++
		}
		title := old.Heading.End - len(lineBreak(d.src[:old.Heading.End]))
		if i < len(edits) && edits[i].Span.Start < title && edits[i].Span.End > old.Heading.Start {
			continue // edited away
		}
		for j < len(after) && after[j].Heading.Start < old.Heading.Start+shift {
			if err := allowed(result, after[j], edits, placed); err != nil {
				return err
			}
			j++
		}
		if j == len(after) || after[j].Heading.Start != old.Heading.Start+shift || after[j].Level != old.Level || after[j].Title != old.Title {
			return fault.New(fault.Invalid, "the text would swallow the heading %q: it leaves a code fence or a comment open", old.Title)
		}
		j++
	}
	for ; j < len(after); j++ {
		if err := allowed(result, after[j], edits, placed); err != nil {
			return err
		}
	}
	return brought(result, edits, placed)
}

// brought checks that each text that brings sections does bring them: where a
// fence is open before it they would be text.
func brought(result *Doc, edits []Edit, placed []Span) error {
	all := result.Sections()
	for i, e := range edits {
		if !e.headings {
			continue
		}
		for len(all) > 0 && all[0].Heading.Start < placed[i].Start {
			all = all[1:]
		}
		for _, want := range parseBody([]byte(e.Text), 0, body{}).sections {
			if len(all) == 0 || all[0].Heading.Start >= placed[i].End || all[0].Title != want.Title {
				return fault.New(fault.Invalid, "a code fence or a comment above is never closed: it would swallow the heading %q", want.Title)
			}
			all = all[1:]
		}
	}
	return nil
}

func allowed(result *Doc, s Section, edits []Edit, placed []Span) error {
	for i, p := range placed {
		if p.Start <= s.Heading.Start && s.Heading.Start < p.End && edits[i].headings {
			return nil
		}
	}
	return fault.New(fault.Invalid, "the text would bring the heading %q (line %d)", s.Title, result.Line(s.Heading.Start))
}
