package doc

import (
	"slices"
	"testing"
)

// FuzzOutline: where the outline finds the headings of a body, goldmark finds the same,
// and reading each part alone gives the blocks of the whole.
func FuzzOutline(f *testing.F) {
	for _, s := range slices.Concat(seeds, scanSeeds) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { checkOutline(t, text) })
}

// checkOutline says whether the outline found the headings of the text.
func checkOutline(t *testing.T, text string) bool {
	t.Helper()
	d, err := Parse([]byte(text))
	if err != nil {
		return false
	}
	start := d.Front.Span.End
	if _, ok := outline(d.src, start, nil); !ok {
		return false
	}
	want := readBody(d.src, start, body{})
	if got := d.Sections(); !slices.Equal(got, want.sections) {
		t.Fatalf("%q has the headings\n%+v\nnot\n%+v", text, got, want.sections)
	}
	got := slices.Clone(d.Blocks(d.Preamble()))
	for _, s := range d.Sections() {
		got = append(got, d.Blocks(s.Body)...)
	}
	if !slices.EqualFunc(got, want.blocks, same) {
		t.Fatalf("%q has, part by part, the blocks\n%+v\nnot\n%+v", text, got, want.blocks)
	}
	if whole := d.Blocks(d.Body()); !slices.EqualFunc(whole, want.blocks, same) {
		t.Fatalf("%q has, after its parts, the blocks\n%+v\nnot\n%+v", text, whole, want.blocks)
	}
	return true
}

// TestOutlineAnyLines: the outline agrees with goldmark on any lines below each other.
func TestOutlineAnyLines(t *testing.T) { testAnyLines(t, checkOutline) }
