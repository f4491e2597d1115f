package workspace

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/secrets"
)

// noSecrets refuses an operation that adds text which looks like a secret: in new lines of its
// files, including edits by hand that are committed with them, in its summary, which becomes the
// commit's message, or in a name, which becomes an id. Text that history has already is not checked again, so an
// operation that moves it or restores old files is allowed, and so is a change beside an old secret. A remark names
// the secrets that only the policy allows, since the policy may come with a clone.
func (a *applying) noSecrets(ctx context.Context) error {
	p, o := a.w, a.tx
	if p.AllowSecret || o.Mode.fromHistory() || o.Files.Empty() {
		return nil
	}
	before, err := a.recorded(ctx)
	if err != nil {
		return err
	}
	err = SecretsAt(a.secretsFoundBy(GuardOf(a.cfg), before))
	if err == nil && len(a.cfg.Secrets.Allow)+len(a.cfg.Secrets.AllowRules) > 0 {
		if passed := SecretsAt(a.secretsFoundBy(&secrets.Scanner{}, before)); passed != nil {
			o.Remarks = append(o.Remarks, "secrets in config.yaml let pass: "+passed.Error())
		}
	}
	if refused, ok := errors.AsType[*fault.Error](err); ok && p.NoFlags {
		refused.Hint = "remove it; if it is not a secret, write ckpt:allow in the line"
	}
	return err
}

// secretsFoundBy returns the places where a scanner finds secrets that the operation adds to the earlier contents of
// its files. Text of a removed file is not new in another file.
func (a *applying) secretsFoundBy(guard *secrets.Scanner, before []string) (places []string) {
	before = append(before, a.tx.Copied)
	moved := before[len(before)-1:]
	for i, f := range a.tx.Files.Files {
		if f.Gone() {
			moved = append(moved, before[i])
		}
	}
	for i, f := range a.tx.Files.Under(a.folder()) {
		for _, found := range guard.Added(f.Path, string(f.After), append(moved, before[i])...) {
			places = append(places, fmt.Sprintf("%s, line %d: text that looks like a secret [%s]",
				Redacted(f.Path, string(f.After), found), found.Line, found.Rule))
		}
	}
	if a.tx.Op == OpSave {
		before = nil // the summary of a save is not text from its files, so all of it is new
	}
	for _, found := range guard.Added("", a.tx.Name+"\n"+a.tx.Summary, before...) {
		places = append(places, "the commit message: text that looks like a secret ["+found.Rule+"]")
	}
	return places
}

// SecretsAt returns the error that names places with secrets, or nil without places.
func SecretsAt(places []string) error {
	if len(places) == 0 {
		return nil
	}
	more := ""
	if n := len(places) - 1; n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	return fault.New(fault.Refused, "%s%s", places[0], more).
		WithHint("remove it; if it is not a secret, repeat the command with --allow-secret or write ckpt:allow in the line")
}

// GuardOf returns the secret scanner that a policy asks for.
func GuardOf(policy policy.Config) *secrets.Scanner {
	return &secrets.Scanner{Allow: secrets.Allow{Rules: policy.Secrets.AllowRules, Values: policy.Secrets.Allow}}
}

// UnknownRules returns the names of rules in the policy that do not exist.
func UnknownRules(names []string) string {
	var unknown []string
	for _, name := range names {
		if !secrets.IsRule(name) {
			unknown = append(unknown, fmt.Sprintf("%q", name))
		}
	}
	return strings.Join(unknown, ", ")
}

// Redacted returns the path of a file without the secret that was found in it: an id may contain one.
func Redacted(path, text string, f secrets.Finding) string {
	return strings.ReplaceAll(path, text[f.Start:f.Stop], "…")
}

// recorded returns the content of the operation's files before it, as the last commit has them. An uncommitted
// edit by hand counts as added by the operation that commits it.
func (a *applying) recorded(ctx context.Context) (texts []string, err error) {
	ours := a.tx.clean || a.tx.Mode == Save
	for _, f := range a.tx.Files.Files {
		src := f.Before
		if src != nil && !ours {
			src, err = a.committedAs(ctx, f)
		}
		if err != nil {
			return nil, err
		}
		texts = append(texts, string(src))
	}
	return texts, nil
}

// committedAs returns the content of a file without its uncommitted edits.
func (a *applying) committedAs(ctx context.Context, f change.File) ([]byte, error) {
	p := a.view
	if lacks, err := p.Lacks(ctx, []change.File{{Path: f.Path, After: f.Before}}); len(lacks) == 0 || err != nil {
		return f.Before, err
	}
	return p.LastCommitted(ctx, f.Path)
}
