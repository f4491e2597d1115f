package workspace

import (
	"errors"
	"fmt"
	"strings"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/secrets"
)

// noSecrets refuses an operation that adds text which looks like a secret: in new lines of its files, in its summary,
// which becomes the commit message, or in its name, which becomes the id. Text that is in history already is not
// checked again: it may be moved or restored, and other lines of its file may change. A remark names the secrets that
// only the policy allows, since the policy may come with a clone.
func (a *applying) noSecrets(o *Tx) error {
	p := a.w
	if p.AllowSecret || o.Mode.fromHistory() || o.Files.Empty() {
		return nil
	}
	err := SecretsAt(o.secretsFoundBy(GuardOf(a.cfg), a.folder()))
	if err == nil && len(a.cfg.Secrets.Allow)+len(a.cfg.Secrets.AllowRules) > 0 {
		if passed := SecretsAt(o.secretsFoundBy(&secrets.Scanner{}, a.folder())); passed != nil {
			o.Remarks = append(o.Remarks, "secrets in config.yaml let pass: "+passed.Error())
		}
	}
	if refused, ok := errors.AsType[*fault.Error](err); ok && p.NoFlags {
		refused.Hint = "remove it; if it is not a secret, write ckpt:allow in the line"
	}
	return err
}

// secretsFoundBy describes the secrets that guard finds in text that the operation adds to files in folder or to the
// commit message. Text that is moved from a removed file is not new.
func (o *Tx) secretsFoundBy(guard *secrets.Scanner, folder string) (places []string) {
	before, moved := []string{o.Copied}, []string{o.Copied}
	for _, f := range o.Files.Files {
		before = append(before, string(f.Before))
		if f.Gone() {
			moved = append(moved, string(f.Before))
		}
	}
	for _, f := range o.Files.Under(folder) {
		for _, found := range guard.Added(f.Path, string(f.After), append(moved, string(f.Before))...) {
			places = append(places, fmt.Sprintf("%s, line %d: text that looks like a secret [%s]",
				Redacted(f.Path, string(f.After), found), found.Line, found.Rule))
		}
	}
	if o.Op == OpSave {
		before = nil // the summary of a save is not text from its files, so all of it is new
	}
	for _, found := range guard.Added("", o.Name+"\n"+o.Summary, before...) {
		places = append(places, "the commit message: text that looks like a secret ["+found.Rule+"]")
	}
	return places
}

// SecretsAt returns the error that names places with secrets, or nil if there are none.
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

// UnknownRules returns the names that are not names of rules, quoted and separated by commas.
func UnknownRules(names []string) string {
	var unknown []string
	for _, name := range names {
		if !secrets.IsRule(name) {
			unknown = append(unknown, fmt.Sprintf("%q", name))
		}
	}
	return strings.Join(unknown, ", ")
}

// Redacted returns the path of a file without a secret that was found in the file: the id in the path may contain it.
func Redacted(path, text string, f secrets.Finding) string {
	return strings.ReplaceAll(path, text[f.Start:f.Stop], "…")
}
