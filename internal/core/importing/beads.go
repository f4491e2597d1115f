package importing

import (
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/text"
	"example.com/ckpt/internal/core/value"
)

// isIssue reports whether a row is an issue of beads.
func isIssue(o value.Object) bool {
	for _, key := range []string{"id", "title", "status", "issue_type"} {
		if v, ok := textAt(o, key); !ok || strings.TrimSpace(v) == "" {
			return false
		}
	}
	return true
}

// readIssue plans the checkpoint of an issue of beads. Description, title, design, notes
// and criteria become sections; the id and all other fields go to Imported as YAML.
func readIssue(o value.Object, d *Draft) error {
	d.Form = Issue
	rest := o
	take := func(key string) string {
		s, _ := textAt(o, key)
		rest = value.Without(rest, key)
		return strings.TrimSpace(plainLines(s))
	}
	title, status := doc.Literal(text.OneLine(take("title"))), oneLine(take("status"))
	d.Finished = status == "closed" || status == "tombstone"
	next := ""
	if !d.Finished {
		next = "- " + title
	}
	reason, closed := oneLine(take("close_reason")), ""
	sections := []struct {
		of    checkpoint.Kind
		texts []string
	}{
		{checkpoint.Problem, []string{take("description")}},
		{checkpoint.Intent, []string{title}},
		{checkpoint.Essential, nil},
		{checkpoint.Context, []string{take("design")}},
		{checkpoint.State, []string{"The issue is " + quoted(status) + ".", take("notes")}},
		{checkpoint.Next, []string{next, asList(take("acceptance_criteria"))}},
	}
	var b strings.Builder
	for _, s := range sections {
		level, said := s.of.Template().Level, ""
		for _, t := range s.texts {
			lines, err := doc.Parse([]byte("\n" + t))
			if err != nil {
				return err
			}
			d.source = append(d.source, wordsOf(lines)...)
			said = joined(said, doc.Below(level, file{}.tame(t, d.From)))
		}
		if said == "" && s.of != checkpoint.Essential {
			continue
		}
		b.WriteString(strings.Repeat("#", level) + " " + s.of.String() + "\n\n" + said + "\n\n")
		if n := countLines(said); n > 0 {
			d.Shares = append(d.Shares, result.Share{Section: s.of.String(), Lines: n})
		}
	}
	yaml := strings.TrimRight(doc.YAML(rest), "\n")
	b.WriteString("## " + Title + "\n\n" + fence(yaml) + "\n")
	d.Shares = append(d.Shares, result.Share{Section: Title, Lines: countLines(yaml), Imported: true})
	d.text = []byte(b.String())
	if closed, _ = textAt(o, "closed_at"); d.Finished {
		if reason == "" {
			reason = "Issue closed: " + title
		}
		d.complete(doc.Literal(reason), closed)
	} else if reason != "" {
		d.text = append(d.text, "\n"+doc.Literal(reason)+"\n"...)
	}
	if id, _ := textAt(o, "id"); checkpoint.CheckNewID(id) == nil {
		d.ID = id
		if parent := parentOf(o); parent != id && checkpoint.CheckID(parent) == nil {
			d.fields["parent"] = parent
		}
	}
	return nil
}

// asList returns criteria as a list, unchanged if they are one already.
func asList(criteria string) string {
	if criteria == "" || markerBefore.MatchString(criteria) {
		return criteria
	}
	var b strings.Builder
	for line := range strings.Lines(criteria) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString("- " + line + "\n")
		}
	}
	return b.String()
}

// parentOf returns the id of an issue's parent, "" if it has none.
func parentOf(o value.Object) string {
	all, _ := value.Get(o, "dependencies")
	list, _ := all.([]any)
	for _, one := range list {
		if kind, _ := textOf(one, "type"); kind == "parent-child" {
			id, _ := textOf(one, "depends_on_id")
			return id
		}
	}
	return ""
}

// textOf returns a text field of a value that may be an object.
func textOf(v any, key string) (string, bool) {
	o, ok := v.(value.Object)
	if !ok {
		return "", false
	}
	return textAt(o, key)
}

// plainLines returns a text with its lines ended by line feeds.
func plainLines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}
