package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/fault"
)

// What goes over a network is git's own work: credentials, ssh, proxies and hooks are
// as the user has them.

// Upstream is the branch that the user is on, and the one of a remote that it follows.
type Upstream struct {
	Branch, Remote string
	Ref            string // what the remote calls it: refs/heads/main
	Tracking       string // where it is kept here: refs/remotes/origin/main
}

// Name is the upstream as git shows it: origin/main.
func (u Upstream) Name() string { return strings.TrimPrefix(u.Tracking, "refs/remotes/") }

// ErrRejected is a push that the remote did not take since it has commits that are
// not here.
var ErrRejected = errors.New("the remote has commits that are not here")

// Upstream is the upstream of the current branch. Where a push of the branch could go
// anywhere else it is refused, and so is whatever is no branch of a remote.
func (r *Repo) Upstream(ctx context.Context) (u Upstream, err error) {
	head, err := r.Head()
	switch {
	case err != nil:
		return u, err
	case head.Branch() == "":
		return u, fault.New(fault.Unsupported, "HEAD is detached: no branch follows a remote one").WithHint("git switch BRANCH")
	case head.Hash == "":
		return u, fault.New(fault.Unsupported, "the branch %q has no commit yet", head.Branch()).WithHint("ckpt init")
	}
	out, err := r.git(ctx, nil, "for-each-ref", "--format=%(upstream)%00%(upstream:remotename)%00%(upstream:remoteref)%00%(push:remotename)", head.Ref)
	if err != nil {
		return u, err
	}
	part := strings.Split(strings.TrimRight(string(out), "\n"), "\x00")
	if len(part) != 4 || part[0] == "" {
		return u, r.noUpstream(ctx, head.Branch())
	}
	u = Upstream{head.Branch(), part[1], part[2], part[0]}
	switch push := part[3]; {
	case u.Remote == "" || u.Remote == ".":
		return u, fault.New(fault.Unsupported, "%s follows %s, which is no branch of a remote", u.Branch, u.Tracking).WithHint("git push -u origin %s", u.Branch)
	case u.Ref != head.Ref:
		return u, fault.New(fault.Unsupported, "%s follows %s, a branch of another name: its commits would go there", u.Branch, u.Name()).WithHint("git push -u %s %s", u.Remote, u.Branch)
	case push != "" && push != u.Remote:
		return u, fault.New(fault.Unsupported, "%s comes from %s and is pushed to %s", u.Branch, u.Remote, push).WithHint("git pull, git push")
	}
	return u, nil
}

func (r *Repo) noUpstream(ctx context.Context, branch string) error {
	remotes, err := r.git(ctx, nil, "remote")
	if err != nil {
		return err
	}
	names := strings.Fields(string(remotes))
	if len(names) == 0 {
		return fault.New(fault.NotFound, "this repository has no remote").WithHint("git remote add origin URL")
	}
	name := names[0]
	if slices.Contains(names, "origin") {
		name = "origin"
	}
	return fault.New(fault.NotFound, "the branch %q follows no branch of a remote", branch).WithHint("git push -u %s %s", name, branch)
}

// Apart is how far the branch and its upstream, as last fetched, have gone apart.
type Apart struct {
	Behind, Ahead int
	To            string // the upstream's commit; "" where the remote has no such branch yet
}

// Apart counts what each side has and the other has not.
func (r *Repo) Apart(ctx context.Context, u Upstream) (a Apart, err error) {
	if a.To, err = r.refValue(ctx, u.Tracking); err != nil {
		return a, err
	}
	if a.Behind, err = r.countOf(ctx, r.coming(a)); err == nil {
		a.Ahead, err = r.countOf(ctx, r.going(u, a))
	}
	return a, err
}

// coming and going are the commits that one side has, as git log takes them.
func (r *Repo) coming(a Apart) []string {
	if a.To == "" {
		return nil
	}
	return []string{"HEAD.." + a.To}
}

