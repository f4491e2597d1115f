package tui

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/term"
)

// row is one entry of the list: a checkpoint, or a file that cannot be read.
type row struct {
	path, title string
	rank        int // the rank in the list: current, active, unreadable, archived
	depth       int // the depth in the tree
	node        *lineage.Node
	unreadable  string // the reason if the file cannot be read
	changed     time.Time
	words       string // the searchable text: path, id, state and the file, in lower case
}

// The ranks, in the order of the list.
const (
	current = iota
	active
	unreadable
	archived
)

// FilterValue implements list.Item. The browser filters rows itself.
func (r *row) FilterValue() string { return r.title }

// rowsOf returns every checkpoint of a forest in the order of a tree, and then the files that
// cannot be read.
func rowsOf(f *lineage.Forest) []*row {
	rows := []*row{}
	for depth, n := range f.Walk() {
		c := n.Checkpoint
		r := &row{path: c.Path, title: term.Plain(c.ID), depth: depth, node: n, rank: active, changed: c.Changed()}
		switch c.Status() {
		case checkpoint.Current:
			r.rank = current
		case checkpoint.Archived:
			r.rank = archived
		}
		rows = append(rows, r)
	}
	for _, b := range f.Broken {
		rows = append(rows, &row{path: b.Path, title: oneLine(b.Path), rank: unreadable, unreadable: oneLine(b.Err.Error())})
	}
	for _, r := range rows {
		r.words = strings.ToLower(r.path + " " + r.title + " " + r.state())
		if r.node != nil {
			r.words += "\n" + string(bytes.ToLower(r.node.Checkpoint.Doc.Bytes()))
		}
	}
	return rows
}

// latest returns the rows in the order of the list: the current checkpoint, the active ones, files
// that cannot be read, the archive; within each group the last changed first.
func latest(rows []*row) []*row {
	order := slices.Clone(rows)
	slices.SortStableFunc(order, func(a, b *row) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), b.changed.Compare(a.changed), cmp.Compare(a.title, b.title),
			cmp.Compare(a.path, b.path))
	})
	return order
}

// id returns the name by which commands find the checkpoint.
func (r *row) id() string {
	if r.node == nil || len(r.node.Problems) > 0 { // another file may have the same id
		return r.path
	}
	return r.node.Checkpoint.ID
}

// summarize returns what a list shows of a row: the problem, or why the file cannot be read; the first next
// action, or of an archived checkpoint the outcome; and the number of deltas.
func (r *row) summarize() (problem, next string, deltas int) {
	if r.node == nil {
		return r.unreadable, "", 0
	}
	c := r.node.Checkpoint
	next = c.FirstAction()
	if r.rank == archived {
		next = c.Outcome()
	}
	return oneLine(c.Headline()), oneLine(next), c.DeltaCount()
}

func (r *row) state() string {
	if r.node == nil {
		return "unreadable"
	}
	return string(r.node.Checkpoint.Status())
}

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
