package stats

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Operation is one operation of history.
type Operation struct {
	Op string
	At time.Time
}

// Content has the figures that come from the files.
type Content struct {
	Active, Archived, Unreadable int
	Bytes                        int // the total size of the files
	Decisions, Superseded        int
	Learnings                    int
	Tokens                       int // the total of tokens_used in the checkpoints
}

// Figures is the answer of `ckpt stats`.
type Figures struct {
	Content
	Saves  map[string]int // the numbers of operations in history, by name
	Days   []Day          // the days of the last two weeks, oldest first, beginning with the first one that has a delta
	Since  time.Time      // when this clone began to record its commands; zero if it never did
	Save   Local
	Resume Local
}

// Day is a day with its number of deltas.
type Day struct {
	Date   string `json:"date"`   // 2026-01-02, UTC
	Deltas int    `json:"deltas"` // the number of deltas
}

// Local has what this clone has recorded about one kind of command.
type Local struct {
	Sum
	TookAt, BytesAt map[float64]float64 // quantiles of the last values: in milliseconds, and in bytes
}

// Quantiles are the quantiles that are reported.
var Quantiles = []float64{0.5, 0.95, 1}

// days is the number of days for which deltas are counted.
const days = 14

// Of computes the figures.
func Of(history []Operation, files Content, log *Log, now time.Time) *Figures {
	f := &Figures{Content: files, Saves: map[string]int{}, Since: log.Since}
	perDay := map[string]int{}
	for _, o := range history {
		f.Saves[strings.ToValidUTF8(o.Op, "\uFFFD")]++ // use the printed form, so that no name occurs twice
		if o.Op == "delta" {
			perDay[o.At.UTC().Format(time.DateOnly)]++
		}
	}
	for back := days - 1; back >= 0; back-- {
		date := now.UTC().AddDate(0, 0, -back).Format(time.DateOnly)
		if n := perDay[date]; n > 0 || len(f.Days) > 0 {
			f.Days = append(f.Days, Day{date, n})
		}
	}
	f.Save, f.Resume = local(log, Save), local(log, Resume)
	return f
}

// Ops returns the names of the operations in history, the most frequent first.
func (f *Figures) Ops() []string {
	return slices.SortedFunc(maps.Keys(f.Saves), func(a, b string) int {
		if f.Saves[a] != f.Saves[b] {
			return f.Saves[b] - f.Saves[a]
		}
		return slices.Compare([]byte(a), []byte(b))
	})
}

// All returns the number of operations in history.
func (f *Figures) All() int {
	n := 0
	for _, count := range f.Saves {
		n += count
	}
	return n
}

func local(log *Log, kind Kind) Local {
	l := Local{Sum: log.Sums[kind]}
	var took, size []float64
	for _, e := range log.Entries {
		if e.Kind == kind {
			took = append(took, float64(e.Took.Microseconds())/1000)
			size = append(size, float64(e.Bytes))
		}
	}
	l.TookAt, l.BytesAt = quantiles(took), quantiles(size)
	return l
}

// quantiles returns for each quantile the smallest value that at least this share of all values
// does not exceed; nil without values.
func quantiles(values []float64) map[float64]float64 {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	all := map[float64]float64{}
	for _, q := range Quantiles {
		at := int(q*float64(len(values))+0.999999) - 1
		all[q] = values[min(max(at, 0), len(values)-1)]
	}
	return all
}
