package stats

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/result"
)

// Figures is the answer of `ckpt stats`.
type Figures struct {
	Saves      int              `json:"saves"`         // the number of operations in history
	Operations map[string]int   `json:"operations"`    // the numbers of operations by name
	Days       result.List[Day] `json:"deltas_by_day"` // the deltas of the last two weeks, from the first day that has one
	Content
	Local `json:"local"` // what this clone recorded about its commands
}

// Content has the figures that come from the files.
type Content struct {
	Files      `json:"checkpoints"` // how many files there are
	Decisions  int                  `json:"decisions"`   // the number of live decisions
	Superseded int                  `json:"superseded"`  // the number of superseded decisions
	Learnings  int                  `json:"learnings"`   // the number of learnings
	Tokens     int                  `json:"tokens_used"` // the sum of tokens_used of all checkpoints
}

// Files counts the files of checkpoints.
type Files struct {
	Active     int `json:"active"`     // the number of active ones
	Archived   int `json:"archived"`   // the number of archived ones
	Unreadable int `json:"unreadable"` // the number of files that cannot be read
	Bytes      int `json:"bytes"`      // the size of all files
}

// Day is a day with its number of deltas.
type Day struct {
	Date   string `json:"date"`   // 2026-01-02, UTC
	Deltas int    `json:"deltas"` // the number of deltas
}

// Local is what a clone recorded about its commands.
type Local struct {
	Since         result.Time `json:"since,omitzero"`               // the time of the first record
	SaveCount     int         `json:"checkpoint_save_count"`        // the number of recorded operations
	ResumeCount   int         `json:"checkpoint_resume_count"`      // the number of recorded briefs
	SaveSize      Spread      `json:"checkpoint_save_size_bytes"`   // the bytes that these operations wrote
	SaveLatency   Spread      `json:"checkpoint_save_latency_ms"`   // how long these operations took, in milliseconds
	ResumeLatency Spread      `json:"checkpoint_resume_latency_ms"` // how long the briefs took, in milliseconds
	Steps         int         `json:"steps_recovered"`              // how many completed steps sessions read in their first brief
}

// Spread is the sum of all values, and the quantiles of the last ones. Without values all are 0.
type Spread struct {
	Sum    float64 `json:"sum"`    // the sum of all values
	Median float64 `json:"median"` // half of the values are at most this
	P95    float64 `json:"p95"`    // 95 % of the values are at most this
	Max    float64 `json:"max"`    // the greatest value
	None   bool    `json:"-"`      // there are no values
}

// days is the number of days for which deltas are counted.
const days = 14

// Of computes the figures.
func Of(history []result.Operation, files Content, log Log, now time.Time) *Figures {
	f := &Figures{Saves: len(history), Operations: map[string]int{}, Content: files}
	perDay := map[string]int{}
	for _, o := range history {
		f.Operations[strings.ToValidUTF8(o.Op, "\uFFFD")]++ // use the printed form, so that no name occurs twice
		if o.Op == "delta" {
			perDay[o.Time.UTC().Format(time.DateOnly)]++
		}
	}
	for back := days - 1; back >= 0; back-- {
		date := now.UTC().AddDate(0, 0, -back).Format(time.DateOnly)
		if n := perDay[date]; n > 0 || len(f.Days) > 0 {
			f.Days = append(f.Days, Day{date, n})
		}
	}
	saves, resumes := log.Sum(Save), log.Sum(Resume)
	f.Local = Local{
		SaveCount: saves.Count, ResumeCount: resumes.Count, Steps: resumes.Steps,
		SaveSize:      log.spread(Save, float64(saves.Bytes), func(e Entry) float64 { return float64(e.Bytes) }),
		SaveLatency:   log.spread(Save, milliseconds(saves.Took), latency),
		ResumeLatency: log.spread(Resume, milliseconds(resumes.Took), latency),
	}
	if len(log) > 0 {
		first := slices.MinFunc(log, func(a, b Entry) int { return a.At.Compare(b.At) })
		f.Since = result.At(first.At)
	}
	return f
}

// Ops returns the names of the operations in history, the most frequent first.
func (f *Figures) Ops() []string {
	return slices.SortedFunc(maps.Keys(f.Operations), func(a, b string) int {
		return cmp.Or(f.Operations[b]-f.Operations[a], cmp.Compare(a, b))
	})
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func latency(e Entry) float64 { return milliseconds(e.Took) }

// spread returns a Spread with the given sum, and with quantiles of the values that the function of returns for the
// commands of a kind. The quantile of a share is the smallest value that at least this share of them does not exceed.
func (l Log) spread(kind Kind, sum float64, of func(Entry) float64) Spread {
	var values []float64
	for _, e := range l {
		if e.Kind == kind && e.Count == 1 {
			values = append(values, of(e))
		}
	}
	if len(values) == 0 {
		return Spread{Sum: sum, None: true}
	}
	slices.Sort(values)
	at := func(share float64) float64 {
		i := int(share*float64(len(values))+0.999999) - 1
		return values[min(max(i, 0), len(values)-1)]
	}
	return Spread{Sum: sum, Median: at(0.5), P95: at(0.95), Max: at(1)}
}
