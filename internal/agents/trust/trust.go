// Package trust decides whether hooks may show the text of a clone's checkpoints to a model.
//
// A model reads that text as if the user had written it, and a clone brings the checkpoints of whoever pushed them. So
// hooks show none of it until the user has trusted the clone: by `ckpt trust`, by a command that changed something
// here, or beforehand, by git config ckpt.trust or CKPT_TRUST. The user's decision is in a file of the git folder that
// all worktrees share. Git never sends this file anywhere.
package trust

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

// The states that the file can record. Without a file the user has not decided.
const (
	On     = "on"      // set by the user
	Off    = "off"     // set by the user: a change does not turn it on again
	byHook = "by hook" // a hook has changed something here; the user has not decided
)

// Record is the record of a clone's trust.
type Record struct {
	Repo *git.Repo
	Env  func(name string) string // returns the value of an environment variable
}

func (r Record) file() string { return filepath.Join(r.Repo.CommonDir(), "ckpt", "trust") }

// State returns the recorded state, or the empty string if the user has not decided.
func (r Record) State() string {
	src, err := disk.ReadFile(r.file())
	if err != nil {
		return Off // if the file cannot be read, assume no trust
	}
	return strings.TrimSpace(string(src))
}

// Set records a state.
func (r Record) Set(state string) error { return disk.WriteFile(r.file(), []byte(state+"\n"), false) }

// Given reports whether hooks may show the text of this clone's checkpoints. If the user has
// decided, it only reads one small file.
func (r Record) Given(ctx context.Context) (bool, error) {
	state := r.State()
	switch {
	case state == On:
		return true, nil
	case state == Off:
		return false, nil
	case slices.Contains([]string{"1", "true", "yes", "on", "all"}, strings.ToLower(r.Env("CKPT_TRUST"))):
		return true, nil
	}
	return r.givenByConfig(ctx)
}

// givenByConfig reports whether patterns of the user's ckpt.trust match every URL of the remote that this
// clone comes from. Settings of the repository itself do not count, because they may include a file that
// came with the clone (include.path).
func (r Record) givenByConfig(ctx context.Context) (bool, error) {
	if _, set, err := r.Repo.Config().Get(ctx, "ckpt.trust"); !set || err != nil {
		return false, err
	}
	settings, err := r.Repo.Config().All(ctx)
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

// origins returns the URLs of the remote "origin", or of all remotes if "origin" has none.
func origins(settings []git.Setting) []string {
	var urls, all []string
	for _, s := range settings {
		name, is := strings.CutSuffix(s.Key, ".url")
		if name, remote := strings.CutPrefix(name, "remote."); is && remote {
			all = append(all, s.Value)
			if name == "origin" {
				urls = append(urls, s.Value)
			}
		}
	}
	if len(urls) == 0 {
		return all
	}
	return urls
}

// matchesURL reports whether a URL fits a pattern as in git's includeIf: * stops at a
// slash, ** does not. A URL that contains ".." fits no pattern.
func matchesURL(glob, url string) bool {
	if strings.Contains(url, "..") || strings.Contains(strings.ToLower(url), "%2e") {
		return false
	}
	expr := regexp.QuoteMeta(strings.TrimSuffix(glob, ".git"))
	expr = strings.NewReplacer(`\*\*`, `.*`, `\*`, `[^/]*`, `\?`, `[^/]`).Replace(expr)
	return text.Regexp(`^` + expr + `$`).Get().MatchString(strings.TrimSuffix(url, ".git"))
}

// ByChange trusts a clone in which the user has changed something with a command, unless the user has decided
// against it. For a change by a hook, which is not the user's, ByChange records only that there was one. It
// ignores errors, because the change itself is done.
func (r Record) ByChange(hook bool) {
	state := r.State()
	switch {
	case hook && state == "":
		_ = r.Set(byHook)
	case !hook && (state == "" || state == byHook):
		_ = r.Set(On)
	}
}
