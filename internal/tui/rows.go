package tui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/term"
)

// row is one line of the list: a checkpoint, or a file that cannot be read.
type row struct {
	path, title string
	rank        int // the rank in the list: current, active, unreadable, archived
	depth       int // the depth in the tree
	node        *lineage.Node
	unreadable  string // the reason if the file cannot be read
	changed     time.Time

	words string // the searchable text; empty until the first search
}

// The ranks of a list.
const (
	current = iota
	active
	unreadable
	archived
)

// rowsOf returns every checkpoint of a forest in the order of a tree, and then the files that
// cannot be read. It does not read the content of checkpoints.
func rowsOf(f *lineage.Forest) []row {
	var rows []row
	for depth, n := range f.Walk() {
		c := n.Checkpoint
		r := row{path: c.Path, title: term.Plain(c.ID), depth: depth, node: n, rank: active, changed: c.Changed()}
		switch c.Status() {
		case checkpoint.Current:
			r.rank = current
		case checkpoint.Archived:
			r.rank = archived
		}
		rows = append(rows, r)
	}
	for _, b := range f.Broken {
		rows = append(rows, row{path: b.Path, title: oneLine(b.Path), rank: unreadable, unreadable: oneLine(b.Err.Error())})
	}
	return rows
}

// latest returns the order of the list as indexes: the current checkpoint, the active ones, files
// that cannot be read, the archive; within each group the last changed first.
func latest(rows []row) []int {
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &rows[i], &rows[j]
		return cmp.Or(cmp.Compare(a.rank, b.rank), b.changed.Compare(a.changed), cmp.Compare(a.title, b.title),
			cmp.Compare(a.path, b.path))
	})
	return order
}

// holds reports whether the row contains all words: in its id, path and state, and once they
// are known in its first sentence and next action.
func (r *row) holds(words []string) bool {
	if len(words) == 0 {
		return true
	}
	text := r.words
	if text == "" {
		text = r.name()
	}
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
}

func (r *row) name() string { return strings.ToLower(r.path + " " + r.title + " " + r.state()) }

// wordsOf returns the searchable words of each row. It takes a while, since it parses every
// body.
func wordsOf(rows []row) []string {
	words := make([]string, len(rows))
	for i := range rows {
		words[i] = rows[i].name()
		if n := rows[i].node; n != nil {
			words[i] += " " + strings.ToLower(n.Checkpoint.Headline()+" "+n.Checkpoint.FirstAction())
		}
	}
	return words
}

func (r *row) state() string {
	if r.node == nil {
		return "unreadable"
	}
	return string(r.node.Checkpoint.Status())
}

// day returns the day of the last change, or "" if that is not known.
func (r *row) day() string {
	if r.changed.IsZero() {
		return ""
	}
	return r.changed.Format("2006-01-02")
}

func (r *row) symbol() string { return checkpoint.Status(r.state()).Symbol() }

// problems describes what is wrong with the row's place in the lineage or with its file.
func (r *row) problems() []string {
	if r.node == nil {
		return []string{"unreadable: " + r.unreadable}
	}
	var all []string
	for _, p := range r.node.Problems {
		all = append(all, oneLine(p.String()))
	}
	return all
}

func oneLine(text string) string { return strings.Join(strings.Fields(term.Plain(text)), " ") }
