// Package remote finds the branch that a branch follows, compares the two, fetches and pushes. All
// network traffic is by git: credentials, ssh, proxies and hooks are as the user has them. It never
// pushes by force.
package remote

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/log"
)

// Remote fetches from and pushes to the remotes of a repository.
type Remote struct{ repo *git.Repo }

// Of returns the remote of a repository.
func Of(repo *git.Repo) Remote { return Remote{repo: repo} }

// Upstream is the branch of a remote that the user's branch follows.
type Upstream struct {
	Branch, Remote string
	Ref            string // its name at the remote: refs/heads/main
	Tracking       string // the remote-tracking ref: refs/remotes/origin/main
	Assumed        bool   // it is not configured, but assumed since the two branches have the same name

	alone bool // it is the checkpoint ref: no hook runs, and nothing is pushed along with it
}

// Name returns the name of the upstream as git shows it: origin/main.
func (u Upstream) Name() string {
	if u.alone {
		return u.place() + "/" + u.Branch
	}
	return strings.TrimPrefix(u.Tracking, "refs/remotes/")
}

// Short returns the name of the branch at the remote: main.
func (u Upstream) Short() string { return strings.TrimPrefix(u.Ref, "refs/heads/") }

// Upstream returns the upstream of the current branch. A branch without one follows the branch of
// the same name at the only remote, or at "origin". It refuses an upstream that is not a branch of
// a remote, or to which git would not push.
func (n Remote) Upstream(ctx context.Context) (u Upstream, err error) {
	head, err := n.repo.Head()
	switch {
	case err != nil:
		return u, err
	case head.Branch() == "":
		return u, fault.New(fault.Unsupported, "HEAD is detached: sync needs a branch").WithHint("git switch BRANCH")
	case head.Hash == "":
		return u, fault.New(fault.Unsupported, "the branch %q has no commit yet", head.Branch()).WithHint("ckpt init")
	}
	rows, err := n.repo.Refs().List(ctx,
		[]string{"refname", "upstream", "upstream:remotename", "upstream:remoteref", "push:remotename"}, head.Ref)
	if err != nil {
		return u, err
	}
	if len(rows) == 0 || rows[0][1] == "" {
		return n.assumedUpstream(ctx, head.Branch())
	}
	row := rows[0]
	u = Upstream{Branch: head.Branch(), Tracking: row[1], Remote: row[2], Ref: row[3]}
	push := row[4]
	switch {
	case u.Remote == "" || u.Remote == ".":
		return u, fault.New(fault.Unsupported, "%s follows %s, which is not a branch of a remote", u.Branch, u.Tracking).
			WithHint("git push -u origin %s", u.Branch)
	case u.Ref != head.Ref:
		return u, fault.New(fault.Unsupported, "%s follows %s, a branch of another name: its commits would go there",
			u.Branch, u.Name()).WithHint("git push -u %s %s", u.Remote, u.Branch)
	case push != "" && push != u.Remote:
		return u, fault.New(fault.Unsupported, "%s comes from %s and is pushed to %s", u.Branch, u.Remote, push).
			WithHint("git pull, git push")
	}
	return u, nil
}

func (n Remote) assumedUpstream(ctx context.Context, branch string) (u Upstream, err error) {
	remotes, err := n.repo.Git(ctx, nil, "remote")
	if err != nil {
		return u, err
	}
	names := strings.Fields(string(remotes))
	if len(names) == 0 {
		return u, fault.New(fault.NotFound, "this repository has no remote").WithHint("git remote add origin URL")
	}
	name := names[0]
	if slices.Contains(names, "origin") {
		name = "origin"
	}
	u = Upstream{Branch: branch, Remote: name, Ref: "refs/heads/" + branch,
		Tracking: "refs/remotes/" + name + "/" + branch, Assumed: true}
	if len(names) > 1 && name != "origin" {
		return u, u.NotFollowed()
	}
	return u, nil
}

// NotFollowed returns the error for a branch without an upstream.
func (u Upstream) NotFollowed() error {
	return fault.New(fault.NotFound, "the branch %q follows no branch of a remote", u.Branch).
		WithHint("git push -u %s %s", u.Remote, u.Branch)
}

// Tip returns the upstream's commit as of the last fetch; "" if the remote has no such branch.
func (n Remote) Tip(ctx context.Context, u Upstream) (string, error) {
	return n.repo.Refs().Read(ctx, u.Tracking)
}

