package git

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/fault"
)

// Upstream is the branch that the user is on, and the one of a remote that it follows.
type Upstream struct {
	Branch, Remote string
	Ref            string // what the remote calls it: refs/heads/main
	Tracking       string // where it is kept here: refs/remotes/origin/main
	Assumed        bool   // nothing says that the branch follows it: they have one name
}

// Name is the upstream as git shows it: origin/main.
func (u Upstream) Name() string { return strings.TrimPrefix(u.Tracking, "refs/remotes/") }

// Short is the name of the branch at the remote: main.
func (u Upstream) Short() string { return strings.TrimPrefix(u.Ref, "refs/heads/") }

// Upstream returns the upstream of the current branch. One for which none is configured
// follows the branch of its name at the only remote, or at "origin". An upstream that is
// not a branch of a remote is refused, and so is one that a push would not go to.
func (r *Repo) Upstream(ctx context.Context) (u Upstream, err error) {
	head, err := r.Head()
	switch {
	case err != nil:
		return u, err
	case head.Branch() == "":
		return u, fault.New(fault.Unsupported, "HEAD is detached: sync needs a branch").WithHint("git switch BRANCH")
	case head.Hash == "":
		return u, fault.New(fault.Unsupported, "the branch %q has no commit yet", head.Branch()).WithHint("ckpt init")
	}
	out, err := r.Git(ctx, nil, "for-each-ref", "--format=%(upstream)%00%(upstream:remotename)%00%(upstream:remoteref)%00%(push:remotename)", head.Ref)
	if err != nil {
		return u, err
	}
	part := strings.Split(strings.TrimRight(string(out), "\n"), "\x00")
	if len(part) != 4 || part[0] == "" {
		return r.assumedUpstream(ctx, head.Branch())
	}
	u = Upstream{Branch: head.Branch(), Remote: part[1], Ref: part[2], Tracking: part[0]}
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

func (r *Repo) assumedUpstream(ctx context.Context, branch string) (u Upstream, err error) {
	remotes, err := r.Git(ctx, nil, "remote")
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
	u = Upstream{Branch: branch, Remote: name, Ref: "refs/heads/" + branch, Tracking: "refs/remotes/" + name + "/" + branch, Assumed: true}
	if len(names) > 1 && name != "origin" {
		return u, u.NotFollowed()
	}
	return u, nil
}

// NotFollowed returns the error for a branch that follows no branch of a remote.
func (u Upstream) NotFollowed() error {
	return fault.New(fault.NotFound, "the branch %q follows no branch of a remote", u.Branch).WithHint("git push -u %s %s", u.Remote, u.Branch)
}

// Fetched returns the upstream's commit as of the last fetch; "" where the remote has no
// such branch yet.
func (r *Repo) Fetched(ctx context.Context, u Upstream) (string, error) {
	return r.Ref(ctx, u.Tracking)
}

// DefaultBranch returns the branch that the remote has as its default, as "refs/heads/main";
// "" where git does not know. Only if this clone has not noted it the remote is asked.
func (r *Repo) DefaultBranch(ctx context.Context, u Upstream) (string, error) {
	out, err := r.Git(ctx, nil, "symbolic-ref", "-q", "refs/remotes/"+u.Remote+"/HEAD")
	if err == nil {
		return "refs/heads/" + strings.TrimPrefix(strings.TrimSpace(string(out)), "refs/remotes/"+u.Remote+"/"), nil
	}
	out, _, err = r.network(ctx, nil, "ls-remote", "--symref", "--", u.Remote, "HEAD")
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

// Apart returns the commit that two commits both began as, "" for none, and the commits
// that only one of them has grown from, the newest first.
func (r *Repo) Apart(ctx context.Context, ours, theirs string) (base string, ahead, behind []string, err error) {
	if ours == theirs {
		return ours, nil, nil, nil
	}
	out, err := r.Git(ctx, nil, "rev-list", "--topo-order", "--left-right", "--boundary", ours+"..."+theirs)
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
	if bases > 1 { // one of them, or an older one
		base, err = r.mergeBase(ctx, Merge{Ours: ours, Theirs: theirs})
	}
	return base, ahead, behind, err
}

// CountTouching counts the commits that to has and none of the others, and that touch a
// file below dir.
func (r *Repo) CountTouching(ctx context.Context, dir, to string, others ...string) (int, error) {
	args := []string{"rev-list", "--count", "--full-history", to}
	for _, other := range others {
		if other != "" {
			args = append(args, "^"+other)
		}
	}
	out, err := r.Git(ctx, nil, append(args, "--", dir)...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

// Unpublished lists the commits of HEAD that no branch of the remote, as of the last
// fetch, has.
func (r *Repo) Unpublished(ctx context.Context, u Upstream) ([]string, error) {
	out, err := r.Git(ctx, nil, "rev-list", "HEAD", "--not", "--remotes="+u.Remote)
	return strings.Fields(string(out)), err
}

// Beyond returns those of the commits that touch a file outside a folder, each with its
// subject. A merge counts where it changed such a file itself.
func (r *Repo) Beyond(ctx context.Context, commits []string, dir string) (map[string]string, error) {
	found := map[string]string{}
	if len(commits) == 0 {
		return found, nil
	}
	out, err := r.Git(ctx, []byte(strings.Join(commits, "\n")+"\n"), "--no-literal-pathspecs", "diff-tree", "--stdin", "--root", "-c", "-r", "--name-only",
		"--format=%x00%H %h %s", "--", ".", ":(exclude,literal)"+dir)
	commit, subject := "", ""
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if named, ok := strings.CutPrefix(line, "\x00"); ok {
			commit, subject, _ = strings.Cut(named, " ")
		} else if line != "" { // a file; a merge is named also where there is none
			found[commit] = subject
		}
	}
	return found, err
}
