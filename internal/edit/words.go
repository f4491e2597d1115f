package edit

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/fault"
)

// takeUp returns which of the user's messages an operation takes up: they then count as recorded. Without
// prompt these are the messages of this session, and said is nil, because the operation has words of its
// own for them. With prompt, said has the messages that no operation took up, oldest first: those of all
// sessions, or of the newest one if this session is unknown. Then takeUp fails if no message was ever
// recorded, or if none is left to take up and hasText is false.
func takeUp(p *Editor, prompt, hasText bool) (takes []record.Words, said []record.Entry, err error) {
	if !prompt {
		return []record.Words{{Session: p.Session}}, nil, nil
	}
	all, heard := p.Recorder.Untaken()
	for _, w := range all {
		if len(w.Said) > 0 && (p.Session != "" || said == nil) {
			takes, said = append(takes, w), append(said, w.Said...)
		}
	}
	if !heard || said == nil && !hasText {
		state := map[bool]string{true: "left to take up", false: "recorded in this worktree"}[heard]
		return nil, nil, fault.New(fault.NotFound, "no message of the user is %s", state).
			WithHint("leave --prompt out, and write down what the user wants: --intent TEXT (new), --rule TEXT (new, delta)")
	}
	slices.SortStableFunc(said, func(a, b record.Entry) int { return a.At.Compare(b.At) })
	return takes, said, nil
}

// quoted returns messages for the Session Intent, word for word.
func quoted(said []record.Entry) string {
	var all []string
	for _, s := range said {
		all = append(all, s.Message())
	}
	return strings.Join(all, "\n\n")
}
