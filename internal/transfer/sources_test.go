package transfer

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace"
)

var (
	today     = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	committed = time.Date(2025, 5, 6, 7, 8, 9, 0, time.UTC)
)

// reader returns a reader of a folder with files, whose first commit is known.
func reader(t *testing.T, files map[string]string) *sourceReader {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return &sourceReader{
		dir: dir, root: dir, checkpoints: "checkpoints", now: func() time.Time { return today }, progress: func(string, int, int) {},
		firstCommit: func(context.Context, string, bool) time.Time { return committed },
	}
}

func TestSources(t *testing.T) {
	const notes = "# Notes\n\n## Next steps\n\n- Test\n"
	files := map[string]string{
		"HANDOFF.md":                notes,
		"bad.md":                    "\xff\xfea",
		"rows.jsonl":                `{"summary":{"goal":"a"},"resumePointer":{"nextAction":"b"}}` + "\n{}\n",
		"bank/projectbrief.md":      "# Brief\n\nIt sells.\n",
		"bank/progress.md":          "# Progress\n\n- Works\n",
		"notes/a.md":                notes,
		"notes/b.md":                notes,
		"notes/deep/c.md":           notes,
		"checkpoints/active/own.md": notes,
	}
	for name, tt := range map[string]struct {
		paths []string
		want  string // names of the sources, or the error
	}{
		"a file":            {paths: []string{"HANDOFF.md"}, want: "HANDOFF.md"},
		"standard input":    {paths: []string{"-"}, want: "stdin"},
		"a folder":          {paths: []string{"notes"}, want: "notes/a.md notes/b.md"},
		"a memory bank":     {paths: []string{"bank"}, want: "bank"},
		"a missing file":    {paths: []string{"gone.md"}, want: `"gone.md" does not exist`},
		"a checkpoint":      {paths: []string{"checkpoints/active/own.md"}, want: "checkpoints/active/own.md is in the checkpoints folder already"},
		"a bad file":        {paths: []string{"bad.md"}, want: "bad.md: line 1: this is UTF-16; Markdown in UTF-8 is expected"},
		"a bad file of two": {paths: []string{"HANDOFF.md", "bad.md"}, want: "bad.md: line 1: this is UTF-16; Markdown in UTF-8 is expected"},
		"a bad row":         {paths: []string{"rows.jsonl"}, want: "rows.jsonl:2: the JSON fits no schema"},
	} {
		t.Run(name, func(t *testing.T) {
			req := ImportRequest{Paths: tt.paths, Stdin: strings.NewReader(notes)}
			all, err := reader(t, files).sources(context.Background(), req)
			var names []string
			for _, s := range all {
				names = append(names, s.Place.In(s.Name))
			}
			got := strings.Join(names, " ")
			if err != nil {
				got = err.Error()
			}
			if err == nil && got != tt.want || !strings.HasPrefix(got, tt.want) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestSourcesHaveALimit(t *testing.T) {
	r := reader(t, nil)
	r.size = doc.MaxSize - 10
	err := r.path(context.Background(), "-", strings.NewReader("more than ten bytes"))
	if fault.KindOf(err) != fault.Unsupported || !strings.Contains(fault.HintOf(err), "split -C 32m") {
		t.Errorf("err = %v", err)
	}
}

// TestProgressOfAStore: a small store is read without progress; a large one is counted in MiB.
func TestProgressOfAStore(t *testing.T) {
	row := `{"summary":{"goal":"` + strings.Repeat("a", 3<<19) + `"},"resumePointer":{"nextAction":"b"}}` + "\n"
	r := reader(t, map[string]string{"small.jsonl": protocol + "\n" + protocol + "\n", "large.jsonl": row + row})
	said := ""
	r.progress = func(doing string, done, total int) { said += fmt.Sprintf("%s: %d of %d\n", doing, done, total) }
	for _, name := range []string{"small.jsonl", "large.jsonl"} {
		if err := r.path(t.Context(), name, nil); err != nil {
			t.Fatal(err)
		}
	}
	if want := "Reading large.jsonl: 1 of 3\nReading large.jsonl: 3 of 3\n"; said != want {
		t.Errorf("got %s\nwant %s", said, want)
	}
}

// TestTimeOfASource: a source without a date has that of its first commit or of the file, but none in the future.
func TestTimeOfASource(t *testing.T) {
	for name, tt := range map[string]struct{ commit, want time.Time }{
		"committed":     {commit: committed, want: committed},
		"never":         {want: today},
		"in the future": {commit: today.Add(time.Hour), want: today},
	} {
		r := reader(t, map[string]string{"HANDOFF.md": "# Notes\n\ntext\n"})
		r.firstCommit = func(context.Context, string, bool) time.Time { return tt.commit }
		all, err := r.sources(context.Background(), ImportRequest{Paths: []string{"HANDOFF.md"}})
		if err != nil || !all[0].draft.Made.Equal(tt.want) {
			t.Errorf("%s: %v, want %v: %v", name, all[0].draft.Made, tt.want, err)
		}
	}
}

func TestDescribe(t *testing.T) {
	one := result.Imported{File: "a/HANDOFF.md", ID: "chk-a", Path: "checkpoints/active/chk-a.md", Lines: 3}
	for want, done := range map[string][]result.Imported{
		"chk-a active/chk-a.md HANDOFF.md, 3 lines (0 to Imported)": {one, {File: "old.md", Same: true}},
		"  2 sources, 6 lines (0 to Imported)":                      {one, one},
		"  ":                                                        {{File: "a.md", ID: "chk-a", Same: true}},
	} {
		o := workspace.Tx{Path: "active/chk-a.md"}
		describe(&o, done)
		if got := o.ID + " " + o.Path + " " + o.Summary; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestRemarksAfterAnImport(t *testing.T) {
	for want, k := range map[string]inventory{
		"": {},
		"the Problem is still to be written: ckpt edit chk-a; no checkpoint is current (ckpt use chk-a)":    {made: []string{"chk-a"}, bare: []string{"chk-a"}},
		"2 of these checkpoints have no Problem yet: ckpt validate; no checkpoint is current (ckpt use ID)": {made: []string{"a", "b"}, bare: []string{"a", "b"}},
	} {
		if got := strings.Join(k.remarks(false), "; "); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
