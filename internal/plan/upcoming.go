package plan

// Upcoming is what can be done next in a run.
type Upcoming struct {
	Run     *Run
	Number  int   // of the next step, from 1; 0 where none can be begun
	Step    *Step // as the plan file has it; nil where that cannot be read
	Plan    *Plan // the plan file; nil likewise
	Running []int // the numbers of those that somebody has begun
	Remark  string
}

// Next is the first step that can be begun, or tried again.
func (r *Run) Next() Upcoming {
	u := Upcoming{Run: r}
	if ready := r.Ready(); len(ready) > 0 {
		u.Number = ready[0]
	}
	for i := range r.Steps {
		if r.Steps[i].Status == Running {
			u.Running = append(u.Running, i+1)
		}
	}
	return u
}

// Row is the row of the next step; nil where there is none.
func (u *Upcoming) Row() *Row {
	if u.Number == 0 {
		return nil
	}
	return &u.Run.Steps[u.Number-1]
}

// State is how the run stands, in a word: "ready", "running" or "complete". Where
// nothing can be begun and nothing runs, all is done: a failed step can be tried again.
func (u *Upcoming) State() string {
	switch {
	case u.Number > 0:
		return "ready"
	case len(u.Running) > 0:
		return "running"
	}
	return "complete"
}
