package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// report writes the figures: results.json and table.md in the folder for the output, and the table to
// stdout.
func (b *bench) report(all []*result, stdout io.Writer) error {
	all = slices.DeleteFunc(all, func(r *result) bool { return len(r.Sessions) == 0 })
	raw, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	files := map[string]string{"results.json": string(raw), "table.md": table(all)}
	if err := write(b.out, files); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s\nTranscripts and figures are in %s\n", files["table.md"], filepath.ToSlash(b.out))
	return nil
}

// groups returns the results grouped by order and arm, the group that was run first at the front.
func groups(all []*result) [][]*result {
	var found [][]*result
	for _, r := range all {
		i := slices.IndexFunc(found, func(g []*result) bool { return g[0].Order == r.Order && g[0].Arm == r.Arm })
		if i < 0 {
			i = len(found)
			found = append(found, nil)
		}
		found[i] = append(found[i], r)
	}
	return found
}

const tableHead = "| order | arm | sessions | parts finished | parts a session | checks passed | rules broken | " +
	"calls before the first new line | what they were for | tokens at a start | commits: ckpt | code |\n" +
	"|---|---|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|\n"

// table returns the figures as a Markdown table: a row for each order and arm, with the median of its runs. If
// there are several runs, their values follow the median.
func table(all []*result) string {
	var w strings.Builder
	w.WriteString(tableHead)
	for _, group := range groups(all) {
		of := func(value func(r *result) float64) string {
			var values []float64
			for _, r := range group {
				if v := value(r); v >= 0 {
					values = append(values, v)
				}
			}
			return overview(values)
		}
		first := group[0]
		fmt.Fprintf(&w, "| %s | %s | %s | %s of %d | %s | %s of %d | %s | %s | %s | %s | %s | %s |\n", first.Order, first.Arm,
			of(func(r *result) float64 { return float64(len(r.Sessions)) }),
			of(func(r *result) float64 { return float64(r.finished()) }), first.Parts,
			of(func(r *result) float64 { return float64(r.finished()) / float64(len(r.Sessions)) }),
			of(func(r *result) float64 { return float64(r.Passed) }), first.Checks,
			of(func(r *result) float64 { return float64(len(r.Broken)) }),
			of(func(r *result) float64 { return median(r.calls()) }), purposesOf(group),
			of(func(r *result) float64 { return median(r.starts()) }),
			of(func(r *result) float64 { return float64(r.Ours) }), of(func(r *result) float64 { return float64(r.Code) }))
	}
	return w.String()
}

// finished returns how many parts are finished at the end.
func (r *result) finished() int { return len(r.Sessions[len(r.Sessions)-1].Finished) }

// calls returns, for each resumed session that wrote code, the number of calls before its first new line.
func (r *result) calls() []float64 {
	var all []float64
	for _, s := range r.Sessions[1:] {
		if before, wrote := s.before(); wrote {
			all = append(all, float64(len(before)))
		}
	}
	return all
}

// starts returns the tokens of the first requests of resumed sessions, if the agent reports them.
func (r *result) starts() []float64 {
	var all []float64
	for _, s := range r.Sessions[1:] {
		if s.Start > 0 {
			all = append(all, float64(s.Start))
		}
	}
	return all
}

// purposesOf returns how many calls before the first new lines had each purpose, the most frequent purpose first.
func purposesOf(group []*result) string {
	counts := map[string]int{}
	for _, r := range group {
		for _, s := range r.Sessions[1:] {
			before, _ := s.before()
			for _, c := range before {
				counts[c.purpose()]++
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = name + " " + strconv.Itoa(counts[name])
	}
	return cmp.Or(strings.Join(names, ", "), "–")
}

// overview returns the median of values, followed by all values if there are several.
func overview(values []float64) string {
	if len(values) == 0 {
		return "–"
	}
	var single []string
	for _, v := range values {
		single = append(single, short(v))
	}
	text := short(median(values))
	if len(single) > 1 {
		text += " (" + strings.Join(single, ", ") + ")"
	}
	return text
}

func short(v float64) string {
	return strings.TrimSuffix(strings.TrimSuffix(strconv.FormatFloat(v, 'f', 2, 64), "0"), ".0")
}

// median returns the middle value, or the mean of the two middle values; -1 without values.
func median(values []float64) float64 {
	all := slices.Sorted(slices.Values(values))
	n := len(all)
	if n == 0 {
		return -1
	}
	return (all[(n-1)/2] + all[n/2]) / 2
}