// DefaultBranch returns the default branch of the remote, as "refs/heads/main"; "" if it is not
// known. It asks the remote only if this clone has no record of it.
func (n Remote) DefaultBranch(ctx context.Context, u Upstream) (string, error) {
	out, err := n.repo.Git(ctx, nil, "symbolic-ref", "-q", "refs/remotes/"+u.Remote+"/HEAD")
	if err == nil {
		return "refs/heads/" + strings.TrimPrefix(strings.TrimSpace(string(out)), "refs/remotes/"+u.Remote+"/"), nil
	}
	out, _, err = n.repo.Network(ctx, nil, "ls-remote", "--symref", "--", u.Remote, "HEAD")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(out)) {
		if ref, is := strings.CutPrefix(line, "ref: "); is {
			ref, _, _ = strings.Cut(ref, "\t")
			return ref, nil
		}
	}
	return "", nil
}

// AheadBehind returns the newest common ancestor of two commits, "" for none, and the commits that
// only one of them has as ancestors, the newest first.
func (n Remote) AheadBehind(ctx context.Context, ours, theirs string) (base string, ahead, behind []string, err error) {
	if ours == theirs {
		return ours, nil, nil, nil
	}
	out, err := n.repo.Git(ctx, nil, "rev-list", "--topo-order", "--left-right", "--boundary", ours+"..."+theirs)
	if err != nil {
		return "", nil, nil, err
	}
	bases := 0
	for line := range strings.Lines(string(out)) {
		commit := strings.TrimSpace(line[1:])
		switch line[0] {
		case '<':
			ahead = append(ahead, commit)
		case '>':
			behind = append(behind, commit)
		case '-':
			base = commit
			bases++
		}
	}
	if bases > 1 { // the one that was printed may not be the newest
		base, err = log.Of(n.repo).MergeBase(ctx, ours, theirs)
	}
	return base, ahead, behind, err
}

