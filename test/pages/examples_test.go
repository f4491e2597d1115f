package pages

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/validate"
	"example.com/ckpt/internal/workspace/store"
)

// examplesDir is a checkpoints folder as people may have it. Its README describes
// each file.
const examplesDir = "../../examples"

// today is when the examples' team comes back from its weekend.
var today = time.Date(2026, 2, 16, 9, 0, 0, 0, time.UTC)

// example has the expected content of a file of examples/.
type example struct {
	path     string
	id       string
	status   checkpoint.Status
	parent   string
	deltas   int
	live     int      // decisions
	struck   int      // decisions that are superseded
	learned  int      // learnings
	findings []string // the codes of validate's findings
}

var examples = []example{
	{path: "active/chk-event-partitions.md", id: "chk-event-partitions", status: checkpoint.Active, deltas: 32, live: 12, struck: 3},
	{path: "active/chk-printer-agent.md", id: "chk-printer-agent", status: checkpoint.Active, deltas: 1, live: 3},
	{path: "active/chk-webhook-retries.md", id: "chk-webhook-retries", status: checkpoint.Current, deltas: 4, live: 5, struck: 1},
	{path: "active/chk-webhook-signing.md", id: "chk-webhook-signing", status: checkpoint.Active, parent: "chk-webhook-retries", deltas: 1, live: 7},
	{path: "active/scanner-spike.md", id: "session-scanner-003", status: checkpoint.Active, live: 3, struck: 1, findings: []string{"CK305"}},
	{path: "archive/2025/11/chk-carrier-sandbox.md", id: "chk-carrier-sandbox", status: checkpoint.Archived, live: 2},
	{path: "archive/chk-label-fonts.md", id: "chk-label-fonts", status: checkpoint.Archived, live: 2, learned: 1},
	{path: "archive/chk-tracking-cache.md", id: "chk-tracking-cache", status: checkpoint.Archived, parent: "chk-carrier-sandbox", deltas: 2, live: 3, struck: 1, learned: 3},
}

func TestExamplesShowWhatTheySay(t *testing.T) {
	set := readExamples(t)
	if len(set.Broken) > 0 {
		t.Errorf("cannot be read: %v", set.Broken)
	}
	var paths []string
	for _, c := range set.All {
		paths = append(paths, c.Path)
	}
	var want []string
	for _, e := range examples {
		want = append(want, e.path)
	}
	if !slices.Equal(paths, want) {
		t.Fatalf("examples/ holds %q, the test knows %q", paths, want)
	}
	for i, e := range examples {
		c := set.All[i]
		got := example{path: c.Path, id: c.ID, status: c.Status(), parent: c.Parent(), deltas: len(c.Deltas()), learned: len(c.Learnings()), findings: e.findings}
		for _, d := range c.Decisions() {
			if d.Struck {
				got.struck++
			} else {
				got.live++
			}
		}
		if !equalExamples(got, e) {
			t.Errorf("%s\n got %+v\nwant %+v", e.path, got, e)
		}
		if src := readExample(t, c.Path); !bytes.Equal(c.Doc.Bytes(), src) {
			t.Errorf("%s does not come back byte for byte", c.Path)
		}
	}
}

func TestExamplesAreValid(t *testing.T) {
	found := map[string][]string{}
	for _, f := range validate.Set(readExamples(t), time.Time{}).Findings {
		if f.Severity == result.Error {
			t.Errorf("%s:%d: %s [%s]", f.Path, f.Line, f.Message, f.Code)
		}
		found[f.Path] = append(found[f.Path], f.Code)
	}
	for _, e := range examples {
		if !slices.Equal(found[e.path], e.findings) {
			t.Errorf("%s: validate finds %v, not %v", e.path, found[e.path], e.findings)
		}
	}
}

// TestExamplesSurviveTheArchive archives and reopens each checkpoint, or the other
// way round. The file is then the same, byte for byte, apart from the status.
func TestExamplesSurviveTheArchive(t *testing.T) {
	for _, c := range readExamples(t).All {
		first := func(c *checkpoint.Checkpoint) (*checkpoint.Checkpoint, error) {
			return revise.Archive(c, "It works", []string{"One thing", "And another"}, ended(c))
		}
		reopen := func(c *checkpoint.Checkpoint) (*checkpoint.Checkpoint, error) {
			open, _, err := revise.Reopen(c, true)
			return open, err
		}
		then := reopen
		if c.Status() == checkpoint.Archived {
			first = reopen
			then = func(open *checkpoint.Checkpoint) (*checkpoint.Checkpoint, error) {
				return revise.Archive(open, c.Outcome(), c.Learnings(), ended(c))
			}
		}
		between, err := first(c)
		if err != nil {
			t.Errorf("%s: %v", c.Path, err)
			continue
		}
		if c.Status() == checkpoint.Archived {
			sameButStatus(t, c.Path, between.Doc.Bytes(), beforeCompletion(c.Doc.Bytes()))
		}
		back, err := then(between)
		if err != nil {
			t.Errorf("%s: %v", c.Path, err)
		} else if c.ID != byHand {
			sameButStatus(t, c.Path, back.Doc.Bytes(), c.Doc.Bytes())
		}
	}
}

