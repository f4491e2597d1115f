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

// Content is what the files say.
type Content struct {
	Active, Archived, Unreadable int
	Bytes                        int // of all of them
	Decisions, Superseded        int
	Learnings                    int
	Tokens                       int // as checkpoints say (tokens_used)
}

// Figures is the answer.
type Figures struct {
	Content
	Saves  map[string]int // the operations of history, by their name
	Days   []Day          // of the last two weeks, the oldest first; from the first with a delta
	Since  time.Time      // from when on this clone has noted its commands; zero for never
	Save   Local
	Resume Local
}

// Day is how many deltas a day has.
type Day struct {
	Date   string `json:"date"` // 2026-01-02, UTC
	Deltas int    `json:"deltas"`
}

// Local is what this clone has noted of one kind of command.
type Local struct {
	Sum
	TookAt, BytesAt map[float64]float64 // quantiles of the last ones: milliseconds, bytes
}

// Quantiles are those that are told.
var Quantiles = []float64{0.5, 0.95, 1}

// days is how far back deltas are counted by day.
const days = 14

// Of puts the figures together.
func Of(history []Operation, files Content, log *Log, now time.Time) *Figures {
	f := &Figures{Content: files, Saves: map[string]int{}, Since: log.Since}
	perDay := map[string]int{}
	for _, o := range history {
		f.Saves[strings.ToValidUTF8(o.Op, "\uFFFD")]++ // as it is printed: no name stands twice
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

// Ops are the operations that history has, the most frequent first.
func (f *Figures) Ops() []string {
	return slices.SortedFunc(maps.Keys(f.Saves), func(a, b string) int {
		if f.Saves[a] != f.Saves[b] {
			return f.Saves[b] - f.Saves[a]
		}
		return slices.Compare([]byte(a), []byte(b))
	})
}

// All is how many operations history has.
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

// quantiles are the smallest values that so many of all do not exceed; nil for none.
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
