package wire

import (
	"path"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/lineage"
)

// Checkpoint is the answer of `ckpt show`.
type Checkpoint struct {
	Head
	ID        string            `json:"id"`
	Path      string            `json:"path"`
	Status    string            `json:"status"`
	Fields    map[string]string `json:"fields"`
	Sections  []Section         `json:"sections"`
	Decisions []Decision        `json:"decisions"`
	Next      []Action          `json:"next"`
	Artifacts []Artifact        `json:"artifacts"`
	Deltas    []Delta           `json:"deltas"`
	Learnings []string          `json:"learnings,omitempty"`
	At        *Past             `json:"at,omitempty"` // where it is shown as it was
	Details   *Inspection       `json:"details,omitempty"`
}

// Section is one section that the format knows.
type Section struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Line  int    `json:"line"`
	Text  string `json:"text"`
}

// Decision is one decision; a struck one is no longer live.
type Decision struct {
	What   string `json:"what"`
	Why    string `json:"why,omitempty"`
	Struck bool   `json:"struck"`
	Aside  string `json:"aside,omitempty"` // the subheading it is below, if that says it is not decided
}

// Action is one next action.
type Action struct {
	Text string `json:"text"`
	Done bool   `json:"done"`
}

// Artifact is one row of an artifact table.
type Artifact struct {
	File   string `json:"file"`
	Action string `json:"action"`
	Change string `json:"change,omitempty"`
}

// Transition is one row of Status Transitions.
type Transition struct {
	Item   string `json:"item"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Delta is one delta.
type Delta struct {
	Time        string       `json:"time"`
	Changed     string       `json:"what_changed"`
	Artifacts   []Artifact   `json:"artifacts"`
	Transitions []Transition `json:"transitions,omitempty"`
}

// FromCheckpoint is the answer that holds a checkpoint of the folder; only names
// the one section that is asked for, nil for all.
func FromCheckpoint(c *checkpoint.Checkpoint, only *checkpoint.Section, folder string) Checkpoint {
	w := Checkpoint{
		Head: head("checkpoint"), ID: c.ID, Path: path.Join(folder, c.Path), Status: string(c.Status()), Fields: map[string]string{},
		Sections: []Section{}, Decisions: []Decision{}, Next: []Action{}, Artifacts: artifacts(c.Artifacts()), Deltas: []Delta{},
		Learnings: c.Learnings(),
	}
	for _, f := range c.Doc.Front.Fields {
		w.Fields[f.Key] = f.Value
	}
	for _, p := range c.Sections() {
		if t := p.Kind.Template(); p.Kind != checkpoint.Essential && (only == nil || only.Kind == p.Kind) {
			w.Sections = append(w.Sections, Section{t.Name, p.Section.Title, c.Doc.Line(p.Section.Heading.Start), c.Doc.Text(p.Extent)})
		}
	}
	if only != nil && !only.Known() {
		w.Sections = append(w.Sections, Section{only.Name(), only.Title, c.Doc.Line(only.Heading.Start), c.Doc.Text(only.Extent)})
	}
	for _, d := range c.Decisions() {
		w.Decisions = append(w.Decisions, Decision{d.What, d.Why, d.Struck, d.Aside})
	}
	for _, a := range c.Actions() {
		w.Next = append(w.Next, Action{a.Text, a.Done})
	}
	for _, d := range c.Deltas() {
		delta := Delta{Time: d.Stamp, Changed: d.Changed, Artifacts: artifacts(d.Artifacts)}
		for _, t := range d.Transitions {
			delta.Transitions = append(delta.Transitions, Transition(t))
		}
		w.Deltas = append(w.Deltas, delta)
	}
	return w
}

func artifacts(all []checkpoint.Artifact) []Artifact {
	list := []Artifact{}
	for _, a := range all {
		list = append(list, Artifact(a))
	}
	return list
}

// Tree is the answer of `ckpt tree`.
type Tree struct {
	Head
	Roots      []Node       `json:"roots"`
	Unreadable []Unreadable `json:"unreadable,omitempty"`
	Warnings   []string     `json:"warnings,omitempty"`
}

// Node is a checkpoint with what was forked from it, oldest first.
type Node struct {
	ID       string    `json:"id"`
	Path     string    `json:"path"`
	Status   string    `json:"status"`
	Created  string    `json:"created,omitempty"`
	Skipped  bool      `json:"skipped,omitempty"` // filtered out, shown for what is below
	Problems []Problem `json:"problems,omitempty"`
	Children []Node    `json:"children"`

	Branches []string `json:"branches,omitempty"` // that have it, where the one checked out lacks it
	Worktree string   `json:"worktree,omitempty"` // the folder that has the first of them checked out
}

// Problem is what is wrong with a place in the lineage.
type Problem struct {
	Kind    string   `json:"kind"`
	Names   []string `json:"names"`
	Message string   `json:"message"`
}

// Unreadable is a file that cannot be read.
type Unreadable struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// FromForest is the answer that holds the lineage of the folder.
func FromForest(f *lineage.Forest, folder string) Tree {
	w := Tree{Head: head("tree"), Roots: nodes(f.Roots, folder), Warnings: f.Warnings}
	for _, b := range f.Broken {
		w.Unreadable = append(w.Unreadable, Unreadable{path.Join(folder, b.Path), b.Err.Error()})
	}
	return w
}

func nodes(all []*lineage.Node, folder string) []Node {
	list := []Node{}
	for _, n := range all {
		c := n.Checkpoint
		node := Node{c.ID, path.Join(folder, c.Path), string(c.Status()), stamp(c.Created()), n.Skipped, nil, nodes(n.Children, folder), branchesOf(n.On), worktreeOf(n.On)}
		for _, p := range n.Problems {
			node.Problems = append(node.Problems, Problem{p.Kind.String(), p.Names, p.String()})
		}
		list = append(list, node)
	}
	return list
}
