package importing

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/value"
)

// adopt plans a checkpoint of one that somebody wrote: its bytes stay as they are.
func (d *Draft) adopt(f file) {
	d.text = f.given.Bytes()
	if id, ok := f.given.Front.Get("checkpoint"); ok && checkpoint.CheckNewID(id) == nil {
		d.ID = id
	}
	if n := countLines(f.front); n > 0 {
		d.Shares = append(d.Shares, result.Share{Section: "Frontmatter", Lines: n})
	}
	if n := len(wordsIn(f.given, f.given.Preamble())); n > 0 {
		d.Shares = append(d.Shares, result.Share{Section: "Title", Lines: n})
	}
	end, name := 0, ""
	for _, s := range f.given.Sections() {
		k, known := checkpoint.KindNamed(s.Title)
		switch {
		case known:
			name = k.String()
			d.Finished = d.Finished || k == checkpoint.Completion
		case s.Heading.Start >= end || s.Level <= 2:
			name = s.Title
		}
		end = max(end, s.Whole.End)
		d.share(name, len(wordsIn(f.given, span(s.Heading.Start, s.Body.End))))
	}
	if status, _ := f.given.Front.Get("status"); status == string(checkpoint.Current) && !d.Finished {
		d.Remarks = append(d.Remarks, "it was current there")
	}
	d.source = slices.DeleteFunc(d.source, func(line string) bool {
		return strings.HasPrefix(line, "checkpoint:") || strings.HasPrefix(line, "status:") || strings.HasPrefix(line, "created:")
	})
}

// share counts lines to a section.
func (d *Draft) share(section string, lines int) {
	for i := range d.Shares {
		if d.Shares[i].Section == section {
			d.Shares[i].Lines += lines
			return
		}
	}
	d.Shares = append(d.Shares, result.Share{Section: section, Lines: lines})
}

// textFor is the Markdown to make a checkpoint of. Lines of a header that the
// checkpoint is to have otherwise are kept below Imported.
func (d *Draft) textFor(id string, status checkpoint.Status) ([]byte, error) {
	if d.row != nil && d.ID != "" && d.ID != id {
		d.row.Object = value.Set(d.row.Object, d.ID, "imported_id") // the id itself is taken
		return d.row.Markdown()
	}
	if d.Form != Checkpoint {
		return d.text, nil
	}
	var was []string
	text := string(d.text)
	head, _, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch _, isTime := checkpoint.ParseTime(value); {
		case !strings.HasPrefix(text, "---\n"):
		case key == "checkpoint" && d.ID != id,
			key == "created" && !isTime,
			key == "status" && value != string(status) && value != string(checkpoint.Current) && value != string(checkpoint.Active):
			was = append(was, line)
		}
	}
	if len(was) == 0 {
		return d.text, nil
	}
	return []byte(strings.TrimRight(text, "\n") + "\n\n## " + Title + "\n\n" + fence(strings.Join(was, "\n")) + "\n"), nil
}
