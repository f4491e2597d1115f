package history

import (
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// wanted is the kind of checkpoints whose ids a prefix is compared with first.
type wanted int

const (
	present wanted = iota
	deleted
)

// naming finds the checkpoints, present or deleted, that a person names.
type naming struct{ *History }

// fullID returns the id that a name means: a whole id in history comes first, then one without its
// chk-, then a unique prefix of a present or a deleted checkpoint. A name that means nothing is
// returned as it is.
func (p naming) fullID(ctx context.Context, name string, first wanted) (string, error) {
	for _, id := range []string{name, "chk-" + name} {
		if checkpoint.CheckID(id) != nil {
			continue
		}
		if vs, err := p.VersionsOfID(ctx, id); err == nil {
			return vs.ID, nil
		}
	}
	view, err := p.Read(ctx, store.All)
	if err != nil {
		return "", err
	}
	search := []func() (string, error){
		func() (string, error) { return presentID(view, name) },
		func() (string, error) { return p.deletedID(ctx, view, name) },
	}
	if first == deleted {
		slices.Reverse(search)
	}
	for _, find := range search {
		if id, err := find(); id != "" || err != nil {
			return id, err
		}
	}
	if err := checkpoint.CheckID(name); err != nil {
		hint := "ckpt list --all shows the IDs"
		if first == deleted {
			hint = "ckpt undo --list shows what was deleted"
		}
		return "", fault.New(fault.Usage, "%w", err).WithHint("%s", hint)
	}
	return name, nil
}

// presentID returns the id of the checkpoint in the folder that a name means; "" for none.
func presentID(view *workspace.View, name string) (string, error) {
	c, err := view.Target(name)
	if fault.KindOf(err) == fault.NotFound {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return c.ID, nil
}

// deletedID returns the id of the only deleted checkpoint whose id begins with a name; "" for none.
func (p naming) deletedID(ctx context.Context, view *workspace.View, name string) (string, error) {
	operations, err := p.History.History(ctx, 0, func(Past) bool { return true })
	if err != nil || name == "" {
		return "", err
	}
	var found []string
	for _, o := range operations {
		for _, id := range append(o.commit.Trailers[revisions.IDTrailer], o.ID) {
			_, there := view.Set.Get(id)
			begins := strings.HasPrefix(id, name) || strings.HasPrefix(id, "chk-"+name)
			if begins && !there && !slices.Contains(found, id) {
				found = append(found, id)
			}
		}
	}
	switch len(found) {
	case 0:
		return "", nil
	case 1:
		return found[0], nil
	}
	slices.Sort(found)
	return "", fault.New(fault.Usage, "%q matches %d deleted checkpoints: %s", name, len(found),
		strings.Join(found, ", ")).WithHint("type more of the id")
}
