package output

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/progress/inspect"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/transfer/schema"
)

// Shown is a checkpoint for `ckpt show`.
type Shown struct {
	*checkpoint.Checkpoint
	Only []checkpoint.Section // the only sections to show, all of one name; nil for all
	At   *revisions.Version   // the version that is shown; nil for the present file
}

// Checkpoint prints the file or one section.
func Checkpoint(p *Printer, c Shown) {
	if c.At != nil {
		p.remark(c.ID + " as of " + p.asOf(*c.At) + ": " + c.At.Subject)
	}
	if c.Only == nil {
		p.raw(string(c.Doc.Bytes()))
		return
	}
	var texts []string
	for _, s := range c.Only {
		if text := c.Doc.Text(s.Extent); text != "" {
			texts = append(texts, text+"\n")
		}
	}
	if len(texts) == 0 {
		p.remark(c.Only[0].String() + " is empty in " + c.ID)
	}
	p.raw(strings.Join(texts, "\n"))
}

// Details prints everything that is known about a checkpoint, as Markdown.
func Details(p *Printer, d *inspect.Details) {
	p.printf("## %s\n\n", d.ID)
	printHead(p, d)
	printProgress(p, d)
	if len(d.Decisions) > 0 {
		p.printf("\n### Decisions Made\n\n")
		for i, text := range d.Decisions {
			p.printf("%d. %s\n", i+1, strings.ReplaceAll(text, "\n", "\n   "))
		}
	}
	printGroups(p, d)
	if d.Unsaid == "" {
		snapshot, _ := value.Indented(d.Snapshot) // no error: the value was made from JSON
		p.printf("\n### State Snapshot\n\n```json\n%s```\n", string(snapshot))
	} else {
		p.remark("no state snapshot: " + d.Unsaid)
	}
	printLineage(p, d)
	printHistory(p, d)
}

// printHead prints the frontmatter with readable names; unknown keys come last.
func printHead(p *Printer, d *inspect.Details) {
	said := func(name, value string) {
		value = text.OneLine(value)
		if value != "" {
			p.printf("**%s**: %s\n", name, value)
		}
	}
	said("Created", cmp.Or(second(d.Created()), d.Field("created")))
	if t, ok := checkpoint.ParseTime(d.Field("last_delta")); ok {
		said("Last delta", second(t))
	}
	said("Status", string(d.Status()))
	said("Outcome", text.FirstLine(d.Outcome()))
	said("File", d.File)
	said("Type", d.Type)
	known := []string{"checkpoint", "created", "last_delta", "status", "parent"}
	for _, f := range [][2]string{
		{"name", "Name"}, {"project", "Project"}, {"workflow", "Workflow"}, {"phase", "Phase"}, {"step",
			"Step"}, {"progress", "Progress"},
		{"agent", "Agent"}, {"session", "Session"}, {"trigger", "Trigger"}, {"tokens_used", "Tokens used"}, {"anchor",
			"Anchor"}, {"base", "Base"},
	} {
		value := d.Field(f[0])
		if share := d.Standing.Share(); f[0] == "progress" && value == "" && share != "" {
			value = fmt.Sprintf("%s (%d%%)", share, d.Standing.Percent)
		}
		said(f[1], value)
		known = append(known, f[0])
	}
	for _, f := range d.Doc.Front.Fields {
		if !slices.Contains(known, f.Key) {
			said(f.Key, f.Value)
		}
	}
}

func second(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05") + " UTC"
}

// printProgress prints the items that are completed, in progress and pending.
func printProgress(p *Printer, d *inspect.Details) {
	s := d.Standing
	share := ""
	if s.Percent >= 0 {
		share = fmt.Sprintf(" (%d%%)", s.Percent)
	}
	for _, part := range []struct {
		title, mark string
		status      progress.Status
	}{{"Completed", "x", progress.Completed}, {"In Progress" + share, " ", progress.InProgress}, {"Pending", " ",
		progress.Pending}} {
		items := s.With(part.status)
		if len(items) == 0 {
			continue
		}
		p.printf("\n### %s\n\n", part.title)
		for _, item := range items {
			p.printf("- [%s] %s\n", part.mark, item)
		}
	}
}

