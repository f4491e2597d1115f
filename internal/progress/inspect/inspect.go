// Package inspect collects everything that ckpt knows about one checkpoint: the contents of its
// file, counted and sorted, its parent and children, and its versions in history.
package inspect

import (
	"bytes"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/edit/fold"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/token"
	"example.com/ckpt/internal/transfer/schema"
)

// Details is everything that ckpt knows about one checkpoint.
type Details struct {
	*checkpoint.Checkpoint
	At        *revisions.Version // the version that is described; nil for the present file
	File      string             // slash path from the repository's root
	Type      string             // the type of the workflow, if the file has it
	Snapshot  value.Object       // the state in the schema of workflow agents
	Unsaid    string             // why Snapshot is empty
	Standing  progress.Progress
	Decisions []string               // the live decisions
	Files     []checkpoint.FileGroup // the files of the artifact trail, including those of deltas
	Size      Size
	Sections  []Section

	Parent   *Relative // nil for a root
	Children []Relative
	Versions []revisions.Version // the newest first
}

// Size is the size of a text. Tokens are estimated.
type Size struct {
	Bytes  int `json:"bytes"`  // the size in UTF-8
	Lines  int `json:"lines"`  // the number of lines
	Tokens int `json:"tokens"` // an estimate
}

// Section is one section of the format, with its size.
type Section struct {
	Name  string `json:"name"` // the name in flags: "current-state"
	Title string `json:"-"`
	Size
}

// Relative is the parent or a child of the checkpoint.
type Relative struct {
	ID      string `json:"id"`
	Path    string `json:"path,omitempty"`
	At      string `json:"step,omitempty"` // the step, the phase or the name in its frontmatter
	Status  string `json:"status,omitempty"`
	Missing bool   `json:"missing,omitempty"` // no file has the id
}

// Of returns the details that are in the file. The caller adds lineage and versions.
func Of(c *checkpoint.Checkpoint) *Details {
	d := &Details{
		Checkpoint: c, Standing: progress.Of(c),
		Files: checkpoint.GroupFiles(fold.Artifacts(c)), Size: sizeOf(string(c.Doc.Bytes())),
	}
	for _, decision := range c.Decisions() {
		if decision.Live() {
			d.Decisions = append(d.Decisions, decision.Text)
		}
	}
	for _, p := range c.Sections() {
		if t := p.Kind.Template(); p.Kind != checkpoint.Essential {
			d.Sections = append(d.Sections, Section{Name: t.Name, Title: t.Title, Size: sizeOf(c.Doc.Text(p.Extent))})
		}
	}
	state, err := schema.Write(c, schema.Agent)
	if err != nil { // show the rest without the type and the snapshot
		d.Unsaid = err.Error()
		return d
	}
	if text, ok := value.Get(state.Object, "workflow_type"); ok {
		d.Type, _ = text.(string)
	}
	if inner, ok := value.Get(state.Object, "state"); ok {
		d.Snapshot, _ = inner.(value.Object)
	}
	return d
}

func sizeOf(text string) Size {
	lines := bytes.Count([]byte(text), []byte("\n"))
	if text != "" && text[len(text)-1] != '\n' {
		lines++
	}
	return Size{len(text), lines, token.Estimate(text)}
}
