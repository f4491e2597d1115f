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

// report writes the figures: results.json, table.md and relay.svg in the folder for the output, and the
// table to stdout.
func (b *bench) report(all []*result, stdout io.Writer) error {
	all = slices.DeleteFunc(all, func(r *result) bool { return len(r.Sessions) == 0 })
	raw, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	files := map[string]string{"results.json": string(raw), "table.md": table(all), "relay.svg": picture(all)}
	if err := write(b.out, files); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s\nTranscripts, figures and the picture are in %s\n", files["table.md"], filepath.ToSlash(b.out))
	return nil
}

// groups returns the results by order and arm, in the order in which they were run.
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

// table returns the figures as a Markdown table: a row for each order and arm, with the median of its runs, and
// all runs behind it if there are several.
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

// starts returns the tokens of the first requests of resumed sessions, as far as the agent tells them.
func (r *result) starts() []float64 {
	var all []float64
	for _, s := range r.Sessions[1:] {
		if s.Start > 0 {
			all = append(all, float64(s.Start))
		}
	}
	return all
}

// purposesOf counts what the calls before the first new lines were for, the most frequent first.
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

// overview returns the median of values, and all of them behind it if there are several.
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

// median returns the middle value, or the mean of the two middle ones; -1 of none.
func median(values []float64) float64 {
	all := slices.Sorted(slices.Values(values))
	n := len(all)
	if n == 0 {
		return -1
	}
	return (all[(n-1)/2] + all[n/2]) / 2
}

// Sizes of the picture.
const (
	left, top, width, height = 40, 20, 520, 220
	legend                   = 110
)

var colors = []string{"#2f6fde", "#d9822b", "#7a7a7a", "#3c9d5d", "#a04bc4", "#c23b3b"}

// picture draws how many parts are finished after each session: a line for each arm, the mean over its runs
// with all orders. A run that has ended keeps its last value.
func picture(all []*result) string {
	var arms []string
	sessions, parts := 1, 1
	for _, r := range all {
		if !slices.Contains(arms, r.Arm) {
			arms = append(arms, r.Arm)
		}
		sessions, parts = max(sessions, len(r.Sessions)), max(parts, r.Parts)
	}
	x := func(n int) float64 { return left + float64(n)*width/float64(sessions) }
	y := func(n float64) float64 { return top + height - n*height/float64(parts) }
	var w strings.Builder
	fmt.Fprintf(&w, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "+
		"font-size=\"12\" role=\"img\">\n<title>Finished parts after each session</title>\n"+
		"<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n", left+width+legend, top+height+50)
	for n := range parts + 1 {
		fmt.Fprintf(&w, "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n",
			left, y(float64(n)), left+width, left-6, y(float64(n))+4, n)
	}
	for n := range sessions + 1 {
		fmt.Fprintf(&w, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", x(n), top+height+16, n)
	}
	fmt.Fprintf(&w, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">finished parts after each session</text>\n",
		left+width/2, top+height+38)
	for i, arm := range arms {
		color := colors[i%len(colors)]
		line := fmt.Sprintf("M%.1f %.1f", x(0), y(0))
		for n := range sessions {
			sum, runs := 0, 0
			for _, r := range all {
				if r.Arm == arm {
					sum, runs = sum+len(r.Sessions[min(n, len(r.Sessions)-1)].Finished), runs+1
				}
			}
			line += fmt.Sprintf("L%.1f %.1f", x(n+1), y(float64(sum)/float64(runs)))
		}
		fmt.Fprintf(&w, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", line, color)
		fmt.Fprintf(&w, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", left+width+12, top+14+18*i, color, arm)
	}
	return w.String() + "</svg>\n"
}
