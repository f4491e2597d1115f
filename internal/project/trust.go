package project

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/text"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/store"
)

// The text of a checkpoint is read by a model as if the user had said it, and a clone
// brings the checkpoints of whoever pushed them. So hooks give no such text away until
// the user has trusted the clone: by `ckpt trust`, by a command that changed something
// here, or beforehand, by git config ckpt.trust or CKPT_TRUST. The answer is a file in
// the git folder that all worktrees share; git never sends it anywhere.

// The states of trust that the file can hold. Without a file nothing was decided.
const (
	trustOn  = "on"  // by the user
	trustOff = "off" // by the user: a change does not turn it on again
	byHook   = "by hook"
)

func (p *Project) trustFile() string { return filepath.Join(p.Repo.CommonDir(), "ckpt", "trust") }

// trustState returns the content of the file; "" for no file.
func (p *Project) trustState() string {
	src, err := disk.ReadFile(p.trustFile())
	if err != nil {
		return trustOff // unreadable: do not guess
	}
	return strings.TrimSpace(string(src))
}

func (p *Project) setTrust(state string) error {
	return disk.WriteFile(p.trustFile(), []byte(state+"\n"), false)
}

// trusted reports whether hooks may give away the text of this clone's checkpoints.
// Where the user has decided it costs one small read.
func (p *Project) trusted(ctx context.Context) (bool, error) {
	switch state := p.trustState(); {
	case state == trustOn:
		return true, nil
	case state == trustOff:
		return false, nil
	case slices.Contains([]string{"1", "true", "yes", "on", "all"}, strings.ToLower(p.getenv()("CKPT_TRUST"))):
		return true, nil
	case state == "" && p.changedBefore():
		_ = p.setTrust(trustOn) // the next look finds the same
		return true, nil
	}
	return p.trustedByConfig(ctx)
}

// changedBefore reports whether a ckpt that kept no record of trust has changed
// something in this clone, in any of its worktrees: such a change left its journal.
func (p *Project) changedBefore() bool {
	common := p.Repo.CommonDir()
	if disk.HasJournal(filepath.Join(common, "ckpt")) {
		return true
	}
	others, _ := filepath.Glob(filepath.Join(common, "worktrees", "*", "ckpt"))
	return slices.ContainsFunc(others, disk.HasJournal)
}

// trustedByConfig reports whether a pattern of the user's ckpt.trust matches where this
// clone comes from. Settings of the repository itself do not count: its files may have
// brought them (include.path).
func (p *Project) trustedByConfig(ctx context.Context) (bool, error) {
	if _, set, err := p.Repo.Config(ctx, "ckpt.trust"); !set || err != nil {
		return false, err
	}
	settings, err := p.Repo.Settings(ctx)
	if err != nil {
		return false, err
	}
	var patterns []string
	for _, s := range settings {
		if s.Key == "ckpt.trust" && s.Own() {
			patterns = append(patterns, strings.Fields(s.Value)...)
		}
	}
	if slices.Contains(patterns, "all") {
		return true, nil
	}
	urls := origins(settings)
	return len(urls) > 0 && !slices.ContainsFunc(urls, func(url string) bool {
		return !slices.ContainsFunc(patterns, func(glob string) bool { return matchesURL(glob, url) })
	}), nil
}

// origins are the URLs that the clone comes from: those of the remote "origin", or,
// where there is none, of all remotes.
func origins(settings []git.Setting) []string {
	var urls, all []string
	for _, s := range settings {
		name, is := strings.CutSuffix(s.Key, ".url")
		if name, remote := strings.CutPrefix(name, "remote."); is && remote {
			if all = append(all, s.Value); name == "origin" {
				urls = append(urls, s.Value)
			}
		}
	}
	if len(urls) == 0 {
		return all
	}
	return urls
}

var globs = strings.NewReplacer(`\*\*`, `.*`, `\*`, `[^/]*`, `\?`, `[^/]`)

// matchesURL reports whether a URL fits a pattern as in git's includeIf: * stops at a
// slash, ** does not. A URL that climbs with ".." fits none.
func matchesURL(glob, url string) bool {
	if strings.Contains(url, "..") || strings.Contains(strings.ToLower(url), "%2e") {
		return false
	}
	expr := text.Regexp(`^` + globs.Replace(regexp.QuoteMeta(strings.TrimSuffix(glob, ".git"))) + `$`)
	return expr.MatchString(strings.TrimSuffix(url, ".git"))
}

// trustByChange remembers that a command has changed something in this clone. A change
// by a hook is not the user's: it only records that it was none of an older ckpt.
func (p *Project) trustByChange() {
	state := p.trustState()
	switch {
	case p.inHook && state == "":
		_ = p.setTrust(byHook) // as below
	case !p.inHook && (state == "" || state == byHook):
		_ = p.setTrust(trustOn) // the change is made: a session that is greeted by one line is no reason to fail
	}
}

// Trust lets hooks show this clone's checkpoints to an agent, or, with off, not any
// more.
func (p *Project) Trust(ctx context.Context, off bool) (*result.Receipt, error) {
	receipt := &result.Receipt{Op: "trust", Summary: "this clone"}
	state := trustOn
	if off {
		state = trustOff
		receipt.Summary = "no longer this clone"
	}
	if whose := p.whose(ctx); whose != "" {
		receipt.Summary += ", with " + whose
	}
	switch {
	case p.trustState() == state:
		receipt.Unchanged = true
		return receipt, nil
	case p.DryRun:
		receipt.DryRun, receipt.Diff = true, "trust: "+receipt.Summary+"\n"
		return receipt, nil
	}
	if err := p.setTrust(state); err != nil {
		return nil, fault.New(fault.Failed, "remember it: %w", err)
	}
	receipt.Pending = "for this clone alone"
	return receipt, nil
}

const (
	authorsLooked = 200                    // commits
	authorsNamed  = 3                      // people
	authorsWait   = 700 * time.Millisecond // a session that starts is waiting
)

// whose says whose checkpoints a clone has, by the authors of their commits; "" where
// git knows none.
func (p *Project) whose(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, authorsWait)
	defer cancel()
	authors, err := p.Repo.Authors(ctx, p.prefix, authorsLooked)
	if err != nil || len(authors) == 0 {
		return ""
	}
	var names []string
	for _, a := range authors[:min(len(authors), authorsNamed)] {
		names = append(names, text.Person(a.Name, a.Email))
	}
	if more := len(authors) - len(names); more > 0 {
		names = append(names, text.Count(more, "other"))
	}
	return "checkpoints by " + strings.Join(names, ", ")
}

// greetStranger gives a session that starts in a clone that the user has not trusted
// one line in place of the brief. None of it is a checkpoint's text.
func (p *Project) greetStranger(ctx context.Context) (protocol.Answer, error) {
	files, err := p.Store.Files(store.Live)
	if err != nil || !slices.ContainsFunc(files, isCheckpointPath) {
		return protocol.Answer{}, err
	}
	whose := p.whose(ctx)
	if whose == "" {
		whose = "checkpoints whose author git does not know"
	}
	return protocol.Answer{Context: fmt.Sprintf("ckpt: this clone has %s. The user has not trusted it yet, so their text is not shown: it is not the user's word. "+
		"It is for the user to decide: `ckpt resume` prints the brief, `ckpt trust` lets every session begin with it.\n", whose)}, nil
}
