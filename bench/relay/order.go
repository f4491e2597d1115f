package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/envtest"
)

// order is a task for an agent: ten points on a small program. Its folder below orders has three
// files:
//
//   - order.md is what the user asks for, with one line for each point;
//   - program.txt has the files of the program. The lines for one point are between "@if N" and
//     "@end"; the lines without the point are between "@else" and "@end". The program before the
//     work, the finished one, and one that lacks a single point are made from the same text;
//   - checks.json has the checks, and how the program is started.
type order struct {
	Build  []string          // the command that builds the program; empty if it needs none
	Run    []string          // the command that runs the program
	Main   string            // the file that the points change
	Rules  []int             // the points that are rules for the whole work
	Files  map[string]string // the files that the checks use
	Checks []check

	name    string
	text    string   // order.md
	points  []string // the lines of the points; point 1 is points[0]
	program string   // program.txt
}

// check runs the program once, or compares a file.
type check struct {
	Name   string
	Points []int    // the points that the check needs; the check belongs to the last of them
	Args   []string // the program's arguments
	In     string   // the program's standard input
	Out    *string  // the program's whole standard output; nil for any
	Like   string   // a regular expression for the standard output
	Err    string   // a regular expression for the standard error
	Exit   int      // the program's exit code
	Same   string   // a file that must be the same as before the work; nothing is run
}

func (c check) point() int { return c.Points[len(c.Points)-1] }

// orderNames returns the names of all orders in the folder, sorted.
func orderNames(folder string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*", "order.md"))
	var names []string
	for _, p := range paths {
		names = append(names, filepath.Base(filepath.Dir(p)))
	}
	return names, err
}

// readOrder reads an order from the folder of all orders.
func readOrder(folder, name string) (*order, error) {
	o := &order{name: name}
	for file, to := range map[string]*string{"order.md": &o.text, "program.txt": &o.program} {
		src, err := os.ReadFile(filepath.Join(folder, name, file))
		if err != nil {
			return nil, err
		}
		*to = string(src)
	}
	src, err := os.ReadFile(filepath.Join(folder, name, "checks.json"))
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(src))
	d.DisallowUnknownFields()
	if err := d.Decode(o); err != nil {
		return nil, fmt.Errorf("%s: checks.json: %w", name, err)
	}
	for line := range strings.Lines(o.text) {
		if strings.HasPrefix(line, strconv.Itoa(len(o.points)+1)+". ") {
			o.points = append(o.points, strings.TrimSpace(line))
		}
	}
	return o, nil
}

// parts returns the points that are not rules, in their order.
func (o *order) parts() []int {
	var all []int
	for n := range o.points {
		if !slices.Contains(o.Rules, n+1) {
			all = append(all, n+1)
		}
	}
	return all
}

// files returns the files of the program with some of the points: those for which has reports true. The argument part
// of has is the part whose lines contain the lines of the point, or 0.
func (o *order) files(has func(point, part int) bool) map[string]string {
	files := map[string]string{}
	name, shown, parts := "", []bool{true}, []int{0}
	for line := range strings.Lines(o.program) {
		top := len(shown) - 1
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case word == "--":
			name = strings.TrimSuffix(rest, " --")
		case word == "@if":
			n, _ := strconv.Atoi(rest)
			part := parts[top]
			if !slices.Contains(o.Rules, n) {
				part = n
			}
			shown, parts = append(shown, has(n, parts[top])), append(parts, part)
		case word == "@else":
			shown[top] = !shown[top]
		case word == "@end":
			shown, parts = shown[:top], parts[:top]
		case !slices.Contains(shown, false):
			files[name] += line
		}
	}
	return files
}

// seed returns the program as it is before the work.
func (o *order) seed() map[string]string {
	return o.files(func(n, _ int) bool { return slices.Contains(o.Rules, n) })
}

// write writes files to a folder.
func write(dir string, files map[string]string) error {
	for name, text := range files {
		if err := disk.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), false); err != nil {
			return err
		}
	}
	return nil
}

