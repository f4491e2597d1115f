package project

import (
	"cmp"
	"fmt"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/secrets"
	"example.com/ckpt/internal/disk"
)

// kept is where an operation has the files that it makes.
type kept struct {
	spool   *disk.Spool
	guard   *secrets.Scanner
	secrets []string // places of what looks like one
}

// setAside puts the file of a new checkpoint into an operation, looking for secrets while
// it is at hand: those of a row are told by the line of the store.
func (p *Project) setAside(o *operation, c *checkpoint.Checkpoint, s source) error {
	src := c.Doc.Bytes()
	if !p.AllowSecret {
		for _, found := range o.kept.guard.Added(p.fromRoot(c.Path), string(src)) {
			line := cmp.Or(s.place.Line, found.Line)
			o.kept.secrets = append(o.kept.secrets, fmt.Sprintf("%s, line %d: text that looks like a secret [%s]", discreet(s.name, string(src), found), line, found.Rule))
		}
	}
	content, err := o.kept.spool.Add(src)
	if err != nil {
		return err
	}
	o.files.Add(change.File{Path: c.Path, Kept: content})
	return nil
}
