package importing

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// bank lists the files of a memory bank in their reading order.
var bank = []struct {
	stem string
	home checkpoint.Kind // the section of text whose heading names no section
	only bool            // all text except decisions belongs to home
}{
	{"projectbrief", checkpoint.Intent, false},
	{"productcontext", checkpoint.Problem, false},
	{"activecontext", nowhere, false},
	{"systempatterns", checkpoint.Context, true},
	{"techcontext", checkpoint.Context, true},
	{"progress", nowhere, false},
}

// rankOf returns the index of a file in bank. It returns len(bank) if bank does not have the file or
// the file is in a folder.
func rankOf(name string) int {
	stem := strings.ToLower(strings.TrimSuffix(name, path.Ext(name)))
	stem = strings.NewReplacer("_", "", "-", "", " ", "").Replace(stem)
	for i, b := range bank {
		if b.stem == stem {
			return i
		}
	}
	return len(bank)
}

// IsBank reports whether a folder with files of these names is a memory bank: it has at least two
// of the usual files.
func IsBank(names []string) bool {
	usual := map[int]bool{len(bank): true}
	for _, name := range names {
		usual[rankOf(name)] = true
	}
	return len(usual) > 2
}

// InOrder sorts the files of a memory bank in their reading order, with unusual ones last.
func InOrder(files []File) {
	slices.SortFunc(files, func(a, b File) int {
		return cmp.Or(rankOf(a.Name)-rankOf(b.Name), strings.Compare(a.Name, b.Name))
	})
}

// isTask reports whether a file is a task of Backlog.md, by the keys of its frontmatter.
func (f *file) isTask() bool {
	if f.given == nil {
		return false
	}
	return hasAll(f.given.Front.Get, "id", "title", "status", "created_date")
}

// readTask plans the checkpoint of a task of Backlog.md. Title and status of the frontmatter
// also become the title and the Current State; the frontmatter stays whole in Imported.
func (d *Draft) readTask(f *file) error {
	field := func(key string) string {
		value, _ := f.given.Front.Get(key)
		return oneLine(value)
	}
	title, status := field("title"), field("status")
	if checkpoint.CheckNewID(field("id")) == nil {
		d.ID = field("id")
	}
	body := "\n# " + title + "\n" + f.doc.Slice(f.doc.Body()) + "\n\n## Current State\n\nThe task is \"" + status + "\".\n"
	d.Finished = strings.EqualFold(status, "done")
	hasBox := slices.ContainsFunc(f.doc.Items(f.doc.Body()), func(item doc.Entry) bool {
		box, _ := itemStatus(item.Text)
		return box
	})
	if !d.Finished && !hasBox {
		body += "\n## Next Actions\n\n- " + title + "\n"
	}
	made, err := doc.Parse([]byte(body))
	if err != nil {
		return err
	}
	f.doc, f.means = made, map[string]checkpoint.Kind{"description": checkpoint.Problem,
		"acceptance criteria": checkpoint.Next, "definition of done": checkpoint.Next}
	d.source = f.front + body
	d.Lines = countLines(d.source)
	d.text, d.Shares = notes([]file{*f}, d.From)
	if d.Finished {
		d.complete("Task done: "+title, field("updated_date"))
	}
	return nil
}

// complete adds a Completion.
func (d *Draft) complete(outcome, date string) {
	text := "\n\n## " + checkpoint.Completion.String() + "\n\n- **Status**: Archived\n- **Outcome**: " + outcome + "\n"
	if t, ok := checkpoint.ParseTime(date); ok {
		text += "- **Date**: " + checkpoint.FormatTime(t) + "\n"
	}
	d.text = append(d.text, text...)
}

var promptTitle = text.Regexp(`^Prompt (\d+)$`)

// isPrompts reports whether a file is the context.md of a session that Entire writes:
// a list of the user's prompts.
func isPrompts(d *doc.Doc) bool {
	all := d.Sections()
	return len(all) > 2 && all[0].Title == "Session Context" &&
		slices.ContainsFunc(all, func(s doc.Section) bool { return strings.HasSuffix(s.Title, "Prompts") }) &&
		slices.ContainsFunc(all, func(s doc.Section) bool { return promptTitle.MatchString(s.Title) })
}

// placePrompt finds the section of a heading in a list of prompts. The first prompt becomes the Session
// Intent. Headings inside prompts name no sections.
func (r *reader) placePrompt(h *node) {
	m := promptTitle.FindStringSubmatch(h.title)
	first := slices.IndexFunc(r.nodes, func(n *node) bool { return n.opens })
	h.kind = nowhere
	switch {
	case first < 0 && m != nil && m[1] == "1":
		h.kind, h.opens = checkpoint.Intent, true
	case first >= 0 && m == nil && r.nodes[len(r.nodes)-1].kind == checkpoint.Intent:
		h.kind, h.up = checkpoint.Intent, r.nodes[first]
	}
}

// Ledger adds the learnings of a draft to LEARNINGS.md, as a section after the existing text. A
// comment after it has the mark of the source.
func (d *Draft) Ledger(have []byte) ([]byte, error) {
	text, err := plainText(d.text)
	if err != nil {
		return nil, err
	}
	mark := "<!-- " + Key + ": " + d.Mark + " -->\n"
	out := have
	if len(bytes.TrimSpace(have)) == 0 {
		out = []byte(doc.Closed(strings.TrimRight(text, "\n")) + "\n\n" + mark)
	} else {
		was, err := doc.Parse(have)
		if err != nil {
			return nil, fault.New(fault.Invalid, "LEARNINGS.md: %w", err).WithHint("ckpt validate")
		}
		section := "## Imported from " + d.From + "\n\n" + doc.Below(2, strings.Trim(text, "\n")) + "\n\n" + mark
		end := doc.Closed(strings.TrimRight(string(have), " \t\r\n"))
		out = []byte(end + strings.ReplaceAll("\n\n"+section, "\n", was.EOL()))
	}
	made, err := doc.Parse(out)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", d.From, err)
	}
	if lost := Lost(d.source, made); len(lost) > 0 {
		return nil, fault.New(fault.Failed, "%s: %q would be lost", d.From, lost[0])
	}
	return out, nil
}

var markPattern = text.Regexp(`<!-- ` + Key + `: [^<>\n]* (sha256:[0-9a-f]+) -->`)

// Marked returns the hashes of the sources that were imported to a LEARNINGS.md.
func Marked(ledger []byte) []string {
	var all []string
	for _, comment := range markPattern.FindAllString(string(ledger), -1) {
		all = append(all, markPattern.FindStringSubmatch(comment)[1])
	}
	return all
}
