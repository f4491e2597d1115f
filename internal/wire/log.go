package wire

import (
	"fmt"
	"path"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/history/revisions"
)

// Log is the answer of `ckpt log`, the newest version first.
type Log struct {
	Head
	ID       string   `json:"id"`
	Edited   bool     `json:"edited"`
	Older    int      `json:"older"` // versions that --limit left out
	Versions []Change `json:"versions"`
}

// Past is a version: a checkpoint as one commit left it.
type Past struct {
	Commit  string `json:"commit"`
	Time    string `json:"time"`
	Author  string `json:"author"`
	Email   string `json:"email"`
	Op      string `json:"op,omitempty"` // none for a commit by other means
	Subject string `json:"subject"`
	Path    string `json:"path"`
	Blob    string `json:"blob,omitempty"`
	Gone    bool   `json:"gone,omitempty"`
	Pending string `json:"pending,omitempty"`
	Cut     bool   `json:"cut,omitempty"`
	Missing bool   `json:"missing,omitempty"`
}

// Change is a version and what it changed.
type Change struct {
	Past
	Version string `json:"version"` // its name: ID@{n}
	Words   string `json:"words"`
	Changed *Diff  `json:"changed,omitempty"`
}

// Diff is what changed between two versions.
type Diff struct {
	Fields   []ChangedField   `json:"fields"`
	Sections []ChangedSection `json:"sections"`
	Spacing  bool             `json:"spacing,omitempty"`
}

// ChangedField is a frontmatter key that changed.
type ChangedField struct {
	Key    string `json:"key"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// ChangedSection is a section that changed.
type ChangedSection struct {
	Name      string     `json:"name,omitempty"`
	Title     string     `json:"title"`
	Added     []string   `json:"added"`
	Removed   []string   `json:"removed"`
	Reworded  []Reworded `json:"reworded"`
	Prose     *Reworded  `json:"prose,omitempty"`
	Reordered bool       `json:"reordered,omitempty"`
}

// Reworded is one thing said in two ways.
type Reworded struct {
	Before string `json:"before"`
	After  string `json:"after"`
	Struck bool   `json:"struck,omitempty"`
}

// FromLog is the answer that holds a log of the folder.
func FromLog(l *revisions.Log, folder string) Log {
	w := Log{head("log"), l.ID, l.Edited, l.Older, []Change{}}
	for n, c := range l.Changes {
		w.Versions = append(w.Versions, Change{fromVersion(c.Version, folder), fmt.Sprintf("%s@{%d}", l.ID, n), c.Words(), fromDiff(c.Diff)})
	}
	return w
}

// FromPast is the answer that holds a checkpoint as it was in a version.
func FromPast(c *checkpoint.Checkpoint, only *checkpoint.Section, v revisions.Version, folder string) Checkpoint {
	w, at := FromCheckpoint(c, only, folder), fromVersion(v, folder)
	w.At = &at
	return w
}

// Comparison is the answer of `ckpt diff`.
type Comparison struct {
	Head
	ID      string `json:"id"`
	From    Past   `json:"from"`
	To      *Past  `json:"to,omitempty"` // none: the file as it is now
	Words   string `json:"words"`
	Changed *Diff  `json:"changed"`
}

// FromComparison is the answer that holds a comparison of two versions.
func FromComparison(c *revisions.Comparison, folder string) Comparison {
	w := Comparison{Head: head("diff"), ID: c.ID, From: fromVersion(c.From, folder), Words: c.Diff.Words(), Changed: fromDiff(c.Diff)}
	if c.To != nil {
		to := fromVersion(*c.To, folder)
		w.To = &to
	}
	return w
}

// Fork is the answer of `ckpt diff --parent`.
type Fork struct {
	Head
	ID       string   `json:"id"`
	Parent   string   `json:"parent"`
	Since    *Past    `json:"since,omitempty"` // the parent as the fork found it, where that is known
	Own      *Diff    `json:"own"`             // what the fork changed of what it was given
	Gained   *Diff    `json:"gained"`          // what the parent has gained since, and the fork lacks
	Warnings []string `json:"warnings,omitempty"`
}

// FromFork is the answer that holds a fork beside its parent.
func FromFork(f *revisions.Fork, folder string) Fork {
	w := Fork{Head: head("fork"), ID: f.ID, Parent: f.Parent, Own: fromDiff(f.Own), Gained: fromDiff(f.Gained), Warnings: f.Remarks}
	if f.Since != nil {
		since := fromVersion(*f.Since, folder)
		w.Since = &since
	}
	return w
}

func fromVersion(v revisions.Version, folder string) Past {
	return Past{
		v.Commit, stamp(v.Time), v.Author, v.Email, v.Op, v.Subject, path.Join(folder, v.Path), v.Blob, v.Gone(), v.Pending, v.Cut, v.Missing,
	}
}

func fromDiff(d *revisions.Diff) *Diff {
	if d == nil {
		return nil
	}
	w := &Diff{[]ChangedField{}, []ChangedSection{}, d.Spacing}
	for _, f := range d.Fields {
		w.Fields = append(w.Fields, ChangedField(f))
	}
	for _, s := range d.Sections {
		c := ChangedSection{s.Name, s.Title, list(s.Added), list(s.Removed), []Reworded{}, nil, s.Reordered}
		for _, r := range s.Reworded {
			c.Reworded = append(c.Reworded, Reworded(r))
		}
		if s.Prose != nil {
			prose := Reworded(*s.Prose)
			c.Prose = &prose
		}
		w.Sections = append(w.Sections, c)
	}
	return w
}
