package workspace

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/progress"
	"example.com/ckpt/internal/result"
)

// Filter is whose checkpoints are meant; "" is anybody's.
type Filter struct{ Workflow, Session, Agent string }

// None says whether the filter lets everything through.
func (f Filter) None() bool { return f == Filter{} }

func (f Filter) Fits(r result.Run) bool {
	return (f.Workflow == "" || f.Workflow == r.Workflow) && (f.Session == "" || f.Session == r.Session) && (f.Agent == "" || f.Agent == r.Agent)
}

// String is the filter in words: "of workflow ship, agent claude"; "" for none.
func (f Filter) String() string {
	if f.None() {
		return ""
	}
	var words []string
	for _, w := range [][2]string{{"workflow ", f.Workflow}, {"session ", f.Session}, {"agent ", f.Agent}} {
		if w[1] != "" {
			words = append(words, w[0]+w[1])
		}
	}
	return "of " + strings.Join(words, ", ")
}

// latest is the active checkpoint that fits and was changed last; nil for none.
func Latest(set *checkpoint.Set, of Filter) *checkpoint.Checkpoint {
	fit := slices.DeleteFunc(set.Active(), func(c *checkpoint.Checkpoint) bool { return !of.Fits(progress.RunOf(c)) })
	if len(fit) == 0 {
		return nil
	}
	return slices.MinFunc(fit, checkpoint.LatestFirst)
}

// checkRun says what is wrong with a value for a key of the run.
func CheckRun(fields map[string]string) error {
	for key, value := range fields {
		_, isPercent := checkpoint.ParsePercent(value)
		switch {
		case strings.TrimSpace(value) == "":
			return fault.New(fault.Usage, "--%s is empty", key)
		case strings.ContainsAny(value, "\r\n"):
			return fault.New(fault.Usage, "--%s is more than one line", key)
		case key == "progress" && !isPercent:
			return fault.New(fault.Usage, "--progress %q is none", value).WithHint("--progress 45%%, or 3/5")
		}
	}
	return nil
}

// setRun writes what is said of the run over what the file and the environment say.
func SetRun(r *checkpoint.Revision, fields map[string]string) *checkpoint.Revision {
	for key, value := range fields {
		if value = strings.TrimSpace(value); key == "progress" && !strings.ContainsAny(value, "%/") {
			value += "%"
		}
		r.Set(key, value)
	}
	return r
}
