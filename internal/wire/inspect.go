package wire

import (
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/progress/inspect"
)

// Inspection is what `ckpt inspect` says besides what `ckpt show` does.
type Inspection struct {
	Type       string       `json:"type,omitempty"` // of the workflow
	Completed  []string     `json:"completed"`
	InProgress []string     `json:"in_progress"`
	Pending    []string     `json:"pending"`
	Percent    *int         `json:"percent,omitempty"` // none where nothing says
	Counted    bool         `json:"counted,omitempty"` // the percentage is that of the items
	Snapshot   value.Object `json:"state_snapshot"`    // null where the file's further fields cannot be read
	Files      []FileGroup  `json:"files"`
	Lineage    Lineage      `json:"lineage"`
	Size       TextSize     `json:"size"`
	Sections   []NamedSize  `json:"sections"`
	Versions   VersionRange `json:"versions"`
}

// FileGroup is the files of one folder that end alike.
type FileGroup struct {
	Pattern string     `json:"pattern"`
	Count   int        `json:"count"`
	Files   []Artifact `json:"files"`
}

// Lineage is where a checkpoint was forked from, and what from it.
type Lineage struct {
	Parent   *Relative  `json:"parent"` // null for a root
	Children []Relative `json:"children"`
}

// Relative is a parent or a child.
type Relative struct {
	ID      string `json:"id"`
	Path    string `json:"path,omitempty"`
	Step    string `json:"step,omitempty"`
	Status  string `json:"status,omitempty"`
	Missing bool   `json:"missing,omitempty"` // no file has the id
}

// TextSize is how large a text is; tokens are estimated.
type TextSize struct {
	Bytes  int `json:"bytes"`
	Lines  int `json:"lines"`
	Tokens int `json:"tokens"`
}

// NamedSize is how large a section is.
type NamedSize struct {
	Name string `json:"name"`
	TextSize
}

// VersionRange is how many versions history has, with the newest and the oldest.
type VersionRange struct {
	Count  int   `json:"count"`
	Newest *Past `json:"newest,omitempty"`
	Oldest *Past `json:"oldest,omitempty"`
}

// FromDetails is the answer of `ckpt show` with all that `ckpt inspect` knows.
func FromDetails(d *inspect.Details, folder string) Checkpoint {
	w := FromCheckpoint(d.Checkpoint, nil, folder)
	s := d.Standing
	more := &Inspection{
		Type: d.Type, Completed: list(s.With(progress.Completed)), InProgress: list(s.With(progress.InProgress)), Pending: list(s.With(progress.Pending)), Counted: s.Counted,
		Snapshot: d.Snapshot, Files: []FileGroup{}, Lineage: Lineage{Children: []Relative{}}, Size: TextSize(d.Size), Sections: []NamedSize{},
		Versions: VersionRange{Count: len(d.Versions)},
	}
	if s.Percent >= 0 {
		more.Percent = &s.Percent
	}
	for _, g := range d.Files {
		more.Files = append(more.Files, FileGroup{g.Pattern, len(g.Files), artifacts(g.Files)})
	}
	if d.Parent != nil {
		parent := relativeOf(*d.Parent)
		more.Lineage.Parent = &parent
	}
	for _, r := range d.Children {
		more.Lineage.Children = append(more.Lineage.Children, relativeOf(r))
	}
	for _, s := range d.Sections {
		more.Sections = append(more.Sections, NamedSize{s.Name, TextSize(s.Size)})
	}
	if n := len(d.Versions); n > 0 {
		newest, oldest := fromVersion(d.Versions[0], folder), fromVersion(d.Versions[n-1], folder)
		more.Versions.Newest, more.Versions.Oldest = &newest, &oldest
	}
	w.Details = more
	return w
}

func relativeOf(r inspect.Relative) Relative {
	return Relative{r.ID, r.Path, r.At, r.Status, r.Missing}
}