// CountTouching counts the ancestors of to that touch a file below dir and are not ancestors of the
// others.
func (n Remote) CountTouching(ctx context.Context, dir, to string, others ...string) (int, error) {
	args := []string{"rev-list", "--count", "--full-history", to}
	for _, other := range others {
		if other != "" {
			args = append(args, "^"+other)
		}
	}
	out, err := n.repo.Git(ctx, nil, append(args, "--", dir)...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

// Unpublished returns the commits of HEAD that no branch of the remote contained at the last fetch.
func (n Remote) Unpublished(ctx context.Context, u Upstream) ([]string, error) {
	out, err := n.repo.Git(ctx, nil, "rev-list", "HEAD", "--not", "--remotes="+u.Remote)
	return strings.Fields(string(out)), err
}

// Outside returns those of the commits that touch a file outside a folder, each with its subject. A
// merge counts only if it changed such a file itself.
func (n Remote) Outside(ctx context.Context, commits []string, dir string) (map[string]string, error) {
	found := map[string]string{}
	if len(commits) == 0 {
		return found, nil
	}
	out, err := n.repo.Git(ctx, []byte(strings.Join(commits, "\n")+"\n"), "--no-literal-pathspecs", "diff-tree", "--stdin",
		"--root", "-c", "-r", "--name-only",
		"--format=%x00%H %h %s", "--", ".", ":(exclude,literal)"+dir)
	commit, subject := "", ""
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if named, ok := strings.CutPrefix(line, "\x00"); ok {
			commit, subject, _ = strings.Cut(named, " ")
		} else if line != "" { // the line names a file; a merge is listed even without files
			found[commit] = subject
		}
	}
	return found, err
}

// Contains reports whether a commit equals another one or is its descendant.
func (n Remote) Contains(ctx context.Context, commit, ancestor string) (bool, error) {
	if commit == ancestor {
		return true, nil
	}
	_, err := n.repo.Git(ctx, nil, "merge-base", "--is-ancestor", ancestor, commit)
	if git.ExitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}

// equalLimit is how many commits of each side LastEqual reads at most.
const equalLimit = 500

// LastEqual returns the newest commit of theirs whose folder dir is identical to that of a commit
// of ours; "" for none. Both lists begin with the newest commit. At that point the two sides had
// the same checkpoints, although their histories do not show it: one side was squashed or rebased,
// or pushed its checkpoints without its code.
func (n Remote) LastEqual(ctx context.Context, ours, theirs []string, dir string) (string, error) {
	ours, theirs = ours[:min(len(ours), equalLimit)], theirs[:min(len(theirs), equalLimit)]
	var in strings.Builder
	for _, commit := range slices.Concat(ours, theirs) {
		in.WriteString(commit + ":" + dir + "\n")
	}
	out, err := n.repo.Git(ctx, []byte(in.String()), "cat-file", "--batch-check=%(objectname) %(objecttype)")
	if err != nil {
		return "", err
	}
	had := map[string]bool{}
	for i, line := range strings.Split(string(out), "\n") {
		tree, isTree := strings.CutSuffix(line, " tree")
		switch {
		case !isTree: // this commit does not have the folder
		case i < len(ours):
			had[tree] = true
		case had[tree]:
			return theirs[i-len(ours)], nil
		}
	}
	return "", nil
}

// All network traffic is by git, so credentials, ssh, proxies and hooks are those that the user has
// configured.

// ErrRejected means that another user has moved the branch of the remote, or that another git
// program has a lock: fetch and push again.
var ErrRejected = errors.New("another clone changed it at the same time")

// ErrDeclined means that a hook of the remote refused a push, for a reason unknown to git. Another
// push may be accepted.
var ErrDeclined = errors.New("a hook of the remote refused the push")

// ErrProtected means that the remote does not let the user push to this branch.
var ErrProtected = errors.New("the branch is protected")

// ErrRefused means that the remote refused a push, for another reason.
var ErrRefused = errors.New("the remote refused the push")

// Fetch updates the remote-tracking branches. Git's progress is written to watch, if that is not
// nil. ErrRejected means that another git program is fetching.
func (n Remote) Fetch(ctx context.Context, u Upstream, watch io.Writer) error {
	_, said, err := n.repo.Network(ctx, watch, "fetch", "--no-write-fetch-head", "--no-recurse-submodules",
		"--no-auto-maintenance", "--", u.Remote)
	if err != nil && containsAny(said, lockMessages) {
		return fault.New(fault.Busy, "fetch from %s: %w", u.Remote, ErrRejected).WithHint("try again")
	}
	return err
}

// Push sends a commit to the upstream's branch, and nothing else; never by force. The error wraps
// ErrRejected, ErrDeclined, ErrProtected or ErrRefused if it is one of these.
func (n Remote) Push(ctx context.Context, u Upstream, commit string, watch io.Writer) error {
	args := []string{"--porcelain", "--", u.Remote, commit + ":" + u.Ref}
	if u.alone {
		args = append([]string{"--no-verify", "--no-follow-tags", "--recurse-submodules=no"}, args...)
	}
	out, said, err := n.repo.Network(ctx, watch, "push", args...)
	if err == nil {
		return nil
	}
	refusal := "" // "[remote rejected] (pre-receive hook declined)"
	for line := range strings.Lines(string(out)) {
		if part := strings.Split(strings.TrimSpace(line), "\t"); part[0] == "!" && len(part) == 3 {
			refusal = part[2]
		}
	}
	words := remoteWords(said)
	switch {
	case refusal == "":
		return err
	case containsAny(refusal, outrunMessages):
		return fault.New(fault.Busy, "%s: %w", u.Name(), ErrRejected).WithHint("try again")
	case containsAny(refusal+"\n"+words, protectedMessages) && !strings.Contains(strings.ToLower(words), "secrets"):
		return fault.New(fault.Refused, "%s of %s: %w: %s", u.Short(), u.place(), ErrProtected, cmp.Or(words, refusal))
	case strings.Contains(refusal, "hook declined"):
		return fault.New(fault.Refused, "%s of %s: %w: %s", u.Short(), u.place(), ErrDeclined, cmp.Or(words, refusal))
	}
	return fault.New(fault.Refused, "%s of %s: %w: %s", u.Short(), u.place(), ErrRefused,
		cmp.Or(words, refusal))
}

// lockMessages are parts of git's messages if another program has a lock here.
var lockMessages = []string{"cannot lock ref", ".lock': file exists", "unable to create"}

// outrunMessages are parts of the reason for a refused push if another user has moved the branch.
var outrunMessages = []string{"[rejected]", "cannot lock ref", "failed to update ref", "incorrect old value provided",
	"reference already exists", "failed to lock", "unable to migrate objects"}

// protectedMessages are parts of the messages of hosts about a branch to which the user must not
// push: GitHub, GitLab, Gitea and Forgejo; Bitbucket Cloud and Server; Azure DevOps; Gerrit.
var protectedMessages = []string{
	"gh006", "gh013", "protected branch",
	"permission denied to update branch", "can only be modified through pull requests",
	"tf402455", "prohibited by gerrit",
}

func containsAny(text string, parts []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// remoteWords returns what the remote printed for the user, without git's own lines.
func remoteWords(said string) string {
	var lines []string
	for line := range strings.Lines(said) {
		if line, is := strings.CutPrefix(line, "remote:"); is {
			line = strings.TrimSpace(line)
			if line != "" {
				lines = append(lines, line)
			}
		}
	}
	return strings.Join(lines, "\n")
}
