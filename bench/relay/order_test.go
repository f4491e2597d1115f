package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"testing"
)

var gradeAll = flag.Bool("relay.all", false,
	"run all checks on every broken program, not a fifth of the programs and a sample of the checks that must pass")

// TestOrders checks the graders: the finished program passes all checks, one that lacks a point fails
// exactly the checks that need the point, and the program before the work has no finished part and
// breaks no rule.
func TestOrders(t *testing.T) {
	names, err := orderNames("orders")
	if err != nil || len(names) < 3 {
		t.Fatalf("orders %q, %v", names, err)
	}
	for i, name := range names {
		o, err := readOrder("orders", name)
		if err != nil {
			t.Fatal(err)
		}
		if len(o.points) != 10 || len(o.Checks) < 30 {
			t.Errorf("%s has %d points and %d checks", name, len(o.points), len(o.Checks))
		}
		for without := range len(o.points) + 1 {
			if without%5 != i%5 && without != 0 && !*gradeAll {
				continue
			}
			t.Run(fmt.Sprintf("%s without %d", name, without), func(t *testing.T) {
				t.Parallel()
				if missing := o.missing(); missing != "" {
					t.Skipf("%s is not installed", missing)
				}
				testWithout(t, o, without)
			})
		}
		t.Run(name+" before the work", func(t *testing.T) {
			t.Parallel()
			if missing := o.missing(); missing != "" {
				t.Skipf("%s is not installed", missing)
			}
			g := gradeOf(t, o, o.seed(), nil)
			if finished, broken := o.finished(g), o.broken(g); len(finished)+len(broken) > 0 {
				t.Errorf("parts %v are finished, rules %v broken", finished, broken)
			}
		})
	}
}

// testWithout grades the program without a point, or the finished one without point 0.
func testWithout(t *testing.T, o *order, without int) {
	isSampled := func(c check) bool {
		i := slices.IndexFunc(o.Checks, func(d check) bool { return d.Name == c.Name })
		return without == 0 || *gradeAll || slices.Contains(c.Points, without) || (i+without)%12 == 0
	}
	g := gradeOf(t, o, o.files(func(n, _ int) bool { return n != without }), isSampled)
	for i, c := range o.Checks {
		if isSampled(c) && g[i] == slices.Contains(c.Points, without) {
			t.Errorf("%q passed: %v", c.Name, g[i])
		}
	}
	if slices.Contains(o.Rules, without) && *gradeAll && !slices.Equal(o.broken(g), []int{without}) {
		t.Errorf("rules %v are broken", o.broken(g))
	}
}

func gradeOf(t *testing.T, o *order, files map[string]string, wanted func(check) bool) grade {
	t.Helper()
	dir := t.TempDir()
	if err := write(dir, files); err != nil {
		t.Fatal(err)
	}
	g, err := o.grade(context.Background(), dir, wanted)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