// printGroups prints the files by folder.
func printGroups(p *Printer, d *inspect.Details) {
	n := 0
	for _, g := range d.Files {
		n += len(g.Files)
	}
	if n == 0 {
		return
	}
	p.printf("\n### Files (%d)\n\n", n)
	for _, g := range d.Files {
		gone := ""
		if deleted := g.Deleted(); deleted > 0 && len(g.Files) > 1 {
			gone = fmt.Sprintf(", %d deleted", deleted)
		}
		if len(g.Files) == 1 {
			p.printf("- %s (%s)\n", g.Pattern, g.Files[0].Action)
		} else {
			p.printf("- %s (%d files%s)\n", g.Pattern, len(g.Files), gone)
		}
	}
}

// printLineage prints the parent and the children.
func printLineage(p *Printer, d *inspect.Details) {
	p.printf("\n### Lineage\n\n")
	parent := "none (a root)"
	if d.Parent != nil {
		parent = kin(*d.Parent)
	}
	p.printf("- Parent: %s\n", parent)
	var children []string
	for _, r := range d.Children {
		children = append(children, kin(r))
	}
	if len(children) == 0 {
		children = []string{"none (latest)"}
	}
	p.printf("- Children: %s\n", strings.Join(children, ", "))
}

func kin(r inspect.Relative) string {
	switch {
	case r.Missing:
		return r.ID + " (no file has this id)"
	case r.At != "":
		return r.ID + " (" + r.At + ")"
	}
	return r.ID + " (" + r.Status + ")"
}

// printHistory prints the size of the file, its deltas and its versions.
func printHistory(p *Printer, d *inspect.Details) {
	p.printf("\n### Size and History\n\n- Size: %s, %s, about %s\n", text.Count(d.Size.Bytes, "byte"),
		text.Count(d.Size.Lines, "line"), text.Count(d.Size.Tokens, "token"))
	for _, s := range d.Sections {
		if s.Size.Bytes == 0 {
			continue
		}
		p.printf("  - %s: %s, about %s\n", s.Title, text.Count(s.Size.Bytes, "byte"), text.Count(s.Size.Tokens, "token"))
	}
	deltas := d.Deltas()
	p.printf("- Deltas: %d\n", len(deltas))
	for _, delta := range deltas {
		p.printf("  - %s: %s\n", delta.Stamp, shorten(text.FirstLine(delta.Changed), 100))
	}
	n := len(d.Versions)
	if n == 0 {
		p.printf("- Versions: none: no commit has it yet (ckpt save)\n")
		return
	}
	newest, oldest := d.Versions[0], d.Versions[n-1]
	p.printf("- Versions: %d, from %s (%s) to %s (%s): ckpt log %s\n", n, oldest.Short(), minute(oldest.Time),
		newest.Short(), minute(newest.Time), d.ID)
}

// Export writes the JSON of the schema and nothing else. Characters that could control a terminal
// are escaped.
func Export(p *Printer, e *schema.Export) {
	src, _ := value.Indented(e.Object) // no error: the value was made from JSON
	_, _ = p.out.Write(src)
}

// Site prints where the site is, or with a dry run the files it would have.
func Site(p *Printer, s *result.Site) {
	if s.DryRun {
		for _, name := range s.Files {
			p.printf("%s\n", path.Join(s.Folder, name))
		}
		p.remark("dry run: nothing was written")
	} else {
		p.printf("exported %s to %s\n", text.Count(s.Checkpoints, "checkpoint"), path.Join(s.Folder, "index.html"))
	}
	p.remark(s.Warnings...)
}

// checkpointJSON is the answer of `ckpt show`, with details for --details.
type checkpointJSON struct {
	ID        string                           `json:"id"`
	Path      string                           `json:"path"`
	Status    string                           `json:"status"`
	Fields    map[string]string                `json:"fields"`              // the keys of the frontmatter with their values
	Sections  result.List[sectionJSON]         `json:"sections"`            // the sections
	Decisions result.List[checkpoint.Decision] `json:"decisions"`           // the decisions
	Next      result.List[checkpoint.Action]   `json:"next"`                // the next actions
	Artifacts result.List[checkpoint.Artifact] `json:"artifacts"`           // the rows of the Artifact Trail
	Deltas    result.List[deltaJSON]           `json:"deltas"`              // the deltas
	Learnings []string                         `json:"learnings,omitempty"` // the learnings of an archived checkpoint
	At        *versionJSON                     `json:"at,omitempty"`        // the version that --at names
	// The facts that --details computes from the file and its history.
	Details *detailsJSON `json:"details,omitempty"`
}

type sectionJSON struct {
	Name  string `json:"name"`  // the name in flags: "decisions"
	Title string `json:"title"` // the heading
	Line  int    `json:"line"`
	Text  string `json:"text"` // the Markdown below the heading
}

