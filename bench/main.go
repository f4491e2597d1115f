// Command bench compares ckpt with git, grep and rg: side by side in one run, in
// turn, medians, ratios. It makes its own repositories in a throw-away folder and
// writes docs/performance.md.
//
//	go run ./bench            # 10, 10,000 and 100,000 files; a few minutes
//	go run ./bench -huge      # 300,000 files too
//	go run ./bench -quick     # 10 and 1,000 files, to see that it works
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

func main() {
	log.SetFlags(0)
	var b bench
	huge := flag.Bool("huge", false, "300,000 files, too")
	quick := flag.Bool("quick", false, "10 and 1,000 files only, 3 runs, no document")
	flag.IntVar(&b.runs, "n", 15, "counted runs of each command")
	flag.Parse()
	files, checkpoints := []int{10, 10_000, 100_000}, []int{1_000, 10_000, 100_000}
	if *huge {
		files = append(files, 300_000)
	}
	if *quick {
		files, checkpoints, b.runs = []int{10, 1_000}, []int{100}, 3
	}
	if b.runs < 9 && !*quick {
		log.Fatal("bench: medians of at least 9 runs")
	}
	dir, err := os.MkdirTemp("", "ckpt-bench-")
	check(err)
	defer os.RemoveAll(dir)
	b.dir = dir
	b.build()

	b.title("Start-up", "", "command", "compared with")
	b.pair("`ckpt version`", "`git --version`", dir, b.ckpt("version"), []string{"git", "--version"})

	b.title("Recording a delta", "`ckpt delta -m x --artifact f`: the whole command. Compared with `git add` + `git commit --only` of one file, on the same durability.",
		"tracked files", "durability")
	for _, n := range files {
		b.deltas(n, false)
	}
	b.deltas(files[len(files)-1], true)

	b.title("A delta filled from git", "`ckpt delta -m x`, which asks git what changed, compared with one that is told by `--artifact`, and `git status` besides.",
		"tracked files", "compared with")
	for _, n := range files {
		b.filled(n)
	}

	b.title("Reading", "", "command", "compared with")
	for _, n := range checkpoints {
		b.reading(n)
	}

	b.title("History", "A checkpoint with 1,000 versions, among as many commits of code.", "command", "compared with")
	b.history(1_000)

	page := b.page()
	fmt.Print(page)
	if !*quick {
		check(os.WriteFile(filepath.Join("docs", "performance.md"), []byte(page), 0o666))
	}
}

// build makes the binary that is measured, as a release is made.
func (b *bench) build() {
	b.bin = filepath.Join(b.dir, "ckpt")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", b.bin, "./cmd/ckpt")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		log.Fatalf("bench: %v\n%s", err, out)
	}
}

func (b *bench) ckpt(args ...string) []string { return append([]string{b.bin}, args...) }

// page is the document: the tables, and what they were measured on.
func (b *bench) page() string {
	var w strings.Builder
	info, err := os.Stat(b.bin)
	check(err)
	version, err := exec.Command("git", "--version").Output()
	check(err)
	fmt.Fprintf(&w, `# Performance

Written by `+"`go run ./bench`"+`: whole processes, in turn, medians of %d runs each, in milliseconds; the ratio is that of
the pairs' median. %s/%s, %d cores, %s, %s; the binary has %.1f MB. Memory is the largest resident size seen.

Trust the ratios, not the milliseconds.
`, b.runs, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), bytes.TrimSpace(version), float64(info.Size())/1e6)
	w.WriteString(b.tables.String())
	return w.String()
}

func check(err error) {
	if err != nil {
		log.Fatal("bench: ", err)
	}
}
