package wire

import "example.com/ckpt/internal/stats"

// Stats is the answer of `ckpt stats`.
type Stats struct {
	Head
	Saves       int            `json:"saves"`      // operations that history has
	Operations  map[string]int `json:"operations"` // the same, by what they did
	DeltasByDay []StatsDay     `json:"deltas_by_day"`
	Checkpoints StatsSet       `json:"checkpoints"`
	Decisions   int            `json:"decisions"` // live
	Superseded  int            `json:"superseded"`
	Learnings   int            `json:"learnings"`
	Tokens      int            `json:"tokens_used"`
	Local       StatsLocal     `json:"local"`
}

// StatsDay is how many deltas a day has.
type StatsDay struct {
	Date   string `json:"date"`
	Deltas int    `json:"deltas"`
}

// StatsSet is how many checkpoints there are.
type StatsSet struct {
	Active     int `json:"active"`
	Archived   int `json:"archived"`
	Unreadable int `json:"unreadable"`
	Bytes      int `json:"bytes"`
}

// StatsLocal is what this clone has noted of its own commands.
type StatsLocal struct {
	Since          string    `json:"since,omitempty"`
	SaveCount      int       `json:"checkpoint_save_count"`
	ResumeCount    int       `json:"checkpoint_resume_count"`
	SaveSize       StatsDist `json:"checkpoint_save_size_bytes"`
	SaveLatency    StatsDist `json:"checkpoint_save_latency_ms"`
	ResumeLatency  StatsDist `json:"checkpoint_resume_latency_ms"`
	StepsRecovered int       `json:"steps_recovered"`
}

// StatsDist is a sum, and quantiles of the last ones; these are 0 where there are none.
type StatsDist struct {
	Sum    float64 `json:"sum"`
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
	Max    float64 `json:"max"`
}

// FromStats is the answer that holds the figures.
func FromStats(f *stats.Figures) Stats {
	w := Stats{
		Head: head("stats"), Saves: f.All(), Operations: f.Saves, DeltasByDay: []StatsDay{},
		Checkpoints: StatsSet{f.Active, f.Archived, f.Unreadable, f.Bytes},
		Decisions:   f.Decisions, Superseded: f.Superseded, Learnings: f.Learnings, Tokens: f.Tokens,
		Local: StatsLocal{
			Since: stamp(f.Since), SaveCount: f.Save.Count, ResumeCount: f.Resume.Count, StepsRecovered: f.Resume.Steps,
			SaveSize:      dist(float64(f.Save.Bytes), f.Save.BytesAt),
			SaveLatency:   dist(f.Save.Milliseconds(), f.Save.TookAt),
			ResumeLatency: dist(f.Resume.Milliseconds(), f.Resume.TookAt),
		},
	}
	for _, d := range f.Days {
		w.DeltasByDay = append(w.DeltasByDay, StatsDay(d))
	}
	return w
}

func dist(sum float64, at map[float64]float64) StatsDist {
	return StatsDist{sum, at[0.5], at[0.95], at[1]}
}
