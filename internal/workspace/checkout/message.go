package checkout

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/change"
)

// message returns the message of a commit: that of the operation, or one that names all of them.
func (b Branch) message(ctx context.Context, s State, tip string, files []change.File, p Publishing) (string, error) {
	since := cmp.Or(p.Since, s.published[s.Branch])
	operations, err := b.unpublished(ctx, s, tip, since)
	if err != nil {
		return "", err
	}
	switch {
	case len(operations) == 0 && len(p.Besides) == len(files):
		return p.Message, nil
	case len(operations) == 1:
		return withoutMaker(operations[0]), nil
	}
	subject := "ckpt: " + OpPublish + ": what " + s.Branch + " lacked"
	var body, trailers []string
	for _, message := range slices.Backward(operations) {
		first, rest, _ := strings.Cut(withoutMaker(message), "\n")
		body = append(body, "- "+strings.TrimPrefix(first, "ckpt: "))
		for line := range strings.SplitSeq(rest, "\n") {
			if strings.HasPrefix(line, "Checkpoint: ") && !slices.Contains(trailers, line) {
				trailers = append(trailers, line)
			}
		}
	}
	if n := len(operations); n > 1 {
		subject = "ckpt: " + OpPublish + ": " + strconv.Itoa(n) + " operations"
	}
	text := subject + "\n\n"
	if len(body) > 0 {
		text += strings.Join(body, "\n") + "\n\n"
	}
	trailers = append(trailers, "Checkpoint-Op: "+OpPublish, "Checkpoint-Ref: "+tip)
	return text + strings.Join(trailers, "\n") + "\n", nil
}

// mostNamed is how many operations a message names.
const mostNamed = 50

// unpublished returns the messages of the operations that began on the branch of a state, or on a detached
// HEAD, since it was last published, the newest first.
func (b Branch) unpublished(ctx context.Context, s State, tip, since string) ([]string, error) {
	var all []string
	for at := tip; at != "" && at != since && len(all) < mostNamed; {
		c, err := b.Repo.Objects().Commit(ctx, at)
		if err != nil {
			return all, err
		}
		branch := trailer(c.Message, "Checkpoint-Branch")
		op := trailer(c.Message, "Checkpoint-Op")
		here := branch == s.Branch || branch == ""
		if here && op != "" && op != OpAbsorb {
			all = append(all, c.Message)
		}
		if len(c.Parents) == 0 || since == "" && len(all) > 0 {
			break
		}
		at = c.Parents[0]
	}
	return all, nil
}

// trailer returns the value of a line at the end of a message.
func trailer(message, name string) string {
	for line := range strings.SplitSeq(message, "\n") {
		if value, ok := strings.CutPrefix(line, name+": "); ok {
			return value
		}
	}
	return ""
}

// withoutMaker returns a message without the trailers that only the ref needs.
func withoutMaker(message string) string {
	var lines []string
	for line := range strings.SplitSeq(message, "\n") {
		name, _, _ := strings.Cut(line, ": ")
		switch name {
		case "Checkpoint-Branch", "Checkpoint-Head", "Checkpoint-Worktree", "Checkpoint-Agent", "Checkpoint-Session":
			continue
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
