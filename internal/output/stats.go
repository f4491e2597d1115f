package output

import (
	"fmt"
	"strings"

	"example.com/ckpt/internal/stats"
	"example.com/ckpt/internal/text"
)

// barWidth is the longest bar, in columns.
const barWidth = 24

// Stats tells the figures, with a bar for each day on a terminal.
func (p Text) Stats(f *stats.Figures) error {
	style := p.pen()
	line := func(name string, value int, about ...string) {
		p.row(style.Bold(fmt.Sprintf("%-13s", name)), value, style.Dim(strings.Join(about, ", ")))
	}
	var ops []string
	for _, op := range f.Ops() {
		ops = append(ops, fmt.Sprintf("%s %d", op, f.Saves[op]))
	}
	line("saves", f.All(), ops...)
	about := []string{fmt.Sprintf("%d active", f.Active), fmt.Sprintf("%d archived", f.Archived), bytesOf(float64(f.Bytes))}
	if f.Unreadable > 0 {
		about = append(about, fmt.Sprintf("%d unreadable (ckpt doctor)", f.Unreadable))
	}
	line("checkpoints", f.Active+f.Archived, about...)
	line("decisions", f.Decisions, fmt.Sprintf("%d superseded", f.Superseded))
	line("learnings", f.Learnings)
	line("tokens used", f.Tokens, "as checkpoints say")
	if f.Since.IsZero() {
		p.remark("this clone has noted no command yet: resumes and latencies begin with the next one")
	} else {
		p.printf("\nThis clone, since %s\n", minute(f.Since))
		line("saves", f.Save.Count, latency(f.Save, bytesOf(float64(f.Save.Bytes))+" written")...)
		line("resumes", f.Resume.Count, latency(f.Resume, text.Count(f.Resume.Steps, "step")+" recovered")...)
	}
	if len(f.Days) > 0 {
		p.printf("\nDeltas per day\n")
	}
	most := 0
	for _, d := range f.Days {
		most = max(most, d.Deltas)
	}
	for _, d := range f.Days {
		bar := ""
		if p.Streams.OutIsTerminal() {
			bar = strings.Repeat("█", (d.Deltas*barWidth+most-1)/most)
		}
		p.row(style.Plain(fmt.Sprintf("%-13s", d.Date)), d.Deltas, style.Green(bar))
	}
	return p.done()
}

func (p Text) row(name ink, value int, about ink) {
	if about == "" {
		p.printf("%s %8d\n", name, value)
		return
	}
	p.printf("%s %8d  %s\n", name, value, about)
}

// latency is how long commands took, and what else there is to say of them.
func latency(l stats.Local, about string) []string {
	if len(l.TookAt) == 0 {
		return []string{about}
	}
	return []string{about, fmt.Sprintf("median %.1f ms", l.TookAt[0.5]), fmt.Sprintf("95 %% within %.1f ms", l.TookAt[0.95])}
}

func bytesOf(n float64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%.0f bytes", n)
	case n < 1e6:
		return fmt.Sprintf("%.1f KB", n/1e3)
	}
	return fmt.Sprintf("%.1f MB", n/1e6)
}
