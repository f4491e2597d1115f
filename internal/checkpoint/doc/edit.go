package doc

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
)

// Edit replaces one span by a text. An empty span inserts, an empty text removes.
type Edit struct {
	Span Span
	Text string // has line breaks as \n; Apply writes them as the file has them

	key      string  // the frontmatter key that the edit sets or drops
	want     *string // the value that the key must have afterwards; nil if the edit drops the key
	headings bool    // the text may have headings
}

// Replace returns an edit of the body whose text must not have a heading.
func Replace(s Span, text string) Edit { return Edit{Span: s, Text: text} }

// ReplaceSections returns an edit of the body whose text may have sections of its own.
func ReplaceSections(s Span, text string) Edit { return Edit{Span: s, Text: text, headings: true} }

// FitLines fits text, which ends with a line break, to a span. If the line before the span has no
// line break, the text begins with one. At the end of a file without a last line break, the text
// loses its own.
func (d *Doc) FitLines(s Span, text string) string {
	if s.Start > 0 && d.src[s.Start-1] != '\n' {
		text = "\n" + text
	}
	if s.End == len(d.src) && len(d.src) > 0 && d.src[len(d.src)-1] != '\n' {
		text = strings.TrimSuffix(text, "\n")
	}
	return text
}

// SetField returns the edit that sets a frontmatter key. A new key is inserted below the last of the
// keys in after that the file has, or else above all keys.
func (d *Doc) SetField(key, value string, after ...string) Edit {
	text := Scalar(value)
	e := Edit{key: key, want: &value}
	if i := d.Front.index(key); i >= 0 {
		f := d.Front.Fields[i]
		switch {
		case f.value.Len() > 0:
			e.Span, e.Text = f.value, text
		case f.value.Start > 0:
			e.Span, e.Text = f.value, " "+text
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

// DropField returns the edit that removes a frontmatter key, and reports whether the
// file has it.
func (d *Doc) DropField(key string) (e Edit, ok bool) {
	i := d.Front.index(key)
	if i < 0 {
		return Edit{}, false
	}
	return Edit{Span: d.Front.Fields[i].Span, key: key}, true
}

// Apply makes all edits at once and parses the result. It returns a [fault.Invalid] error unless
// everything outside the edited spans has the same meaning: the other keys have the same values,
// the other headings and the end of the frontmatter are at the same places. Edits must not overlap.
// Edits that insert at one offset keep their order, and come before an edit that replaces the text
// after it.
func (d *Doc) Apply(edits ...Edit) (*Doc, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(a.Span.Start-b.Span.Start, min(a.Span.Len(), 1)-min(b.Span.Len(), 1))
	})
	var out strings.Builder
	at := 0
	placed := make([]Span, len(edits)) // the spans of the new texts in the result
	for i, e := range edits {
		if e.Span.Start < at || e.Span.End < e.Span.Start || e.Span.End > len(d.src) {
			return nil, fault.New(fault.Invalid, "two edits overlap (line %d)", d.Line(e.Span.Start))
		}
		if e.key != "" && (d.Front.flow || d.Front.Span.Len() == 0) {
			return nil, fault.New(fault.Invalid, "frontmatter is not written as `key: value` lines: %q cannot be set", e.key)
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
	if err := d.checkFrontEnd(result, edits, placed); err != nil {
		return nil, err
	}
	if err := d.checkFields(result, edits); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(edits, func(e Edit) bool { return e.key == "" }) {
		return result, nil // the body is the same, and need not be parsed
	}
	if err := d.checkOpen(result, edits, placed); err != nil {
		return nil, err
	}
	return result, d.checkHeadings(result, edits, placed)
}

// checkOpen refuses new text inside a code fence or a comment that is left open above it. It also
// refuses to replace such a block if there are headings in it, since their sections would be lost.
func (d *Doc) checkOpen(result *Doc, edits []Edit, placed []Span) error {
	start, _ := result.LeftOpen()
	old, closer := d.LeftOpen()
	inside := func(s Span) bool { return s.Len() > 0 && s.Start > start }
	takesIn := func(e Edit) bool {
		within := closer != "" && e.Text != "" && e.Span.Start <= old && old < e.Span.End
		return within && strings.Contains(d.Slice(Span{old, e.Span.End}), "\n##")
	}
	if !slices.ContainsFunc(placed, inside) && !slices.ContainsFunc(edits, takesIn) {
		return nil
	}
	line := result.Line(start)
	if closer != "" {
		line = d.Line(old)
	}
	return fault.New(fault.Invalid, "a code fence or a comment is left open (line %d): the text would be part of it", line)
}

// checkFrontEnd checks that the end of the frontmatter moved only by the length of the edits in it.
func (d *Doc) checkFrontEnd(result *Doc, edits []Edit, placed []Span) error {
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

// checkFields checks that the edited keys have the wanted values and that all other values are
// unchanged.
func (d *Doc) checkFields(result *Doc, edits []Edit) error {
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

// checkHeadings checks the headings of the result. They must be the headings that no edit touched,
// at shifted offsets, and the headings of new texts that may have some.
func (d *Doc) checkHeadings(result *Doc, edits []Edit, placed []Span) error {
	var want []Section
	i, shift := 0, 0 // i is the next edit; shift is how far the edits before it move the text
	add := func(e Edit, at int) {
		if e.headings {
			want = append(want, parseBody(result.src[:placed[at].End], placed[at].Start).sections...)
		}
	}
	for _, old := range d.Sections() {
		for i < len(edits) && edits[i].Span.End <= old.Heading.Start {
			add(edits[i], i)
			shift = placed[i].End - edits[i].Span.End
			i++
		}
		end := old.Heading.Start + len(bytes.TrimRight(d.src[old.Heading.Start:old.Heading.End], "\r\n"))
		if i < len(edits) && edits[i].Span.Start < end && edits[i].Span.End > old.Heading.Start {
			continue // the edit removes the heading
		}
		old.Heading.Start += shift
		want = append(want, old)
	}
	for ; i < len(edits); i++ {
		add(edits[i], i)
	}
	got := result.Sections()
	for i, s := range want {
		if i < len(got) {
			same := got[i].Level == s.Level && got[i].Title == s.Title
			if same && got[i].Heading.Start == s.Heading.Start {
				continue
			}
			if got[i].Heading.Start < s.Heading.Start {
				return newHeading(result, got[i])
			}
		}
		return fault.New(fault.Invalid, "a code fence or a comment is left open: it would hide the heading %q", s.Title)
	}
	if len(got) > len(want) {
		return newHeading(result, got[len(want)])
	}
	return nil
}

func newHeading(result *Doc, s Section) error {
	return fault.New(fault.Invalid, "the text would add the heading %q (line %d)", s.Title, result.Line(s.Heading.Start))
}
