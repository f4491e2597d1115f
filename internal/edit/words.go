package edit

import (
	"strings"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/fault"
)

// prompts returns what the user said and the next operation takes up, the oldest message first; none
// if it is not asked for. If no message is recorded at all, that is an error.
func prompts(p *Editor, asked bool) ([]record.Said, error) {
	if !asked {
		return nil, nil
	}
	all, heard := p.unrecorded.Prompts()
	if !heard {
		return nil, fault.New(fault.NotFound, "no message of the user is recorded in this worktree").
			WithHint("leave --prompt out, and write down what the user wants: --intent TEXT (new), --rule TEXT (new, delta)")
	}
	p.recorder.Takes = all
	return record.InOrder(all), nil
}

// quoted returns messages for the Session Intent, word for word.
func quoted(said []record.Said) string {
	var all []string
	for _, s := range said {
		all = append(all, s.Markdown())
	}
	return strings.Join(all, "\n\n")
}
