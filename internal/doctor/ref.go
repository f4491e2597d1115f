package doctor

import (
	"context"
	"strings"
	"time"

	"example.com/ckpt/internal/result"
)

// unpushedFor is how long operations on the checkpoint ref may be in this clone alone before doctor reports them.
const unpushedFor = 7 * 24 * time.Hour

// checkExcluded reports a problem if git does not ignore the files in ref mode, and so shows them as untracked.
func (p *Checker) checkExcluded(_ context.Context, d *result.Diagnosis) error {
	_, missing, err := p.Files().NotExcluded()
	if len(missing) > 0 {
		d.AddProblem("exclude", ".git/info/exclude lacks "+strings.Join(missing, ", ")+
			": git status and git add would take the files of the checkpoints along", byDoctor)
	}
	return err
}

func (p *Checker) exclude(context.Context) error { return p.Files().Exclude() }

// checkUnpushed reports operations that have been in this clone alone for long.
func (p *Checker) checkUnpushed(ctx context.Context, d *result.Diagnosis) error {
	oldest, remote, err := p.Files().Ref.Unpushed(ctx)
	if err == nil && !oldest.IsZero() && p.Now().Sub(oldest) > unpushedFor {
		d.AddProblem("unpushed", "operations since "+oldest.Format(time.DateOnly)+" are in this clone alone, and a "+
			"backup of branches does not have them: "+p.Files().Ref.Name()+" has not been pushed to "+remote, "ckpt sync")
	}
	return err
}