// byHand is the example whose Completion was written by hand, in another form than
// ckpt's.
const byHand = "chk-carrier-sandbox"

// beforeCompletion returns a file as it was before it was archived. The blank line
// above a Completion is removed only together with ckpt's own rule.
func beforeCompletion(src []byte) []byte {
	at := bytes.Index(src, []byte("\n## Completion\n"))
	if before, ok := bytes.CutSuffix(src[:at], []byte("\n---\n")); ok {
		return before
	}
	return src[:at+1]
}

func TestExamplesLedgersAreInStep(t *testing.T) {
	set := readExamples(t)
	bullets := readExample(t, "LEARNINGS.md")
	for _, c := range set.Archived() {
		if out := learnings.Add(bullets, c.ID, ended(c), c.Learnings()); !bytes.Equal(out, bullets) {
			t.Errorf("LEARNINGS.md lacks some of %s", c.ID)
		}
		out, _, kept := learnings.Remove(bullets, c.ID, c.Learnings())
		if len(kept) > 0 {
			t.Errorf("LEARNINGS.md holds what %s does not say: %q", c.ID, kept)
		}
		if again := learnings.Add(out, c.ID, ended(c), c.Learnings()); !bytes.Equal(again, bullets) {
			t.Errorf("LEARNINGS.md does not come back after the learnings of %s were withdrawn", c.ID)
		}
	}
}

// TestExamplesLiveInARepository tests with real commands what the tests above test
// with values.
func TestExamplesLiveInARepository(t *testing.T) {
	r := gittest.New(t)
	if err := os.CopyFS(filepath.Join(r.Dir, "checkpoints"), os.DirFS(examplesDir)); err != nil {
		t.Fatal(err)
	}
	r.Git("add", "-f", ".")
	r.Commit("The examples")
	before := folder(t, r.Dir)

	ckpt(t, r.Dir, today, "validate")
	for _, e := range examples {
		if e.status == checkpoint.Archived {
			ckpt(t, r.Dir, today, "reopen", e.id, "--force")
			continue
		}
		ckpt(t, r.Dir, today, "note", "context", "Found while reading", "-c", e.id)
		r.Git("revert", "--no-edit", "HEAD")
		ckpt(t, r.Dir, today, "archive", e.id, "--outcome", "It works", "--learning", "Only here", "--force")
		ckpt(t, r.Dir, today, "reopen", e.id)
	}
	if status := r.Git("status", "--porcelain"); status != "" {
		t.Errorf("left behind:\n%s", status)
	}
	after := folder(t, r.Dir)
	for _, e := range examples {
		path := e.path
		if e.status == checkpoint.Archived {
			path = "active/" + e.id + ".md"
			before[path] = beforeCompletion(before[e.path])
		}
		sameButStatus(t, path, after[path], before[path])
	}
}

func readExamples(t *testing.T) *checkpoint.Set {
	t.Helper()
	dir, err := filepath.Abs(examplesDir)
	if err != nil {
		t.Fatal(err)
	}
	set, err := (&store.Store{Dir: dir}).Load(store.All)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func readExample(t *testing.T, path string) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(examplesDir, path))
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func equalExamples(a, b example) bool {
	same := slices.Equal(a.findings, b.findings)
	a.findings, b.findings = nil, nil
	return same && a.path == b.path && a.id == b.id && a.status == b.status && a.parent == b.parent &&
		a.deltas == b.deltas && a.live == b.live && a.struck == b.struck && a.learned == b.learned
}

// ended returns the date of a Completion, or else a day after all examples.
func ended(c *checkpoint.Checkpoint) time.Time {
	_, field, _ := strings.Cut(c.Text(checkpoint.Completion), "**Date**: ")
	if at, ok := checkpoint.ParseTime(field); ok {
		return at
	}
	return today
}

var statusLine = text.Regexp(`(?m)^status:.*\n`)

func withoutStatus(src string) string { return statusLine.Get().ReplaceAllString(src, "") }

func sameButStatus(t *testing.T, path string, got, want []byte) {
	t.Helper()
	if got, want := withoutStatus(string(got)), withoutStatus(string(want)); got != want {
		t.Errorf("%s came back changed:\n%s\nfrom\n%s", path, got, want)
	}
}

// folder returns the files of a repository's checkpoints folder.
func folder(t *testing.T, repo string) map[string][]byte {
	t.Helper()
	files, root := map[string][]byte{}, os.DirFS(filepath.Join(repo, "checkpoints"))
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[path], err = fs.ReadFile(root, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
