package planner

import (
	"bytes"
	"context"
	"fmt"
	"unicode/utf8"

	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/secrets"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/workspace"
)

// outputRefs is where refs keep the outputs that are too long for a checkpoint: by
// its id, then by the name of the blob.
const OutputRefs = "refs/ckpt/output/"

// saying makes of what a step said a section of the file, harmless, and says what it left
// out. It is done under the lock of the repository: a blob is kept and named at once.
type saying func(ctx context.Context, id string, res *plan.Result) (section string, remarks []string, err error)

// planOutput is the section that holds what a step said. A long one goes to a blob. A
// text that looks like a secret goes nowhere; nor does such a message.
func (p *Planner) planOutput(ctx context.Context, id string, res *plan.Result) (section string, remarks []string, err error) {
	policy, err := p.Policy(ctx)
	if err != nil {
		return "", nil, err
	}
	guard := workspace.GuardOf(policy)
	said := string(res.Output)
	if !p.AllowSecret {
		if harmless := harmlessMessage(guard, res.Message); harmless != res.Message {
			res.Message = harmless
			remarks = append(remarks, "the message is "+harmless)
		}
		if found := guard.Scan("", said); len(found) > 0 {
			why := fmt.Sprintf("line %d looks like a secret [%s]", found[0].Line, found[0].Rule)
			return plan.Withheld(why), append(remarks, "the output is kept out: "+why), nil
		}
	}
	text, kept := "", ""
	if whole := bytes.TrimLeftFunc(res.Output, func(r rune) bool { return res.Cut > 0 && r == utf8.RuneError }); utf8.Valid(whole) && bytes.IndexByte(whole, 0) < 0 {
		text = term.Plain(string(whole))
	}
	if (plan.TooLong(text, res.Cut) || text == "" && len(res.Output) > 0) && !p.DryRun {
		if kept, err = p.Repo.Objects().StoreRef(ctx, OutputRefs+id, res.Output); err != nil {
			return "", remarks, err
		}
	}
	return plan.Output(text, int64(len(res.Output))+res.Cut, res.Cut, kept), remarks, nil
}

// PlanMessage is why a try of a step failed, as far as it may be shown.
func (p *Planner) PlanMessage(ctx context.Context, message string) string {
	policy, err := p.Policy(ctx)
	if err != nil || p.AllowSecret {
		return message
	}
	return harmlessMessage(workspace.GuardOf(policy), message)
}

// harmlessMessage is a message, or which rule has kept it out.
func harmlessMessage(guard *secrets.Scanner, message string) string {
	if found := guard.Scan("", message); len(found) > 0 {
		return "kept out: it looks like a secret [" + found[0].Rule + "]"
	}
	return message
}
