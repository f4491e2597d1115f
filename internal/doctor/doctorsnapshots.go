package doctor

import (
	"context"
	"fmt"

	"example.com/ckpt/internal/git/snapshot"
	"example.com/ckpt/internal/result"
)

// snapshotsNamed is how many snapshots doctor names one by one.
const snapshotsNamed = 10

// snapshots lists the snapshots of mark and rewind, which nobody but their user knows
// to be of no use any more, and finds files that are half brought back.
func (p *Checker) snapshots(ctx context.Context, d *result.Diagnosis, _ bool) error {
	if to, saved := snapshot.Of(p.Repo).Interrupted(); to != "" {
		d.Ailments = append(d.Ailments, result.Ailment{
			Code: "half-rewound", What: "a command was killed while it brought back the files of " + to + "; they were as in " + saved,
			Fix: "ckpt rewind --snapshot " + to + " goes on, --snapshot " + saved + " goes back",
		})
	}
	all, err := snapshot.Of(p.Repo).List(ctx)
	if err != nil {
		return err
	}
	for i, s := range all {
		if i == snapshotsNamed {
			d.Facts = append(d.Facts, result.Fact{Name: "snapshots", Value: fmt.Sprintf("%d more: git for-each-ref refs/ckpt/snapshots", len(all)-i)})
			break
		}
		d.Facts = append(d.Facts, result.Fact{Name: "snapshot", Value: fmt.Sprintf("of %s, %s (%s)", s.At.Format("2006-01-02"), s.About, s.DropCommand())})
	}
	return nil
}
