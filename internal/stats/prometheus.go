package stats

import (
	"fmt"
	"strconv"
	"strings"
)

// Prometheus returns the figures in the text format of Prometheus, version 0.0.4. Metrics that a
// source names (docs/sources.md, S002) keep the names from there.
func (f *Figures) Prometheus() string {
	var e exposition
	e.metric("checkpoint_save_count", "counter", "Operations on checkpoints that history has, by what they did.")
	for _, op := range f.Ops() {
		e.sample("checkpoint_save_count", float64(f.Operations[op]), "op", op)
	}
	if f.Saves == 0 {
		e.sample("checkpoint_save_count", 0)
	}
	e.metric("checkpoint_resume_count", "counter",
		"Briefs and JSON that were loaded in this clone, and plans that went on.")
	e.sample("checkpoint_resume_count", float64(f.ResumeCount))
	e.summary("checkpoint_save_size_bytes", "Bytes of the files that a save wrote, in this clone.", f.SaveSize,
		f.SaveCount)
	e.summary("checkpoint_save_latency_ms", "Milliseconds that a save took, from the lock to the commit, in this clone.",
		f.SaveLatency, f.SaveCount)
	e.summary("checkpoint_resume_latency_ms", "Milliseconds that a brief took, in this clone.", f.ResumeLatency,
		f.ResumeCount)
	e.metric("steps_recovered", "counter", "Steps that were done and came back with a resume, in this clone.")
	e.sample("steps_recovered", float64(f.Steps))
	e.metric("ckpt_checkpoints", "gauge", "Checkpoints, by where they are.")
	e.sample("ckpt_checkpoints", float64(f.Active), "status", "active")
	e.sample("ckpt_checkpoints", float64(f.Archived), "status", "archived")
	e.sample("ckpt_checkpoints", float64(f.Unreadable), "status", "unreadable")
	e.metric("ckpt_bytes", "gauge", "Bytes of all checkpoints.")
	e.sample("ckpt_bytes", float64(f.Bytes))
	e.metric("ckpt_tokens_used", "gauge", "Tokens used, as the checkpoints say.")
	e.sample("ckpt_tokens_used", float64(f.Tokens))
	e.metric("ckpt_decisions", "gauge", "Decisions, by whether they still hold.")
	e.sample("ckpt_decisions", float64(f.Decisions), "state", "live")
	e.sample("ckpt_decisions", float64(f.Superseded), "state", "superseded")
	e.metric("ckpt_learnings", "gauge", "Learnings.")
	e.sample("ckpt_learnings", float64(f.Learnings))
	return e.String()
}

// exposition is text in the format of Prometheus.
type exposition struct{ strings.Builder }

func (e *exposition) metric(name, kind, help string) {
	fmt.Fprintf(e, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sample writes a value; a label is a name and its value.
func (e *exposition) sample(name string, value float64, label ...string) {
	if len(label) > 0 {
		text := strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`).Replace(label[1])
		name += "{" + label[0] + `="` + text + `"}`
	}
	fmt.Fprintf(e, "%s %s\n", name, strconv.FormatFloat(value, 'f', -1, 64))
}

// summary writes quantiles, sum and count.
func (e *exposition) summary(name, help string, s Spread, count int) {
	e.metric(name, "summary", help)
	if !s.None {
		e.sample(name, s.Median, "quantile", "0.5")
		e.sample(name, s.P95, "quantile", "0.95")
		e.sample(name, s.Max, "quantile", "1")
	}
	e.sample(name+"_sum", s.Sum)
	e.sample(name+"_count", float64(count))
}
