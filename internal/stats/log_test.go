package stats_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/ckpt/internal/stats"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func entry(kind stats.Kind, minutes, micros, bytes, steps int) stats.Entry {
	return stats.Entry{Kind: kind, At: noon.Add(time.Duration(minutes) * time.Minute), Took: time.Duration(micros) * time.Microsecond, Bytes: bytes, Steps: steps, Count: 1}
}

func TestParse(t *testing.T) {
	src := string(entry(stats.Save, 0, 8100, 1200, 0).Line()) +
		"save 1767355200 81" + "\n" + // torn
		"load 1767355200 1 2 3 1\n" + // another version's
		"save 1767355200 -1 2 3 1\n" +
		"save 1767350000 9000 300 0 3\n" +
		"\n\x00\xff\n" +
		string(entry(stats.Resume, 1, 2000, 0, 7).Line()) +
		"resume 1767355200 2000 0 9 1" // not ended
	l := stats.Parse([]byte(src))
	first := time.Unix(1767350000, 0).UTC()
	saves := stats.Entry{Kind: stats.Save, At: first, Count: 4, Took: 17100 * time.Microsecond, Bytes: 1500}
	if got := l.Sum(stats.Save); got != saves {
		t.Errorf("saves: %+v", got)
	}
	if got := l.Sum(stats.Resume); got != entry(stats.Resume, 1, 2000, 0, 7) {
		t.Errorf("resumes: %+v", got)
	}
	if len(l) != 3 {
		t.Errorf("%d entries", len(l))
	}
}

// TestCompactKeepsSums checks that Compact does not change the totals, however often it is
// applied.
func TestCompactKeepsSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	kinds := []stats.Kind{stats.Save, stats.Resume}
	for range 200 {
		var src []byte
		for n := range random.IntN(40) {
			src = append(src, entry(kinds[random.IntN(2)], n, random.IntN(90000), random.IntN(5000), random.IntN(30)).Line()...)
		}
		want := stats.Parse(src)
		for range 3 {
			keep := random.IntN(20)
			src = stats.Parse(src).Compact(keep)
			got := stats.Parse(src)
			for _, kind := range kinds {
				if got.Sum(kind) != want.Sum(kind) || len(got) > keep+2 {
					t.Fatalf("%d entries of %d: %+v, not %+v, in\n%s", keep, len(want), got, want, src)
				}
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("save 1767355200 8100 1200 0 1\nsave 1767350000 9000 300 0 3\n")
	f.Add("resume 0 0 0 1 9223372036854775807\nresume 1 1 1 1 1")
	f.Fuzz(func(t *testing.T, src string) {
		l := stats.Parse([]byte(src))
		if again := stats.Parse(l.Compact(len(l))); !slices.Equal(again, l) {
			t.Errorf("%v, not %v", again, l)
		}
	})
}