// grade tells for each check of an order whether it passed.
type grade []bool

// grade builds the program in a folder, and runs the checks that wanted selects; a nil wanted selects all. Other checks
// count as failed. The build and the checks change the folder.
func (o *order) grade(ctx context.Context, dir string, wanted func(check) bool) (grade, error) {
	all := make(grade, len(o.Checks))
	if missing := o.missing(); missing != "" {
		return nil, fmt.Errorf("%s: %s is not installed", o.name, missing)
	}
	built := len(o.Build) == 0
	if !built {
		_, _, code, err := o.run(ctx, dir, "", o.Build)
		if err != nil {
			return nil, err
		}
		built = code == 0
	}
	seed := o.seed()
	if err := write(dir, o.Files); err != nil {
		return nil, err
	}
	for i, c := range o.Checks {
		switch {
		case wanted != nil && !wanted(c):
		case c.Same != "":
			now, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(c.Same)))
			all[i] = err == nil && string(now) == seed[c.Same]
		case built:
			out, errs, code, err := o.run(ctx, dir, c.In, slices.Concat(o.Run, c.Args))
			if err != nil {
				return nil, err
			}
			same := c.Out == nil || out == *c.Out
			all[i] = same && code == c.Exit && like(c.Like, out) && like(c.Err, errs)
		}
	}
	return all, nil
}

func like(pattern, text string) bool {
	return pattern == "" || regexp.MustCompile(pattern).MatchString(text)
}

// missing returns a program that the order needs and that is not installed, or "".
func (o *order) missing() string {
	for _, command := range [][]string{o.Build, o.Run} {
		if len(command) > 0 && !strings.HasPrefix(command[0], ".") {
			if _, err := exec.LookPath(command[0]); err != nil {
				return command[0]
			}
		}
	}
	return ""
}

// patience is how long one run of a program may take.
const patience = 20 * time.Second

// run runs a command in a folder. A program that does not end has the exit code -1.
func (o *order) run(ctx context.Context, dir, in string, command []string) (out, errs string, code int, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	name := command[0]
	if strings.HasPrefix(name, ".") {
		name = filepath.Join(dir, name)
	}
	cmd := exec.CommandContext(ctx, name, command[1:]...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(in)
	cmd.Env = envtest.Env("GOCACHE="+goCache(), "GOFLAGS=-ldflags=-s", "GOTOOLCHAIN=local", "GOPROXY=off",
		"PYTHONDONTWRITEBYTECODE=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &stdout, &stderr, time.Second
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = nil
	}
	return strings.ReplaceAll(stdout.String(), "\r\n", "\n"), strings.ReplaceAll(stderr.String(), "\r\n", "\n"),
		cmd.ProcessState.ExitCode(), err
}

// goCache returns the folder of Go's build cache. All programs of the orders share it.
var goCache = sync.OnceValue(func() string {
	out, _ := exec.Command("go", "env", "GOCACHE").Output()
	return cmp.Or(strings.TrimSpace(string(out)), filepath.Join(os.TempDir(), "go-build"))
})

// passed returns how many checks passed.
func (g grade) passed() int {
	n := 0
	for _, ok := range g {
		if ok {
			n++
		}
	}
	return n
}

// finished returns the parts whose checks all passed.
func (o *order) finished(g grade) []int {
	return slices.DeleteFunc(o.parts(), func(part int) bool {
		for i, c := range o.Checks {
			if c.point() == part && !g[i] {
				return true
			}
		}
		return false
	})
}

// broken returns the rules for which a check failed. A check only counts if all parts that it needs are
// finished.
func (o *order) broken(g grade) []int {
	finished := o.finished(g)
	return slices.DeleteFunc(slices.Clone(o.Rules), func(rule int) bool {
		for i, c := range o.Checks {
			needs := func(n int) bool { return !slices.Contains(o.Rules, n) && !slices.Contains(finished, n) }
			if !g[i] && slices.Contains(c.Points, rule) && !slices.ContainsFunc(c.Points, needs) {
				return false
			}
		}
		return true
	})
}
