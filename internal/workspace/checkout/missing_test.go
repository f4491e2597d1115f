package checkout_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSettledFolders changes the archive at random: an update that skips settled folders gives the same as one that
// reads every file.
func TestSettledFolders(t *testing.T) {
	f := newFixture(t)
	r := rand.New(rand.NewPCG(7, 1))
	clock := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	age := func() { // gives each folder that was modified since the last call a time of its own, long past
		for _, folder := range []string{"archive/2026/01", "archive/2026/02", "archive"} {
			path := filepath.Join(f.c.Dir, folder)
			info, err := os.Stat(path)
			if err != nil || time.Since(info.ModTime()) > time.Hour {
				continue
			}
			clock = clock.Add(time.Second)
			f.must(os.Chtimes(path, clock, clock))
		}
	}
	state := filepath.Join(f.c.Repo.StateDir(), "checkout")
	f.commit(map[string]string{"active/chk-x.md": text("chk-x", "active", "s")})
	f.update()
	settled := 0
	for step := range 120 {
		id := fmt.Sprintf("chk-%d", r.IntN(4))
		rel := fmt.Sprintf("archive/2026/%02d/%s.md", 1+r.IntN(2), id)
		file := filepath.Join(f.c.Dir, rel)
		switch r.IntN(6) {
		case 0:
			f.commit(map[string]string{rel: text(id, "active", fmt.Sprint(step))})
		case 1:
			f.commit(map[string]string{rel: ""})
		case 2:
			_ = os.Remove(file) // it may not exist
		case 3:
			f.commit(map[string]string{"active/chk-x.md": text("chk-x", "active", fmt.Sprint(step))})
		default:
			f.publish(f.compare())
		}
		age()
		quick := f.compare()
		src, err := os.ReadFile(state)
		f.must(err)
		lines := slices.DeleteFunc(strings.SplitAfter(string(src), "\n"), func(line string) bool {
			return strings.HasPrefix(line, "settled ")
		})
		f.must(os.WriteFile(state, []byte(strings.Join(lines, "")), 0o666))
		full := f.compare()
		f.must(os.WriteFile(state, src, 0o666))
		settled += strings.Count(string(src), "settled ")
		if got, want := fmt.Sprint(quick.Laid), fmt.Sprint(full.Laid); got != want {
			t.Fatalf("step %d: the update changes\n%s\nwant\n%s\nstate\n%s", step, got, want, src)
		}
	}
	if settled < 20 {
		t.Errorf("only %d times was a folder settled", settled)
	}
}
