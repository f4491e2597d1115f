package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// bench is one run of the program.
type bench struct {
	dir    string
	bin    string
	runs   int
	stdin  string // the standard input of every command of a pair
	tables strings.Builder
}

// title starts a table.
func (b *bench) title(name, about string, columns ...string) {
	log.Printf("== %s", name)
	fmt.Fprintf(&b.tables, "\n## %s\n\n", name)
	if about != "" {
		fmt.Fprintf(&b.tables, "%s\n\n", about)
	}
	fmt.Fprintf(&b.tables, "| %s | %s | ckpt ms | other ms | ratio | ckpt MB | other MB |\n"+
		"|---|---|---:|---:|---:|---:|---:|\n", columns[0], columns[1])
}

// pair compares two commands in one folder.
func (b *bench) pair(name, other, dir string, ours, theirs []string) {
	b.compare(name, other, func(int) sample { return b.run(dir, ours) }, func(int) sample { return b.run(dir, theirs) })
}

// compare runs two functions in turn, and writes a row of the table. The functions get the number of the run. Run 0
// only fills caches.
func (b *bench) compare(name, other string, ours, theirs func(i int) sample) {
	var a, c []sample
	var ratios []float64
	for i := range b.runs + 1 {
		x, y := ours(i), theirs(i)
		if i > 0 {
			a, c = append(a, x), append(c, y)
			ratios = append(ratios, float64(x.wall)/float64(y.wall))
		}
	}
	line := fmt.Sprintf("| %s | %s | %.1f | %.1f | **%.2f** | %s | %s |\n", name, other,
		millis(a), millis(c), median(ratios), peak(a), peak(c))
	log.Print(strings.TrimSpace(line))
	b.tables.WriteString(line)
}

// sample is the time and memory of one process, or of several that ran one after the other.
type sample struct {
	wall time.Duration
	peak int64 // largest resident size, in KiB; 0 if it is unknown
}

// run runs commands one after the other, with the standard input of the pair, and measures the time of all.
func (b *bench) run(dir string, commands ...[]string) sample {
	var s sample
	for _, command := range commands {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir, cmd.Env, cmd.Stdout = dir, append(os.Environ(), author...), io.Discard
		if b.stdin != "" {
			cmd.Stdin = strings.NewReader(b.stdin)
		}
		var said strings.Builder
		cmd.Stderr = &said
		start := time.Now()
		err := cmd.Run()
		s.wall += time.Since(start)
		if err != nil {
			log.Fatalf("bench: %s: %v\n%s", strings.Join(command, " "), err, said.String())
		}
		s.peak = max(s.peak, peakOf(cmd.ProcessState))
	}
	return s
}

func millis(all []sample) float64 {
	var ms []float64
	for _, s := range all {
		ms = append(ms, float64(s.wall)/1e6)
	}
	return median(ms)
}

// peak returns the largest resident size in MB, as a cell of a table.
func peak(all []sample) string {
	var most int64
	for _, s := range all {
		most = max(most, s.peak)
	}
	if most == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f", float64(most)/1024)
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}
