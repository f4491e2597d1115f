package history

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/merge"
)

// Diff is what changed from one version to another.
type Diff struct {
	Fields   []Field   // of the frontmatter
	Sections []Section // in the order of the newer version; those that it lost come last
	Spacing  bool      // nothing else changed, and yet not every byte is the same
}

// Field is a frontmatter key that changed; "" on a side that lacks it.
type Field struct{ Key, Before, After string }

// Section is a section that changed.
type Section struct {
	Name      string // as flags and JSON call it: "decisions"; "deltas"; "" for one that the format does not know
	Title     string
	Added     []string
	Removed   []string
	Reworded  []Reworded
	Prose     *Reworded // its running text, where that changed
	Reordered bool      // what stayed stands in another order
}

// Reworded is one thing said in two ways.
type Reworded struct {
	Before, After string
	Struck        bool // a decision that was superseded
}

// Compare tells what changed from before to after; a nil before is nothing.
func Compare(before, after *doc.Doc) *Diff {
	if before == nil {
		before, _ = doc.Parse(nil)
	}
	d := &Diff{Fields: fields(before, after)}
	old := map[string]merge.Part{}
	var oldDeltas, newDeltas []merge.Part
	order := []string{}
	for _, p := range merge.Parts(before) {
		if p.Delta {
			oldDeltas = append(oldDeltas, p)
			continue
		}
		if _, twice := old[p.Key]; !twice {
			old[p.Key] = p
			order = append(order, p.Key)
		}
	}
	for _, p := range merge.Parts(after) {
		if p.Delta {
			newDeltas = append(newDeltas, p)
			continue
		}
		d.add(section(old[p.Key], p, p))
		delete(old, p.Key)
	}
	d.add(deltas(oldDeltas, newDeltas))
	for _, key := range order {
		if p, lost := old[key]; lost {
			d.add(section(p, merge.Part{}, p))
		}
	}
	d.Spacing = d.Empty() && string(before.Bytes()) != string(after.Bytes())
	return d
}

// Empty says whether nothing changed that is said.
func (d *Diff) Empty() bool { return len(d.Fields)+len(d.Sections) == 0 }

// Find is the section of a name, nil where it did not change.
func (d *Diff) Find(kind checkpoint.Kind) *Section {
	for i := range d.Sections {
		if d.Sections[i].Name == kind.Template().Name {
			return &d.Sections[i]
		}
	}
	return nil
}

// Only leaves the sections of these kinds, and no field.
func (d *Diff) Only(kinds ...checkpoint.Kind) *Diff {
	only := &Diff{}
	for _, kind := range kinds {
		if s := d.Find(kind); s != nil {
			only.Sections = append(only.Sections, *s)
		}
	}
	return only
}

func (d *Diff) add(s Section) {
	if !s.empty() {
		d.Sections = append(d.Sections, s)
	}
}

func (s Section) empty() bool {
	return len(s.Added)+len(s.Removed)+len(s.Reworded) == 0 && s.Prose == nil && !s.Reordered
}

func fields(before, after *doc.Doc) []Field {
	var all []Field
	for _, f := range after.Front.Fields {
		if was, _ := before.Front.Get(f.Key); was != f.Value {
			all = append(all, Field{f.Key, was, f.Value})
		}
	}
	for _, f := range before.Front.Fields {
		if _, kept := after.Front.Get(f.Key); !kept {
			all = append(all, Field{f.Key, f.Value, ""})
		}
	}
	return all
}

