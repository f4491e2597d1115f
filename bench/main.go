// Command bench compares ckpt with git, grep and rg. It runs the commands in turn and prints
// medians and ratios. It also updates the tables of docs/performance.md. It makes its own repositories
// in a temporary folder, up to 3 GB, and removes them only at the end. Set TMPDIR to a file system with a journal.
// Without a journal, ext4 creates files slowly: it searches for inodes that were not freed in the last minutes.
//
//	go run ./bench            # 10, 10,000 and 100,000 files; a few minutes
//	go run ./bench -only Reading
//	go run ./bench -quick     # 10 and 1,000 files, as a test of the program
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
	b := bench{runs: 9}
	quick := flag.Bool("quick", false, "10 and 1,000 files only, 3 runs, no document")
	only := flag.String("only", "", "measure one `section` of the document anew, such as Reading")
	flag.Parse()
	files, checkpoints := []int{10, 10_000, 100_000}, []int{1_000, 10_000, 100_000}
	if *quick {
		files, checkpoints, b.runs = []int{10, 1_000}, []int{100}, 3
	}
	dir, err := os.MkdirTemp("", "ckpt-bench-")
	check(err)
	defer os.RemoveAll(dir)
	b.dir = dir
	b.build()

	for _, part := range []struct {
		name    string
		measure func()
	}{
		{"Start-up", func() {
			b.title("Start-up", "Where a command has run before: elsewhere `ckpt version` asks git for its version.", "command",
				"compared with")
			repo := b.repository("own", "start", 10)
			b.run(repo, b.ckpt("status"))
			b.pair("`ckpt version`", "`git --version`", repo, b.ckpt("version"), []string{"git", "--version"})
		}},
		{"Hooks", b.hooks},
		{"Recording a delta", func() {
			b.title("Recording a delta",
				"`ckpt delta -m x --artifact f`: the whole command. Compared with `git add` + `git commit --only` of one "+
					"file, on the same durability.",
				"mode, tracked files", "durability")
			modes := []string{"own", "ref"}
			for _, n := range files {
				for _, mode := range modes {
					b.deltas(mode, n, false)
				}
			}
			for _, mode := range modes {
				b.deltas(mode, files[len(files)-1], true)
			}
		}},
		{"A delta filled from git", func() {
			b.title("A delta filled from git",
				"`ckpt delta -m x`, which asks git what changed, compared with one that is told by `--artifact`, "+
					"and `git status` besides.",
				"tracked files", "compared with")
			for _, n := range files {
				b.filled(n)
			}
		}},
		{"Reading", func() {
			b.title("Reading", "", "command", "compared with")
			for _, n := range checkpoints {
				b.reading(n)
			}
		}},
		{"History", func() {
			b.title("History", "A checkpoint with 1,000 versions, among as many commits of code.", "command", "compared with")
			b.history(1_000)
		}},
	} {
		if *only == "" || *only == part.name {
			part.measure()
		}
	}
	if b.tables.Len() == 0 {
		log.Fatalf("bench: there is no part %q", *only)
	}
	fmt.Print(b.tables.String())
	if !*quick {
		doc := filepath.Join("docs", "performance.md")
		page, err := os.ReadFile(doc)
		check(err)
		check(os.WriteFile(doc, []byte(b.renewed(string(page), *only == "")), 0o666))
	}
}

// renewed returns the document with the new tables. If all tables were measured, it also has a new description
// of the machine. Other sections stay as they are.
func (b *bench) renewed(page string, all bool) string {
	if all {
		_, rest, _ := strings.Cut(page, "\n## ")
		page = b.machine() + "\n## " + rest
	}
	for table := range strings.SplitSeq(strings.TrimPrefix(b.tables.String(), "\n## "), "\n## ") {
		name, _, _ := strings.Cut(table, "\n")
		before, rest, ok := strings.Cut(page, "\n## "+name+"\n")
		_, after, more := strings.Cut(rest, "\n## ")
		if !ok || !more {
			log.Fatalf("bench: the document has no section %q before another one", name)
		}
		page = before + "\n## " + table + "\n## " + after
	}
	return page
}

// build builds the binary as for a release.
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

// machine returns the start of the document: how and on which machine bench measured.
func (b *bench) machine() string {
	info, err := os.Stat(b.bin)
	check(err)
	version, err := exec.Command("git", "--version").Output()
	check(err)
	return fmt.Sprintf(`# Performance

Written by `+"`go run ./bench`"+`: whole processes, in turn, medians of %d runs each, in milliseconds; the ratio is that of
the pairs' median. %s/%s, %d cores, %s, %s; the binary has %.1f MB. Memory is the largest resident size seen.

Trust the ratios, not the milliseconds.
`, b.runs, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), bytes.TrimSpace(version), float64(info.Size())/1e6)
}

func check(err error) {
	if err != nil {
		log.Fatal("bench: ", err)
	}
}
