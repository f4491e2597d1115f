package workspace

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/text"
)

// The text of a checkpoint is read by a model as if the user had said it, and a clone
// brings the checkpoints of whoever pushed them. So hooks give no such text away until
// the user has trusted the clone: by `ckpt trust`, by a command that changed something
// here, or beforehand, by git config ckpt.trust or CKPT_TRUST. The answer is a file in
// the git folder that all worktrees share; git never sends it anywhere.

// The states of trust that the file can hold. Without a file nothing was decided.
const (
	TrustOn  = "on"  // by the user
	TrustOff = "off" // by the user: a change does not turn it on again
	byHook   = "by hook"
)

func (p *Workspace) trustFile() string { return filepath.Join(p.Repo.CommonDir(), "ckpt", "trust") }

// trustState returns the content of the file; "" for no file.
func (p *Workspace) TrustState() string {
	src, err := disk.ReadFile(p.trustFile())
	if err != nil {
		return TrustOff // unreadable: do not guess
	}
	return strings.TrimSpace(string(src))
}

func (p *Workspace) SetTrust(state string) error {
	return disk.WriteFile(p.trustFile(), []byte(state+"\n"), false)
}

// trusted reports whether hooks may give away the text of this clone's checkpoints.
// Where the user has decided it costs one small read.
func (p *Workspace) Trusted(ctx context.Context) (bool, error) {
	switch state := p.TrustState(); {
	case state == TrustOn:
		return true, nil
	case state == TrustOff:
		return false, nil
	case slices.Contains([]string{"1", "true", "yes", "on", "all"}, strings.ToLower(p.Env("CKPT_TRUST"))):
		return true, nil
	case state == "" && p.changedBefore():
		_ = p.SetTrust(TrustOn) // the next look finds the same
		return true, nil
	}
	return p.trustedByConfig(ctx)
}

// changedBefore reports whether a ckpt that kept no record of trust has changed
// something in this clone, in any of its worktrees: such a change left its journal.
func (p *Workspace) changedBefore() bool {
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
func (p *Workspace) trustedByConfig(ctx context.Context) (bool, error) {
	if _, set, err := p.Repo.Config().Get(ctx, "ckpt.trust"); !set || err != nil {
		return false, err
	}
	settings, err := p.Repo.Config().All(ctx)
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
func (p *Workspace) TrustByChange() {
	state := p.TrustState()
	switch {
	case p.InHook && state == "":
		_ = p.SetTrust(byHook) // as below
	case !p.InHook && (state == "" || state == byHook):
		_ = p.SetTrust(TrustOn) // the change is made: a session that is greeted by one line is no reason to fail
	}
}
