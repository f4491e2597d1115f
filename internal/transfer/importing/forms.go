package importing

import (
	"bytes"
	"cmp"
	"fmt"
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
	keys := []string{"id", "title", "status", "created_date"}
	return f.given != nil && !slices.ContainsFunc(keys, func(key string) bool { return f.field(key) == "" })
}

// field returns a value of the frontmatter on one line.
func (f *file) field(key string) string {
	value, _ := f.given.Front.Get(key)
	return oneLine(value)
}

var openBox = text.Regexp(`(?m)^\s*[-*+] \[ \]`)

// readTask plans the checkpoint of a task of Backlog.md. Its title is the Session Intent, and the next action unless
// the text has open checkboxes. The frontmatter stays whole in Imported.
func (d *Draft) readTask(f *file) error {
	title, status, text := f.field("title"), f.field("status"), f.doc.Slice(f.doc.Body())
	if checkpoint.CheckNewID(f.field("id")) == nil {
		d.ID = f.field("id")
	}
	d.Finished = strings.EqualFold(status, "done")
	head := fmt.Sprintf("## Session Intent\n\n%s\n\n## Current State\n\nThe task is %q.\n", title, status)
	if !d.Finished && !openBox.MatchString(text) {
		head += "\n## Next Actions\n\n- " + title + "\n"
	}
	f.means = map[string]checkpoint.Kind{"description": checkpoint.Problem, "acceptance criteria": checkpoint.Next,
		"definition of done": checkpoint.Next}
	if err := f.parse(head + "\n" + text); err != nil {
		return err
	}
	d.text, d.Shares = notes([]file{*f}, d.From)
	if d.Finished {
		d.text = fmt.Appendf(d.text, "\n\n## %s\n\n- **Status**: Archived\n- **Outcome**: Done: %s\n",
			checkpoint.Completion, title)
		if done, ok := checkpoint.ParseTime(f.field("updated_date")); ok {
			d.text = fmt.Appendf(d.text, "- **Date**: %s\n", checkpoint.FormatTime(done))
		}
	}
	return nil
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