type deltaJSON struct {
	Time        string                           `json:"time"`                  // the time in the heading, as it is written
	Changed     string                           `json:"what_changed"`          // what changed
	Artifacts   result.List[checkpoint.Artifact] `json:"artifacts"`             // the files that the delta names
	Transitions []checkpoint.Transition          `json:"transitions,omitempty"` // the changes of status
}

func checkpointOf(c Shown, folder Folder) checkpointJSON {
	w := checkpointJSON{
		ID: c.ID, Path: path.Join(folder.Files, c.Path), Status: string(c.Status()), Fields: map[string]string{},
		Decisions: c.Decisions(), Next: c.Actions(), Artifacts: c.Artifacts(), Learnings: c.Learnings(),
	}
	for _, f := range c.Doc.Front.Fields {
		w.Fields[f.Key] = f.Value
	}
	sections := c.Only
	if sections == nil {
		sections = c.Sections()
	}
	for _, s := range sections {
		if s.Kind != checkpoint.Essential && s.Heading.Len() > 0 {
			w.Sections = append(w.Sections, sectionJSON{
				Name: s.Name(), Title: s.Title, Line: c.Doc.Line(s.Heading.Start), Text: c.Doc.Text(s.Extent),
			})
		}
	}
	for _, d := range c.Deltas() {
		w.Deltas = append(w.Deltas, deltaJSON{Time: d.Stamp, Changed: d.Changed, Artifacts: d.Artifacts,
			Transitions: d.Transitions})
	}
	if c.At != nil {
		w.At = versionOf(c.At, folder)
	}
	return w
}

// detailsJSON has the members that --details adds.
type detailsJSON struct {
	Type       string              `json:"type,omitempty"`    // the type of the workflow
	Completed  result.List[string] `json:"completed"`         // the steps that are done
	InProgress result.List[string] `json:"in_progress"`       // the steps that were begun
	Pending    result.List[string] `json:"pending"`           // the steps that are left
	Percent    *int                `json:"percent,omitempty"` // the percentage that is done; absent if it is unknown
	Counted    bool                `json:"counted,omitempty"` // the percentage was computed from the items
	// The state in the schema agent. It is null if JSON that was saved in the file is invalid.
	Snapshot value.Object           `json:"state_snapshot"`
	Files    result.List[groupJSON] `json:"files"` // the files of the Artifact Trail in groups
	Lineage  struct {
		Parent   *inspect.Relative             `json:"parent"`   // null for a root
		Children result.List[inspect.Relative] `json:"children"` // the forks of the checkpoint
	} `json:"lineage"` // the parent and the children
	Size     inspect.Size                 `json:"size"`     // the size of the file
	Sections result.List[inspect.Section] `json:"sections"` // the size of each section
	Versions struct {
		Count  int          `json:"count"`            // how many versions git has
		Newest *versionJSON `json:"newest,omitempty"` // the newest version
		Oldest *versionJSON `json:"oldest,omitempty"` // the oldest version
	} `json:"versions"` // the versions that git has
}

type groupJSON struct {
	Pattern string                           `json:"pattern"` // a pattern that matches the files: "login/*.py"
	Count   int                              `json:"count"`   // the number of files
	Files   result.List[checkpoint.Artifact] `json:"files"`   // the files
}

func detailsOf(d *inspect.Details, folder Folder) checkpointJSON {
	s := d.Standing
	w := &detailsJSON{
		Type: d.Type, Completed: s.With(progress.Completed), InProgress: s.With(progress.InProgress),
		Pending: s.With(progress.Pending),
		Counted: s.Counted, Snapshot: d.Snapshot, Size: d.Size, Sections: d.Sections,
	}
	if s.Percent >= 0 {
		w.Percent = &s.Percent
	}
	for _, g := range d.Files {
		w.Files = append(w.Files, groupJSON{Pattern: g.Pattern, Count: len(g.Files), Files: g.Files})
	}
	w.Lineage.Parent, w.Lineage.Children = d.Parent, d.Children
	n := len(d.Versions)
	w.Versions.Count = n
	if n > 0 {
		w.Versions.Newest, w.Versions.Oldest = versionOf(&d.Versions[0], folder), versionOf(&d.Versions[n-1], folder)
	}
	all := checkpointOf(Shown{Checkpoint: d.Checkpoint, At: d.At}, folder)
	all.Details = w
	return all
}
