package record_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
	"time"

	"example.com/ckpt/internal/agents/record"
)

// TestUntakenAfterUndo says messages, takes them up, and undoes and redoes that, at random, the newest first. What
// is untaken are the messages that no operation in effect has taken up.
func TestUntakenAfterUndo(t *testing.T) {
	type operation struct {
		commit string
		taken  []string
	}
	for seed := range int64(300) {
		r := rand.New(rand.NewSource(seed))
		var all []record.Entry
		var said []string
		var done, undone []operation // the undone ones with the commits of the undos
		commits := map[string]string{}
		untaken := func() []string {
			return slices.DeleteFunc(slices.Clone(said), func(s string) bool {
				return slices.ContainsFunc(done, func(o operation) bool { return slices.Contains(o.taken, s) })
			})
		}
		for i := range 30 {
			e := record.Entry{At: begun.Add(time.Duration(i) * time.Minute), Session: "s", Event: record.Operation, Commit: fmt.Sprint("c", i)}
			switch n := r.Intn(6); {
			case n == 0 && len(done) > 0:
				o := done[len(done)-1]
				done, undone, commits[o.commit] = done[:len(done)-1], append(undone, o), e.Commit
				e.Tool, e.Undoes = "undo", []string{o.commit}
			case n == 1 && len(undone) > 0:
				o := undone[len(undone)-1]
				done, undone = append(done, o), undone[:len(undone)-1]
				e.Tool, e.Undoes = "redo", []string{commits[o.commit]}
			case n < 4:
				e.Event, e.Commit, e.Text = "prompt", "", fmt.Sprint("m", i)
				said = append(said, e.Text)
			default:
				e.Tool, e.Took = "delta", r.Intn(2)*len(untaken())
				done, undone = append(done, operation{e.Commit, untaken()}), nil
			}
			all = append(all, e)
			var got []string
			for _, m := range record.Untaken(all).Said {
				got = append(got, m.Text)
			}
			if want := untaken(); !slices.Equal(got, want) {
				t.Fatalf("seed %d: untaken is %q, want %q, after %+v", seed, got, want, all)
			}
		}
	}
}
