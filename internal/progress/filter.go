package progress

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/transfer/schema"
)

// Filter selects checkpoints by the run that they belong to. An empty field selects all.
type Filter struct{ Workflow, Session, Agent string }

// None reports whether the filter selects all checkpoints.
func (f Filter) None() bool { return f == Filter{} }

// Fits reports whether the filter selects a run.
func (f Filter) Fits(r result.Run) bool {
	fits := func(want, have string) bool { return want == "" || want == have }
	return fits(f.Workflow, r.Workflow) && fits(f.Session, r.Session) && fits(f.Agent, r.Agent)
}

// String describes the filter: "of workflow ship, agent claude". It is empty for a filter that
// selects all.
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

// Latest returns the most recently changed active checkpoint that the filter selects. It returns nil if there are none,
// or if the filter selects all.
func Latest(set *checkpoint.Set, of Filter) *checkpoint.Checkpoint {
	if of.None() {
		return nil
	}
	fit := slices.DeleteFunc(set.Active(), func(c *checkpoint.Checkpoint) bool { return !of.Fits(RunOf(c)) })
	if len(fit) == 0 {
		return nil
	}
	return slices.MinFunc(fit, checkpoint.LatestFirst)
}

// Saved returns the most recently changed active checkpoint of the session that an import names or, if it names none,
// of its workflow. It returns nil without one, or if the import names neither.
func Saved(set *checkpoint.Set, im *schema.Import) *checkpoint.Checkpoint {
	about := im.About()
	if about.Session != "" {
		return Latest(set, Filter{Session: about.Session})
	}
	return Latest(set, Filter{Workflow: about.Workflow})
}

// CheckRun returns an error if a key of a run has an invalid value.
func CheckRun(fields map[string]string) error {
	for key, value := range fields {
		_, isPercent := checkpoint.ParsePercent(value)
		switch {
		case strings.TrimSpace(value) == "":
			return fault.New(fault.Usage, "--%s is empty", key)
		case strings.ContainsAny(value, "\r\n"):
			return fault.New(fault.Usage, "--%s is more than one line", key)
		case key == "progress" && !isPercent:
			return fault.New(fault.Usage, "invalid --progress %q", value).WithHint("--progress 45%%, or 3/5")
		}
	}
	return nil
}

// SetRun sets the given keys of the run. They replace the values of the file and of the environment.
func SetRun(r *revise.Revision, fields map[string]string) *revise.Revision {
	for key, value := range fields {
		value = strings.TrimSpace(value)
		if key == "progress" && !strings.ContainsAny(value, "%/") {
			value += "%"
		}
		r.Set(key, value)
	}
	return r
}
