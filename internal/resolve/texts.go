package resolve

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
)

// If both sides replaced a text, such as Current State, a merge takes the later one. With --ours,
// --theirs and --both the user picks another one, during the merge or after it.

// pickNames returns the names of the texts that a user can pick.
func pickNames() map[merge.Pick]string {
	return map[merge.Pick]string{merge.Ours: "ours", merge.Theirs: "theirs", merge.Both: "both"}
}

// choices returns the texts of an item that both sides replaced, and which one was picked.
func (it *item) choices(pick merge.Pick) []result.Choice {
	var all []result.Choice
	for _, c := range it.Choices {
		picked := c.Picked
		if pick != merge.Later {
			picked = pick
		}
		all = append(all, result.Choice{Section: c.Section, Ours: c.Ours, Theirs: c.Theirs, Stands: pickNames()[picked]})
	}
	return all
}

// pickTexts writes the picked texts of the merge that is in progress, or else of the last one. It
// does not change a text that was edited since. It returns the items of that merge.
func (r *resolving) pickTexts(ctx context.Context, items []*item) ([]*item, error) {
	if !r.merging {
		m, ok, err := log.Of(r.repo).LastMerge(ctx)
		if err != nil {
			return nil, err
		}
		items = nil
		if ok {
			v, err := m.Differing(ctx, r.repo, r.prefix)
			if err != nil {
				return nil, err
			}
			items, err = r.items(v)
			if err != nil {
				return nil, err
			}
			items, err = r.selected(items)
			if err != nil {
				return nil, err
			}
		}
	}
	after, found := r.after(), false
	for _, it := range items {
		c, ok := after.Get(it.ID)
		if !ok || len(it.Choices) == 0 {
			continue
		}
		found = true
		picked, err := it.pick(c.Doc.Bytes(), r.pick)
		switch {
		case err != nil:
			return nil, err
		case picked == nil:
			sections := strings.Join(it.chosenSections(), ", ")
			r.remarks = append(r.remarks, c.ID+": "+sections+" changed since the merge: nothing was picked")
		case !bytes.Equal(picked, c.Doc.Bytes()):
			if err := r.write(c.Path, picked); err != nil {
				return nil, err
			}
			r.reportPicked(c, it.chosenSections())
		}
	}
	if !found && r.pick == merge.Both && !r.merging { // after a rebase or a cherry-pick, which is not a merge
		var err error
		found, err = r.joinTexts()
		if err != nil {
			return nil, err
		}
	}
	if !found {
		r.remarks = append(r.remarks, "no text was replaced on both sides of the merge")
	}
	return items, nil
}

// joinTexts puts each text that a merge replaced before the text that replaced it. It needs only
// the files, not the merge.
func (r *resolving) joinTexts() (found bool, err error) {
	for _, c := range r.after().All {
		it := &item{Item: merge.Item{ID: c.ID}, paths: []string{c.Path}}
		if len(r.names) > 0 && !slices.ContainsFunc(r.names, it.isCalled) || len(c.Replaced()) == 0 {
			continue
		}
		joined, err := revise.JoinReplaced(c)
		if err != nil {
			return false, err
		}
		if err := r.write(c.Path, joined.Doc.Bytes()); err != nil {
			return false, err
		}
		r.reportPicked(c, progress.ReplacedIn(c))
		found = true
	}
	return found, nil
}

// pickedWords returns what a report says about a picked text.
func pickedWords() map[merge.Pick]string {
	return map[merge.Pick]string{
		merge.Ours:   "our text stands",
		merge.Theirs: "their text stands",
		merge.Both:   "both texts stand, the earlier one first",
	}
}

// reportPicked adds to the report which texts of a checkpoint were picked.
func (r *resolving) reportPicked(c *checkpoint.Checkpoint, sections []string) {
	how := strings.Join(sections, ", ") + ": " + pickedWords()[r.pick]
	for i, f := range r.report.Files {
		if f.ID == c.ID {
			r.report.Files[i].How += "; " + how
			return
		}
	}
	r.reportFile(c.Path, c.ID, how)
}

// chosenSections returns the titles of the sections for which a text was chosen.
func (it *item) chosenSections() []string {
	titles := make([]string, len(it.Choices))
	for i, c := range it.Choices {
		titles[i] = c.Section
	}
	return titles
}

// pick returns src with the picked texts in place of the present ones. It returns nil if a present
// text has changed since the merge.
func (it *item) pick(src []byte, pick merge.Pick) ([]byte, error) {
	file := func(pick merge.Pick) ([]byte, error) {
		m, err := merge.Markdown(it.Base.Bytes, it.Ours.Bytes, it.Theirs.Bytes, pick)
		return m.Bytes, err
	}
	to, err := file(pick)
	if err != nil {
		return nil, err
	}
	sections := it.chosenSections()
	texts := textsOf(src, sections)
	for was := merge.Later; was <= merge.Both; was++ {
		from, err := file(was)
		if err != nil {
			return nil, err
		}
		if slices.Equal(textsOf(from, sections), texts) {
			m, err := merge.Markdown(from, src, to, merge.Later)
			return m.Bytes, err
		}
	}
	return nil, nil
}

// textsOf returns the texts of sections.
func textsOf(src []byte, sections []string) []string {
	texts := make([]string, len(sections))
	d, err := doc.Parse(src)
	if err != nil {
		return texts
	}
	for _, p := range merge.Parts(d) {
		if i := slices.Index(sections, p.Title); i >= 0 {
			texts[i] = p.Text
		}
	}
	return texts
}
