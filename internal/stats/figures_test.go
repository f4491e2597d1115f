package stats_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/stats"
)

func at(op string, t time.Time) result.Operation { return result.Operation{Op: op, Time: result.At(t)} }

func TestOf(t *testing.T) {
	history := []result.Operation{at("delta", noon), at("delta", noon.Add(-time.Hour)), at("note", noon), at("delta", noon.AddDate(0, 0, -2)),
		at("delta", noon.AddDate(0, -2, 0))}
	var log []byte
	for n := range 20 {
		log = append(log, entry(stats.Save, n, 1000*(n+1), 100, 0).Line()...)
	}
	f := stats.Of(history, stats.Content{}, stats.Parse(log), noon)
	if want := []stats.Day{{"2025-12-31", 1}, {"2026-01-01", 0}, {"2026-01-02", 2}}; !slices.Equal(f.Days, want) {
		t.Errorf("days: %v", f.Days)
	}
	if f.Saves != 5 || !slices.Equal(f.Ops(), []string{"delta", "note"}) {
		t.Errorf("saves: %v", f.Operations)
	}
	if want := (stats.Spread{Sum: 210, Median: 10, P95: 19, Max: 20}); f.SaveLatency != want {
		t.Errorf("quantiles: %v", f.SaveLatency)
	}
	if !f.ResumeLatency.None || f.ResumeCount != 0 {
		t.Errorf("resumes: %+v", f.Local)
	}
}

// TestPrometheus checks the rules of the text format: each line is a comment or a sample.
// Each metric has one HELP and one TYPE before its samples, which are adjacent. Names, labels
// and values are valid, and no series occurs twice.
func TestPrometheus(t *testing.T) {
	log := stats.Parse(slices.Concat(entry(stats.Save, 0, 8125, 2300, 0).Line(), entry(stats.Resume, 1, 3000, 0, 41).Line()))
	for name, f := range map[string]*stats.Figures{
		"nothing":    stats.Of(nil, stats.Content{}, stats.Parse(nil), noon),
		"figures":    stats.Of([]result.Operation{at("delta", noon), at("new", noon)}, stats.Content{Files: stats.Files{Active: 2, Bytes: 123456789}, Tokens: 45000}, log, noon),
		"odd labels": stats.Of([]result.Operation{at("a\"b\\c\nd", noon), at("\xff", noon), at("\xfe", noon), at("ü {}", noon)}, stats.Content{}, log, noon),
	} {
		t.Run(name, func(t *testing.T) {
			series := exposition(t, f.Prometheus())
			if name != "figures" {
				return
			}
			for key, want := range map[string]float64{
				`checkpoint_save_count{op="delta"}`:        1,
				`checkpoint_resume_count`:                  1,
				`checkpoint_save_latency_ms_sum`:           8.125,
				`checkpoint_save_latency_ms_count`:         1,
				`checkpoint_save_latency_ms{quantile="1"}`: 8.125,
				`checkpoint_save_size_bytes_sum`:           2300,
				`steps_recovered`:                          41,
				`ckpt_tokens_used`:                         45000,
				`ckpt_bytes`:                               123456789,
			} {
				if got, ok := series[key]; !ok || got != want {
					t.Errorf("%s is %v, not %v", key, got, want)
				}
			}
		})
	}
}

var (
	helpLine   = regexp.MustCompile(`^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (?:[^\\]|\\\\|\\n)*$`)
	typeLine   = regexp.MustCompile(`^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)$`)
	label      = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*"`
	sampleLine = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{` + label + `(?:,` + label + `)*\})? (\S+)$`)
)

// exposition parses text in the format. It returns the values of the series by name and labels.
func exposition(t *testing.T, text string) map[string]float64 {
	t.Helper()
	if !strings.HasSuffix(text, "\n") || strings.ToValidUTF8(text, "") != text {
		t.Error("the last line has an end, and all is UTF-8")
	}
	series, seen := map[string]float64{}, map[string]bool{}
	metric, kind, helped := "", "", ""
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		at := fmt.Sprintf("line %d: %s", n+1, line)
		if m := helpLine.FindStringSubmatch(line); m != nil {
			helped = m[1]
			continue
		}
		if m := typeLine.FindStringSubmatch(line); m != nil {
			if metric, kind = m[1], m[2]; helped != metric || seen[metric] {
				t.Errorf("%s: HELP goes before, and each metric stands once", at)
			}
			seen[metric] = true
			continue
		}
		m := sampleLine.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("%s: no sample", at)
			continue
		}
		value, err := strconv.ParseFloat(m[3], 64)
		if err != nil || kind == "counter" && value < 0 {
			t.Errorf("%s: no value: %v", at, err)
		}
		suffix, ours := strings.CutPrefix(m[1], metric)
		if !ours || suffix != "" && (kind != "summary" || suffix != "_sum" && suffix != "_count") {
			t.Errorf("%s: no sample of %s, a %s", at, metric, kind)
		}
		if quantile := strings.Contains(m[2], "quantile="); quantile != (kind == "summary" && suffix == "") {
			t.Errorf("%s: quantiles are for summaries", at)
		}
		if _, twice := series[m[1]+m[2]]; twice {
			t.Errorf("%s: twice", at)
		}
		series[m[1]+m[2]] = value
	}
	return series
}
