package gitlog

import (
	"cmp"
	"context"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history/revisions"
)

// Changes returns what each of the versions in list changed.
func (vs *Versions) Changes(ctx context.Context, list []revisions.Version) ([]revisions.Change, error) {
	texts := map[string]*revisions.Text{} // most texts are used twice: as the newer side and then as the older side
	read := func(s revisions.Side) (*revisions.Text, error) {
		if t := texts[s.Blob]; t != nil {
			return t, nil
		}
		c, err := vs.Read(ctx, s)
		if err == nil {
			texts[s.Blob] = revisions.Read(c.Doc)
		}
		return texts[s.Blob], err
	}
	all := make([]revisions.Change, len(list))
	for i, v := range list {
		src, requested := vs.bytes[v.Blob]
		v.Missing = requested && src == nil
		diff, why, err := compared(v, read)
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		all[i] = revisions.Change{Version: v, Diff: diff, Why: why}
		delete(texts, v.Blob)
	}
	return all, nil
}

// compared returns the changes of a version, or the reason why they are not known.
func compared(v revisions.Version,
	read func(revisions.Side) (*revisions.Text, error)) (*revisions.Diff, string, error) {
	if v.Gone() || v.Cut && len(v.Before) == 0 {
		return nil, "", nil
	}
	after, err := read(revisions.Side{Path: v.Path, Blob: v.Blob})
	if err != nil {
		return untold(err)
	}
	before := revisions.Read(nil)
	if len(v.Before) > 0 {
		before, err = read(v.Before[0])
		if err != nil {
			_, why, err := untold(err)
			return nil, "before it: " + why, err
		}
	}
	return revisions.Compare(before, after), "", nil
}

// untold returns, in words, why a version cannot be compared: it is missing or unreadable. It returns
// any other error unchanged.
func untold(err error) (*revisions.Diff, string, error) {
	switch fault.KindOf(err) {
	case fault.NotFound:
		return nil, "not in this clone", nil
	case fault.Invalid:
		return nil, err.Error(), nil
	}
	return nil, "", err
}
