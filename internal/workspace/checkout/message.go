package checkout

import (
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/text"
)

// message returns the message of a commit that publishes operations on the branch of f. It is the message of the only
// operation, or one that lists them.
func (b Branch) message(ctx context.Context, f *Found, tip string, files []change.File, p Publishing) (string, error) {
	operations, err := b.unpublished(ctx, f, tip)
	if err != nil {
		return "", err
	}
	switch {
	case len(operations) == 0 && len(p.Besides) == len(files):
		return p.Message, nil
	case len(operations) == 1:
		return withoutMaker(operations[0]), nil
	}
	subject, body := "ckpt: "+OpPublish+": what "+f.State.Branch+" lacked", ""
	var trailers []string
	for _, message := range operations {
		first, rest, _ := strings.Cut(withoutMaker(message), "\n")
		body += "\n- " + strings.TrimPrefix(first, "ckpt: ")
		for line := range strings.SplitSeq(rest, "\n") {
			goes := strings.HasPrefix(line, "Checkpoint: ") || goesBack.Get().MatchString(line)
			if goes && !slices.Contains(trailers, line) {
				trailers = append(trailers, line)
			}
		}
	}
	if n := len(operations); n > 1 {
		subject = "ckpt: " + OpPublish + ": " + text.Count(n, "operation")
	}
	if body != "" {
		body += "\n"
	}
	trailers = append(trailers, "Checkpoint-Op: "+OpPublish, "Checkpoint-Ref: "+tip)
	return subject + "\n" + body + "\n" + strings.Join(trailers, "\n") + "\n", nil
}

// unpublished returns the messages of the operations that the branch of f has yet to get, and can get now.
func (b Branch) unpublished(ctx context.Context, f *Found, tip string) ([]string, error) {
	l, err := b.ledger()
	if err != nil {
		return nil, err
	}
	var commits, all []string
	for _, d := range l.owed {
		if d.isTo(f.State.Branch) && !f.leavesOut(d) && !slices.Contains(commits, d.commit) {
			commits = append(commits, d.commit)
		}
	}
	phantoms := "" // operations that never came onto the ref: ckpt was killed, or another program moved the ref
	if len(commits) > 0 && !slices.Equal(commits, []string{tip}) {
		out, err := b.Repo.Offline().Git(ctx, nil, append([]string{"rev-list", "--ignore-missing", "^" + tip}, commits...)...)
		if err != nil {
			return nil, err
		}
		phantoms = string(out)
	}
	for _, commit := range commits {
		c, err := b.Repo.Objects().Commit(ctx, commit)
		if err == nil && !strings.Contains(phantoms, commit) { // git may have removed a phantom
			all = append(all, c.Message)
		}
	}
	return all, nil
}

// goesBack matches the trailer of an operation that may restore an earlier version of a file on purpose.
var goesBack = text.Regexp(`^Checkpoint-Op: (undo|redo|restore|save)$`)

// withoutMaker returns a message without the trailers that only the ref needs.
func withoutMaker(message string) string { return onRefOnly.Get().ReplaceAllString(message, "") }

var onRefOnly = text.Regexp(`(?m)^Checkpoint-(Branch|Current|Head|Passed|Worktree|Agent|Session): .*\n?`)
