package disk

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestRotated(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	path := filepath.Join(dir, "a")
	if all, err := ListRotated(dir); len(all) > 0 || err != nil {
		t.Fatalf("got %v, %v", all, err)
	}
	const limit = 1000
	line := func(i int) string { return fmt.Sprintf("%05d %s\n", i, strings.Repeat("x", 93)) }
	for i := range 57 {
		first, err := AppendRotated(path, []byte(line(i)), limit, 0o666)
		if err != nil || first != (i%10 == 0) {
			t.Fatalf("line %d: first %t, %v", i, first, err)
		}
	}
	all, err := ListRotated(dir)
	if err != nil || len(all) != 1 || all[0].Path != path || all[0].Size != 1700 {
		t.Fatalf("got %+v, %v", all, err)
	}
	src, err := all[0].Read()
	if want := line(40); err != nil || !strings.HasPrefix(string(src), want) || !strings.HasSuffix(string(src), line(56)) || len(src) != 1700 {
		t.Errorf("%v: %s", err, src)
	}
	if err := all[0].Remove(); err != nil {
		t.Error(err)
	}
	if all, err = ListRotated(dir); len(all) > 0 || err != nil {
		t.Errorf("got %v, %v", all, err)
	}
}

// TestRotatedByADead appends after the process whose line reached the limit was killed before it
// renamed the log.
func TestRotatedByADead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	line := []byte(strings.Repeat("x", 99) + "\n")
	for range 10 { // AppendRotated without the rename
		if _, err := Append(path, line, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for range 10 {
		if _, err := AppendRotated(path, line, 1000, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if now, _ := os.ReadFile(path); len(now) >= 1000 {
		t.Errorf("it has %d bytes", len(now))
	}
}

func TestNewestLogFirst(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"old", "new", "middle"} {
		path := filepath.Join(dir, name)
		if _, err := AppendRotated(path, []byte("x\n"), 1000, 0o666); err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 1, 2+i*5%7, 0, 0, 0, 0, time.UTC)
		must(t, os.Chtimes(path, at, at))
	}
	all, err := ListRotated(dir)
	var names []string
	for _, r := range all {
		names = append(names, filepath.Base(r.Path))
	}
	if got := strings.Join(names, " "); err != nil || got != "new middle old" {
		t.Errorf("got %s, %v", got, err)
	}
}

// TestRotatedTorn reads a log to which a line is being appended.
func TestRotatedTorn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	for name, content := range map[string]string{path + older: "1\n2\n3", path: "4\n5"} {
		must(t, os.WriteFile(name, []byte(content), 0o666))
	}
	src, err := Rotated{Path: path}.Read()
	if want := "1\n2\n4\n"; err != nil || string(src) != want {
		t.Errorf("read %q, %v, want %q", src, err, want)
	}
}

// TestRotatedByMany lets many processes append at once: no line is torn, and only the oldest are removed.
func TestRotatedByMany(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	const writers, lines, limit = 8, 200, 8 << 10
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range lines {
				if _, err := AppendRotated(path, fmt.Appendf(nil, "<%d %d %s>\n", w, i, strings.Repeat("x", i%50)), limit, 0o666); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan bool)
	go func() { all.Wait(); close(done) }()
	for over := false; !over; {
		select {
		case <-done:
			over = true
		default:
		}
		src, err := Rotated{Path: path}.Read()
		must(t, err)
		if len(src) > 3*limit {
			t.Errorf("%d bytes", len(src))
		}
		last := map[string]int{}
		for line := range bytes.Lines(src) {
			var w, i int
			if n, _ := fmt.Sscanf(string(line), "<%d %d", &w, &i); n != 2 || !bytes.HasSuffix(line, []byte(">\n")) {
				t.Fatalf("a torn line: %q", line)
			}
			name := fmt.Sprint(w)
			if before, ok := last[name]; ok && i != before+1 {
				t.Fatalf("writer %d: line %d comes after %d", w, i, before)
			}
			last[name] = i
		}
	}
}