func (r *Repo) going(u Upstream, a Apart) []string {
	if a.To == "" {
		return []string{"HEAD", "--not", "--remotes=" + u.Remote}
	}
	return []string{a.To + "..HEAD"}
}

func (r *Repo) countOf(ctx context.Context, span []string) (int, error) {
	if span == nil {
		return 0, nil
	}
	out, err := r.git(ctx, nil, append([]string{"rev-list"}, span...)...)
	return bytes.Count(out, []byte("\n")), err
}

// Beyond are the commits of both sides that touch a file outside a folder, each with
// its subject. A merge counts where it has itself changed one.
func (r *Repo) Beyond(ctx context.Context, u Upstream, a Apart, dir string) (coming, going []string, err error) {
	if coming, err = r.beyond(ctx, r.coming(a), dir); err == nil {
		going, err = r.beyond(ctx, r.going(u, a), dir)
	}
	return coming, going, err
}

func (r *Repo) beyond(ctx context.Context, span []string, dir string) ([]string, error) {
	if span == nil {
		return nil, nil
	}
	commits, err := r.git(ctx, nil, append([]string{"rev-list"}, span...)...)
	if err != nil || len(commits) == 0 {
		return nil, err
	}
	out, err := r.git(ctx, commits, "--no-literal-pathspecs", "diff-tree", "--stdin", "--root", "-c", "-r", "--name-only", "--abbrev-commit", "--format=%x00%h %s",
		"--", ".", ":(exclude,literal)"+dir)
	var all []string
	last := ""
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if commit, ok := strings.CutPrefix(line, "\x00"); ok {
			last = commit
		} else if line != "" && last != "" { // a file; a merge is named also where there is none
			all, last = append(all, last), ""
		}
	}
	return all, err
}

// Fetch brings the remote's branches to where git keeps them. What git shows of its
// progress goes to watch, if somebody does.
func (r *Repo) Fetch(ctx context.Context, u Upstream, watch io.Writer) error {
	_, err := r.network(ctx, watch, "fetch", "--", u.Remote)
	return err
}

// Push sends the branch to its upstream, and nothing else; never by force.
// [ErrRejected] where the remote has moved on.
func (r *Repo) Push(ctx context.Context, u Upstream, watch io.Writer) error {
	out, err := r.network(ctx, watch, "push", "--porcelain", "--", u.Remote, "HEAD:"+u.Ref)
	for line := range strings.Lines(string(out)) {
		if err != nil && strings.HasPrefix(line, "!\t") && slices.ContainsFunc(outrun, func(why string) bool { return strings.Contains(line, why) }) {
			return fault.New(fault.Busy, "%s: %w", u.Name(), ErrRejected).WithHint("try again")
		}
	}
	return err
}

// outrun is what git says of a branch that somebody else has moved, before the push or
// while it went on.
var outrun = []string{"[rejected]", "cannot lock ref", "failed to update ref", "incorrect old value provided", "reference already exists"}

// network runs git with a remote. Where nobody watches git asks nobody for a password.
func (r *Repo) network(ctx context.Context, watch io.Writer, args ...string) ([]byte, error) {
	cmd := r.command(ctx, args...)
	cmd.Env = append(cmd.Env, "LC_ALL=C")
	var out, said bytes.Buffer
	if cmd.Stdout, cmd.Stderr = &out, watch; watch == nil {
		cmd.Stderr = &said
		cmd.Env = append(cmd.Env, "GIT_TERMINAL_PROMPT=0")
	}
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && cmd.ProcessState.Exited() {
		return out.Bytes(), fault.New(fault.Failed, "%w", &exitError{args[0], strings.TrimSpace(said.String()), exit.ExitCode()})
	}
	if errors.Is(err, exec.ErrNotFound) {
		return nil, noGit()
	}
	if err != nil {
		err = fault.New(fault.Failed, "git %s: %w", args[0], err)
	}
	return out.Bytes(), err
}
