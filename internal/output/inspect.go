package output

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/progress/inspect"
	"example.com/ckpt/internal/text"
)

// Details says everything there is to know of a checkpoint, as Markdown.
func (p Text) Details(d *inspect.Details) error {
	p.printf("## %s\n\n", d.ID)
	p.head(d)
	p.progress(d)
	if len(d.Decisions) > 0 {
		p.printf("\n### Decisions Made\n\n")
		for i, text := range d.Decisions {
			p.printf("%d. %s\n", i+1, strings.ReplaceAll(text, "\n", "\n   "))
		}
	}
	p.groups(d)
	if d.Unsaid == "" {
		snapshot, err := value.Indented(d.Snapshot)
		if err != nil {
			return fault.New(fault.Failed, "%s as JSON: %w", d.ID, err)
		}
		p.printf("\n### State Snapshot\n\n```json\n%s```\n", string(snapshot))
	} else {
		p.remark("no state snapshot: " + d.Unsaid)
	}
	p.lineage(d)
	p.past(d)
	return p.done()
}

// head is the frontmatter by the names that people have for it, other keys last.
func (p Text) head(d *inspect.Details) {
	said := func(name, value string) {
		if value = strings.Join(strings.Fields(value), " "); value != "" {
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
		{"name", "Name"}, {"project", "Project"}, {"workflow", "Workflow"}, {"phase", "Phase"}, {"step", "Step"}, {"progress", "Progress"},
		{"agent", "Agent"}, {"session", "Session"}, {"trigger", "Trigger"}, {"tokens_used", "Tokens used"}, {"anchor", "Anchor"}, {"base", "Base"},
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

// progress is what is completed, under way and pending.
func (p Text) progress(d *inspect.Details) {
	s := d.Standing
	share := ""
	if s.Percent >= 0 {
		share = fmt.Sprintf(" (%d%%)", s.Percent)
	}
	for _, part := range []struct {
		title, mark string
		status      progress.Status
	}{{"Completed", "x", progress.Completed}, {"In Progress" + share, " ", progress.InProgress}, {"Pending", " ", progress.Pending}} {
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

// groups are the files by folder.
func (p Text) groups(d *inspect.Details) {
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

// lineage is the parent and the children.
func (p Text) lineage(d *inspect.Details) {
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

// past is how large the file is, and how it came to be.
func (p Text) past(d *inspect.Details) {
	p.printf("\n### Size and History\n\n- Size: %s, %s, about %s\n", text.Count(d.Size.Bytes, "byte"), text.Count(d.Size.Lines, "line"), text.Count(d.Size.Tokens, "token"))
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
	p.printf("- Versions: %d, from %s (%s) to %s (%s): ckpt log %s\n", n, oldest.Short(), minute(oldest.Time), newest.Short(), minute(newest.Time), d.ID)
}
