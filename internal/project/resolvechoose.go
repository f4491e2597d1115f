package project

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/merge"
	"example.com/ckpt/internal/core/result"
)

// Where both sides replaced a text, such as Current State, the later one stands, unless the
// user picks.

var pickNames = map[merge.Pick]string{merge.Ours: "ours", merge.Theirs: "theirs", merge.Both: "both"}

// choices returns the texts of an item that both sides replaced, and which one stands.
func (it *item) choices(pick merge.Pick) (merge.Merged, error) {
	for i, v := range it.versions {
		if it.id == "" || i > 0 && v.src == nil {
			return merge.Merged{}, nil
		}
	}
	return merge.File(it.versions[0].src, it.versions[1].src, it.versions[2].src, pick)
}

// pickTexts makes the picked texts stand: of the merge that git is in the middle of, else of
// the last one. A text that was changed since stays.
// It returns the items of that merge.
func (r *resolving) pickTexts(ctx context.Context, items []*item) ([]*item, error) {
	if !r.o.merging {
		m, ok, err := r.Repo.LastMerge(ctx)
		if err != nil {
			return nil, err
		}
		items = nil
		if ok {
			if r.versions, err = m.Differing(ctx, r.Repo, r.prefix); err != nil {
				return nil, err
			}
			if items, err = r.pair(); err != nil {
				return nil, err
			}
			if items, err = r.chosen(items); err != nil {
				return nil, err
			}
		}
	}
	after, found := r.after(), false
	for _, it := range items {
		c, ok := after.Get(it.id)
		if !ok {
			continue
		}
		picked, sections, err := it.pick(c.Doc.Bytes(), r.pick)
		if err != nil {
			return nil, err
		}
		if len(sections) == 0 {
			continue
		}
		found = true
		if picked == nil {
			r.o.remarks = append(r.o.remarks, c.ID+": "+strings.Join(sections, ", ")+" changed since the merge: nothing was picked")
			continue
		} else if bytes.Equal(picked, c.Doc.Bytes()) {
			continue
		}
		if err := r.want(c.Path, picked); err != nil {
			return nil, err
		}
		r.sayPicked(c, sections)
	}
	if !found && r.pick == merge.Both && !r.o.merging { // a rebase or a cherry-pick
		if found, err := r.joinTexts(); found || err != nil {
			return items, err
		}
	}
	if !found {
		r.o.remarks = append(r.o.remarks, "no text was replaced on both sides of the merge")
	}
	return items, nil
}

// joinTexts puts the texts that a merge replaced in front of those that stand, as far as the
// files tell.
func (r *resolving) joinTexts() (found bool, err error) {
	for _, c := range r.after().All {
		it := &item{id: c.ID, paths: []string{c.Path}}
		if len(r.names) > 0 && !slices.ContainsFunc(r.names, it.called) || len(c.Replaced()) == 0 {
			continue
		}
		joined, err := c.JoinReplaced()
		if err != nil {
			return false, err
		}
		if err := r.want(c.Path, joined.Doc.Bytes()); err != nil {
			return false, err
		}
		r.sayPicked(c, replacedIn(c))
		found = true
	}
	return found, nil
}

// replacedIn returns the titles of the sections whose text a merge replaced.
func replacedIn(c *checkpoint.Checkpoint) []string {
	var titles []string
	for _, was := range c.Replaced() {
		if title := was.Kind.String(); !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	return titles
}

// sayPicked adds to the report which texts of a checkpoint stand.
func (r *resolving) sayPicked(c *checkpoint.Checkpoint, sections []string) {
	how := strings.Join(sections, ", ") + ": " + pickWords[r.pick]
	for i, f := range r.report.Files {
		if f.ID == c.ID {
			r.report.Files[i].How += "; " + how
			return
		}
	}
	r.say(c.Path, c.ID, how)
}

var pickWords = map[merge.Pick]string{
	merge.Ours: "our text stands", merge.Theirs: "their text stands", merge.Both: "both texts stand, the earlier one first",
}

// pick returns src with the picked texts in place of those that stand, and the sections of
// which both sides replaced the text. If somebody changed one of them since all stay.
func (it *item) pick(src []byte, pick merge.Pick) (picked []byte, sections []string, err error) {
	to, err := it.choices(pick)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range to.Choices {
		sections = append(sections, c.Section)
	}
	texts := textsOf(src, sections)
	for was := merge.Later; was <= merge.Both; was++ {
		from, err := it.choices(was)
		if err != nil {
			return nil, nil, err
		}
		if slices.Equal(textsOf(from.Bytes, sections), texts) {
			m, err := merge.File(from.Bytes, src, to.Bytes, merge.Later)
			return m.Bytes, sections, err
		}
	}
	return nil, sections, nil
}

// textsOf returns the texts of sections.
func textsOf(src []byte, sections []string) []string {
	texts := make([]string, len(sections))
	if d, err := doc.Parse(src); err == nil {
		for _, p := range merge.Parts(d) {
			if i := slices.Index(sections, p.Title); i >= 0 {
				texts[i] = p.Text
			}
		}
	}
	return texts
}

// reportChoices adds to the report which texts stand.
func (r *resolving) reportChoices(items []*item) error {
	for i, f := range r.report.Files {
		at := slices.IndexFunc(items, func(it *item) bool { return f.ID != "" && it.id == f.ID })
		if at < 0 {
			continue
		}
		chosen, err := items[at].choices(r.pick)
		if err != nil {
			return err
		}
		for _, c := range chosen.Choices {
			r.report.Files[i].Choices = append(r.report.Files[i].Choices, result.Choice{Section: c.Section, Ours: c.Ours, Theirs: c.Theirs, Stands: pickNames[c.Picked]})
		}
	}
	return nil
}
