package record_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"strings"
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

// TestMessage records messages of all kinds of characters, which JSON encodes in up to six bytes. Those of at most
// 16 KB are recorded word for word, and of a longer one every byte is there or counted.
func TestMessage(t *testing.T) {
	const limit = 16 << 10
	same := func(s string) string { return s }
	for _, part := range []string{"x", "\tx\n", `"`, `\`, "<>&", "\x01.", "é", "\u2028", "a\U0001F600"} {
		for _, size := range []int{1, limit - 10, limit, limit + 1, 24 << 10, 100_000} {
			said := strings.TrimSpace("Start" + strings.Repeat(part, size/len(part)+1)[:max(0, size-8)] + "end")
			said = strings.ToValidUTF8(said, "")
			got := record.Message(said, same)
			if len(said) <= limit && got != said {
				t.Errorf("of %d bytes of %q, %d are recorded", len(said), part, len(got))
			}
			if len(said) <= limit {
				continue
			}
			begin, rest, _ := strings.Cut(got, "\n[")
			count, end, _ := strings.Cut(rest, " bytes left out]\n")
			n, err := strconv.Atoi(count)
			whole := strings.HasPrefix(said, begin) && strings.HasSuffix(said, end) && len(begin)+n+len(end) == len(said)
			if err != nil || !whole || len(got) > limit || len(got) < limit*9/10 {
				t.Errorf("%d bytes of %q are recorded as %d: %d, %q, %d", len(said), part, len(got), len(begin), count, len(end))
			}
		}
	}
}

// TestCompact compacts a log as messages are added: it has at most its limit, the first message that was not taken
// up, the newest, and the number of those between.
func TestCompact(t *testing.T) {
	const limit = 2000
	taken := []record.Entry{{At: begun, Session: "s", Event: "prompt", Text: "old"}, {At: begun, Session: "s", Event: record.Operation}}
	log := taken
	for i := range 40 {
		at := begun.Add(time.Duration(i) * time.Minute)
		log = append(log, record.Entry{At: at, Session: "s", Event: "prompt", Text: fmt.Sprintf("m%d %s", i, strings.Repeat("x", i*7))})
		if i == 20 {
			log = append(log, record.Entry{At: at, Session: "s", Event: "pre-compact"})
		}
		src := record.Compact(log, limit)
		if len(src) > limit {
			t.Fatalf("%d messages take %d bytes", i+1, len(src))
		}
		log = record.Parse(src)
		w := record.Untaken(log)
		if first, newest := w.Said[0].Text, w.Said[len(w.Said)-1].Text; first != "m0 " || !strings.HasPrefix(newest, fmt.Sprintf("m%d ", i)) {
			t.Fatalf("after %d messages the first is %q and the last %q", i+1, first, newest)
		}
		left := i + 1 - len(w.Said)
		if left > 0 {
			if want := fmt.Sprintf("[%d messages left out: a session has at most 64 KB]", left+1); w.Said[1].Text != want {
				t.Fatalf("after %d messages the second is %q, want %q", i+1, w.Said[1].Text, want)
			}
		}
		if after := slices.IndexFunc(w.Said, func(e record.Entry) bool { return e.At.After(begun.Add(20 * time.Minute)) }); i > 20 && w.Lost != after {
			t.Fatalf("after %d messages %d are from before the loss of the context, want %d", i+1, w.Lost, after)
		}
	}
}