// section compares one section of two versions; named is the one that has a title.
func section(before, after, named merge.Part) Section {
	s := Section{Title: named.Title}
	if named.Known {
		s.Name, s.Title = named.Kind.Template().Name, named.Kind.String()
	}
	if s.Title == "" {
		s.Title = "before the first heading"
	}
	removed, added := less(before.Entries, after.Entries), less(after.Entries, before.Entries)
	s.Reordered = reordered(before.Entries, after.Entries)
	was, is := prose(removed), prose(added)
	if was+is != "" {
		s.Prose = &Reworded{Before: was, After: is}
	}
	removed, added = slices.DeleteFunc(removed, isProse), slices.DeleteFunc(added, isProse)
	for _, alike := range []func(a, b merge.Entry) bool{sameSubject, sameWords} {
		removed = slices.DeleteFunc(removed, func(r merge.Entry) bool {
			i := slices.IndexFunc(added, func(a merge.Entry) bool { return alike(r, a) })
			if i < 0 {
				return false
			}
			s.Reworded = append(s.Reworded, Reworded{r.Text, added[i].Text, added[i].Struck && !r.Struck})
			added = slices.Delete(added, i, i+1)
			return true
		})
	}
	for _, e := range added {
		s.Added = append(s.Added, e.Text)
	}
	for _, e := range removed {
		s.Removed = append(s.Removed, e.Text)
	}
	return s
}

// deltas compares the deltas of two versions, by their times.
func deltas(before, after []merge.Part) Section {
	s := Section{Name: "deltas", Title: "Deltas"}
	said := func(p merge.Part) string { return strings.TrimSpace(p.Title + "\n" + p.Text) }
	for _, p := range after {
		i := slices.IndexFunc(before, func(b merge.Part) bool { return b.Key == p.Key && b.Text == p.Text })
		if i < 0 {
			i = slices.IndexFunc(before, func(b merge.Part) bool { return b.Key == p.Key })
		}
		switch {
		case i < 0:
			s.Added = append(s.Added, said(p))
			continue
		case before[i].Text != p.Text:
			s.Reworded = append(s.Reworded, Reworded{Before: said(before[i]), After: said(p)})
		}
		before = slices.Delete(slices.Clone(before), i, i+1)
	}
	for _, p := range before {
		s.Removed = append(s.Removed, said(p))
	}
	return s
}

// less is the entries of a that b does not have, one for one.
func less(a, b []merge.Entry) []merge.Entry {
	have := map[string]int{}
	for _, e := range b {
		have[e.Key]++
	}
	var rest []merge.Entry
	for _, e := range a {
		if have[e.Key]--; have[e.Key] < 0 {
			rest = append(rest, e)
		}
	}
	return rest
}

// reordered says whether the list items that both have stand in another order.
func reordered(a, b []merge.Entry) bool {
	keys := func(of, other []merge.Entry) []string {
		have := map[string]bool{}
		for _, e := range other {
			have[e.Key] = true
		}
		var all []string
		for _, e := range of {
			if have[e.Key] && !e.Block && !slices.Contains(all, e.Key) {
				all = append(all, e.Key)
			}
		}
		return all
	}
	return !slices.Equal(keys(a, b), keys(b, a))
}

func isProse(e merge.Entry) bool { return e.Block }

func prose(entries []merge.Entry) string {
	var all []string
	for _, e := range entries {
		if e.Block {
			all = append(all, e.Text)
		}
	}
	return strings.Join(all, "\n\n")
}

// sameSubject says whether two entries are about one thing: a decision about the
// same question, a table's row about the same file.
func sameSubject(a, b merge.Entry) bool {
	return a.What != "" && a.What == b.What || len(a.Cells) > 1 && len(b.Cells) > 1 && a.Cells[0] == b.Cells[0]
}

// sameWords says whether b is a in other words.
func sameWords(a, b merge.Entry) bool { return Alike(a.Text, b.Text) }

// Alike says whether two texts are one thing in two ways: more than half of the
// words of the longer one are in the shorter one, too.
func Alike(a, b string) bool {
	x, y := words(a), words(b)
	if len(x) < len(y) {
		x, y = y, x
	}
	common := 0
	for w := range y {
		if x[w] {
			common++
		}
	}
	return len(x) > 0 && 2*common > len(x)
}

func words(text string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" \t\n*~`_.,:;()[]\"'→", r) }) {
		all[w] = true
	}
	return all
}
