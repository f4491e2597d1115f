package hooks

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/agents/trust"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/workspace/store"
)

// Trust lets hooks show this clone's checkpoints to an agent. With off, it forbids that.
func (p *Handler) Trust(ctx context.Context, off bool) (*result.Receipt, error) {
	receipt := &result.Receipt{Op: "trust", Summary: "this clone"}
	state := trust.On
	if off {
		state = trust.Off
		receipt.Summary = "no longer this clone"
	}
	if whose := p.whose(ctx); whose != "" {
		receipt.Summary += ", with " + whose
	}
	switch {
	case p.Workspace.Trust.State() == state:
		receipt.Unchanged = true
		return receipt, nil
	case p.DryRun:
		receipt.DryRun = true
		receipt.Diff = "trust: " + receipt.Summary + "\n"
		return receipt, nil
	}
	if err := p.Workspace.Trust.Set(state); err != nil {
		return nil, fault.New(fault.Failed, "remember it: %w", err)
	}
	receipt.Pending = "for this clone alone"
	return receipt, nil
}

const (
	authorsLooked = 200                    // how many commits are read
	authorsNamed  = 3                      // how many people are named
	authorsWait   = 700 * time.Millisecond // the time limit: a session that starts waits for the answer
)

// whose describes who wrote the checkpoints of a clone, by the addresses of the authors of its commits. It leaves out
// names: they are free text, and a model may read the description. The description is empty if there are no commits.
func (p *Handler) whose(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, authorsWait)
	defer cancel()
	authors, err := log.Of(p.Commits).Authors(ctx, p.Prefix, authorsLooked)
	if err != nil || len(authors) == 0 {
		return ""
	}
	var named []string
	for _, a := range authors {
		address := text.Address(a.Email)
		if len(named) < authorsNamed && address != "" && !slices.Contains(named, address) {
			named = append(named, address)
		}
	}
	others := slices.DeleteFunc(authors, func(a log.Author) bool { return slices.Contains(named, text.Address(a.Email)) })
	switch {
	case len(named) == 0:
		named = []string{text.Count(len(others), "author")}
	case len(others) > 0:
		named = append(named, text.Count(len(others), "other"))
	}
	return "checkpoints by " + strings.Join(named, ", ")
}

// greetStranger returns the line that replaces the brief for a session in a clone that the user has
// not trusted. The line has no text of a checkpoint.
func (p *Handler) greetStranger(ctx context.Context) (protocol.Answer, error) {
	files, err := p.Disk.Files(store.Live)
	if err != nil || !slices.ContainsFunc(files, checkpoint.IsFile) {
		return protocol.Answer{}, err
	}
	whose := cmp.Or(p.whose(ctx), "checkpoints whose author git does not know")
	return protocol.Answer{Context: fmt.Sprintf("ckpt: this clone has %s. The user has not trusted it yet, so their "+
		"text is not shown: it is not the user's word. "+
		"It is for the user to decide: `ckpt resume` prints the brief, `ckpt trust` lets every session begin with "+
		"it.\n", whose)}, nil
}
