package stats_test

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/stats"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func entry(kind stats.Kind, minutes, micros, bytes, steps int) stats.Entry {
	return stats.Entry{Kind: kind, At: noon.Add(time.Duration(minutes) * time.Minute), Took: time.Duration(micros) * time.Microsecond, Bytes: bytes, Steps: steps}
}

func TestParse(t *testing.T) {
	src := string(entry(stats.Save, 0, 8100, 1200, 0).Line()) +
		"save 1767355200 81" + "\n" + // torn
		"load 1767355200 1 2 3\n" + // another version's
		"save 1767355200 -1 2 3\n" +
		"sum save 3 1767350000 9000 300 0\n" +
		"\n\x00\xff\n" +
		string(entry(stats.Resume, 1, 2000, 0, 7).Line()) +
		"resume 1767355200 2000 0 9" // not ended
	l := stats.Parse([]byte(src))
	if got := l.Sums[stats.Save]; got != (stats.Sum{Count: 4, Took: 17100 * time.Microsecond, Bytes: 1500}) {
		t.Errorf("saves: %+v", got)
	}
	if got := l.Sums[stats.Resume]; got != (stats.Sum{Count: 1, Took: 2 * time.Millisecond, Steps: 7}) {
		t.Errorf("resumes: %+v", got)
	}
	if len(l.Entries) != 2 || !l.Since.Equal(time.Unix(1767350000, 0)) {
		t.Errorf("%d entries since %s", len(l.Entries), l.Since)
	}
}

// TestCompactKeepsSums: whatever is cut, however often, all that is told of all time
// stays the same.
func TestCompactKeepsSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var src []byte
		for n := range random.IntN(40) {
			kind := []stats.Kind{stats.Save, stats.Resume}[random.IntN(2)]
			src = append(src, entry(kind, n, random.IntN(90000), random.IntN(5000), random.IntN(30)).Line()...)
		}
		want := stats.Parse(src)
		for range 3 {
			keep := random.IntN(20)
			src = stats.Parse(src).Compact(keep)
			got := stats.Parse(src)
			if !maps.Equal(got.Sums, want.Sums) || !got.Since.Equal(want.Since) || len(got.Entries) > keep {
				t.Fatalf("%d entries of %d: %+v, not %+v, in\n%s", keep, len(want.Entries), got, want, src)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("save 1767355200 8100 1200 0\nsum save 3 1767350000 9000 300 0\n")
	f.Add("sum resume 9223372036854775807 0 0 0 1\nresume 1 1 1 1")
	f.Fuzz(func(t *testing.T, src string) {
		l := stats.Parse([]byte(src))
		again := stats.Parse(l.Compact(len(l.Entries)))
		if len(again.Entries) != len(l.Entries) {
			t.Errorf("%d entries, not %d", len(again.Entries), len(l.Entries))
		}
		for kind, sum := range l.Sums {
			if sum.Count < 0 && strings.Count(src, "sum") < 2 {
				t.Errorf("%s: %+v", kind, sum)
			}
		}
	})
}
