package revisions

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/result"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/merge"
)

// Comparison has the changes of a checkpoint from one time to another.
type Comparison struct {
	ID   string
	From Version
	To   *Version // nil for the present file
	Diff *Diff
}

// Diff describes the changes from one version to another.
type Diff struct {
	Fields result.List[Field] `json:"fields"` // changed keys of the frontmatter
	// In the order of the newer version, followed by the sections that it lacks.
	Sections result.List[Section] `json:"sections"`
	Spacing  bool                 `json:"spacing,omitempty"` // only white space or markup changed
}

// Field is a changed frontmatter key. Before or After is empty if that side lacks the key.
type Field struct {
	Key    string `json:"key"`              // the key
	Before string `json:"before,omitempty"` // the old value
	After  string `json:"after,omitempty"`  // the new value
}

// Section is a section that changed.
type Section struct {
	// The name in flags and JSON: "decisions", "deltas"; empty for a section that the format does
	// not define.
	Name      string                `json:"name,omitempty"`
	Title     string                `json:"title"`
	Added     result.List[string]   `json:"added"`               // entries that are new
	Removed   result.List[string]   `json:"removed"`             // entries that are gone
	Reworded  result.List[Reworded] `json:"reworded"`            // entries with a new wording
	Prose     *Reworded             `json:"prose,omitempty"`     // the prose of the section, if it changed
	Reordered bool                  `json:"reordered,omitempty"` // the unchanged entries are in another order
}

// Reworded is one entry with two wordings.
type Reworded struct {
	Before string `json:"before"`           // the old wording
	After  string `json:"after"`            // the new wording
	Struck bool   `json:"struck,omitempty"` // a decision was superseded
}

// Text is a parsed version that can be compared with others.
type Text struct {
	doc    *doc.Doc
	parts  []merge.Part
	deltas []merge.Part
}

// Read parses a version for a comparison. A nil document counts as empty.
func Read(d *doc.Doc) *Text {
	if d == nil {
		d, _ = doc.Parse(nil)
	}
	t := &Text{doc: d}
	for _, p := range merge.Parts(d) {
		if p.Delta {
			t.deltas = append(t.deltas, p)
		} else {
			t.parts = append(t.parts, p)
		}
	}
	return t
}

// Compare returns what changed from before to after.
func Compare(before, after *Text) *Diff {
	d := &Diff{Fields: fields(before.doc, after.doc)}
	old := map[string]merge.Part{}
	for _, p := range before.parts {
		if _, twice := old[p.Key]; !twice {
			old[p.Key] = p
		}
	}
	for _, p := range after.parts {
		d.add(section(old[p.Key], p, p))
		delete(old, p.Key)
	}
	d.add(deltas(before.deltas, after.deltas))
	for _, p := range before.parts {
		if _, lost := old[p.Key]; lost {
			d.add(section(p, merge.Part{}, p))
			delete(old, p.Key)
		}
	}
	d.Spacing = d.Empty() && string(before.doc.Bytes()) != string(after.doc.Bytes())
	return d
}

// Empty reports whether no field and no section changed.
func (d *Diff) Empty() bool { return len(d.Fields)+len(d.Sections) == 0 }

// add adds a section if something in it changed.
func (d *Diff) add(s Section) {
	if len(s.Added)+len(s.Removed)+len(s.Reworded) > 0 || s.Prose != nil || s.Reordered {
		d.Sections = append(d.Sections, s)
	}
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

// section compares one section of two versions. Named is the version of the section whose title is used.
func section(before, after, named merge.Part) Section {
	s := Section{Title: named.Title}
	if named.Known {
		s.Name, s.Title = named.Kind.Template().Name, named.Kind.String()
	}
	if s.Title == "" {
		s.Title = "before the first heading"
	}
	if before.Text == after.Text {
		return s
	}
	had, has := before.Entries(), after.Entries()
	removed, added := less(had, has), less(has, had)
	s.Reordered = reordered(had, has)
	was, is := prose(removed), prose(added)
	if was+is != "" {
		s.Prose = &Reworded{Before: was, After: is}
	}
	s.compare(slices.DeleteFunc(removed, isProse), slices.DeleteFunc(added, isProse))
	return s
}

// compare adds the entries that were removed or added. If a removed and an added entry have the same subject, such as
// one decision, it adds them as one entry that was reworded.
func (s *Section) compare(removed, added []merge.Entry) {
	about := map[string]int{} // by subject, the index of the first added entry
	for i, e := range slices.Backward(added) {
		about[subject(e)] = i
	}
	paired := map[int]bool{}
	for _, r := range removed {
		i, found := about[subject(r)]
		if !found || subject(r) == "" || paired[i] {
			s.Removed = append(s.Removed, r.Text)
			continue
		}
		a := added[i]
		paired[i] = true
		s.Reworded = append(s.Reworded, Reworded{r.Text, a.Text, a.Struck && !r.Struck})
	}
	for i, e := range added {
		if !paired[i] {
			s.Added = append(s.Added, e.Text)
		}
	}
}

// deltas compares the deltas of two versions, by their times.
func deltas(before, after []merge.Part) Section {
	entries := func(parts []merge.Part) (all []merge.Entry) {
		for _, p := range parts {
			all = append(all, merge.Entry{Key: p.Key + "\n" + p.Text, Text: strings.TrimSpace(p.Title + "\n" + p.Text),
				What: "delta " + p.Key})
		}
		return all
	}
	s := Section{Name: "deltas", Title: "Deltas"}
	had, has := entries(before), entries(after)
	s.compare(less(had, has), less(has, had))
	return s
}

// less returns the entries of a that b does not have. If an entry occurs several times, the
// occurrences are counted.
func less(a, b []merge.Entry) []merge.Entry {
	have := map[string]int{}
	for _, e := range b {
		have[e.Key]++
	}
	var rest []merge.Entry
	for _, e := range a {
		have[e.Key]--
		if have[e.Key] < 0 {
			rest = append(rest, e)
		}
	}
	return rest
}

// reordered reports whether the list items that both sides have are in another order.
func reordered(a, b []merge.Entry) bool {
	keys := func(of, other []merge.Entry) []string {
		have := map[string]bool{}
		for _, e := range other {
			have[e.Key] = true
		}
		var all []string
		for _, e := range of {
			if have[e.Key] && !e.Block {
				all = append(all, e.Key)
				have[e.Key] = false
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

// subject returns what an entry is about: the question of a decision, or the file of a table row. It is
// empty for other entries.
func subject(e merge.Entry) string {
	switch {
	case e.What != "":
		return "what " + e.What
	case len(e.Cells) > 1:
		return "row " + e.Cells[0]
	}
	return ""
}
