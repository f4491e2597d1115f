package walk

import (
	"crypto/sha1"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.com/ckpt/internal/change"
	format "example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/learnings"
)

// invariants are the promises that are checked after every action of a walk.
var invariants = []struct {
	promise string
	check   func(w *walk, files map[string]string, is *format.Set) (problem string)
}{
	{"every checkpoint is where it belongs, and there are no others", (*walk).checkPlaces},
	{"every section has its entries, in order", (*walk).checkSections},
	{"every text is in the bytes of its file, and no other text is", (*walk).checkBytes},
	{"at most one checkpoint is marked as current, and it is the right one", (*walk).checkCurrent},
	{"LEARNINGS.md has the learnings of the archived ones", (*walk).checkLearnings},
	{"JSON is loaded as it was saved", (*walk).checkJSON},
	{"validate finds no error", (*walk).checkValid},
	{"every operation is in the store", (*walk).checkStore},
	{"the user's own files, staged or not, are as the user left them", (*walk).checkUser},
}

// check checks the invariants.
func (w *walk) check() {
	files := w.files()
	set := &format.Set{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		c, err := format.Parse(path, []byte(files[path]))
		switch {
		case err == nil:
			set.All = append(set.All, c)
		case err != format.ErrOther:
			w.Fatalf("%s: %v\n%s", path, err, files[path])
		}
	}
	for _, i := range invariants {
		if problem := i.check(w, files, set); problem != "" {
			w.Fatalf("%s: not after %s:\n%s", i.promise, w.last(), problem)
		}
	}
}

// last returns the last command of the walk.
func (w *walk) last() string {
	if len(w.log) == 0 {
		return "the beginning"
	}
	return w.log[len(w.log)-1]
}

// folder returns the folder with the files of checkpoints.
func (w *walk) folder() string {
	if w.mode == "ref" {
		return filepath.Join(w.dir, ".ckpt")
	}
	return filepath.Join(w.dir, "checkpoints")
}

// files returns the content of all files of the checkpoints folder by their paths in it.
func (w *walk) files() map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(w.folder(), func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) || err == nil && d.IsDir() {
			return nil
		}
		src, err := os.ReadFile(path)
		rel, _ := filepath.Rel(w.folder(), path)
		all[filepath.ToSlash(rel)] = string(src)
		return err
	})
	if err != nil {
		w.Fatalf("read the checkpoints: %v", err)
	}
	return all
}

// pathOf returns the path of a checkpoint in the checkpoints folder.
func pathOf(c *checkpoint) string {
	if c.archived {
		return "archive/" + c.id + ".md"
	}
	return "active/" + c.id + ".md"
}

func (w *walk) checkPlaces(_ map[string]string, is *format.Set) string {
	var want, got []string
	for _, c := range w.model().all {
		want = append(want, fmt.Sprintf("%s parent=%s", pathOf(c), c.parent))
	}
	for _, c := range is.All {
		got = append(got, fmt.Sprintf("%s parent=%s", c.Path, c.Parent()))
		if !strings.HasSuffix(c.Path, "/"+c.ID+".md") {
			return c.Path + " has the id " + c.ID
		}
	}
	slices.Sort(want)
	return different("the files", want, got)
}

func (w *walk) checkSections(_ map[string]string, is *format.Set) string {
	for _, c := range is.All {
		want, got := w.model().all[c.ID], read(c)
		for _, k := range format.Kinds() {
			if problem := different(c.ID+", "+k.String(), want.sections[k], got.sections[k]); problem != "" {
				return problem
			}
		}
		if problem := different(c.ID+", deltas", texts(want.deltas), texts(got.deltas)); problem != "" {
			return problem
		}
		if want.archived && c.Outcome() != want.outcome {
			return fmt.Sprintf("%s: the outcome is %q, not %q", c.ID, c.Outcome(), want.outcome)
		}
		if want.archived {
			if problem := different(c.ID+", its learnings", want.learnings, c.Learnings()); problem != "" {
				return problem
			}
		}
	}
	return ""
}

// read returns the content of a parsed file in the form of the model.
func read(c *format.Checkpoint) *checkpoint {
	m := newCheckpoint(c.ID)
	for _, k := range []format.Kind{format.Problem, format.Intent, format.State} {
		m.set(k, c.Text(k))
	}
	for _, d := range c.Decisions() {
		m.add(format.Decisions, d.Text)
	}
	for _, a := range c.Actions() {
		if a.Done {
			a.Text = "[x] " + a.Text
		}
		m.add(format.Next, a.Text)
	}
	for _, k := range []format.Kind{format.Context, format.PlayByPlay, format.Rules} {
		if p, ok := c.Find(k); ok {
			for _, item := range c.Doc.Items(p.Extent) {
				m.add(k, item.Text)
			}
		}
	}
	for _, b := range c.Breadcrumbs() {
		m.add(format.Breadcrumbs, row(b.Type, b.Reference, b.Hint))
	}
	m.add(format.Artifacts, artifactRows(c.Artifacts())...)
	for _, d := range c.Deltas() {
		var transitions []string
		for _, t := range d.Transitions {
			transitions = append(transitions, row(t.Item, t.Before, t.After))
		}
		extra := ""
		for _, part := range d.Parts {
			if !slices.Contains([]string{"What Changed", "Artifacts", "Status Transitions"}, part.Title) {
				extra += "### " + part.Title + "\n\n" + c.Doc.Text(part.Body)
			}
		}
		m.deltas = append(m.deltas, delta{at: d.Stamp, changed: d.Changed, artifacts: artifactRows(d.Artifacts), transitions: transitions, extra: extra})
	}
	return m
}

func artifactRows(all []format.Artifact) []string {
	var rows []string
	for _, a := range all {
		rows = append(rows, row(a.File, a.Action, a.Change))
	}
	return rows
}

var ownWord = regexp.MustCompile(`zq\d{3,}`)

// checkBytes looks for the words of each text in the bytes of the file, without parsing it. The words
// of one text must be together and in order, and there must be no others.
func (w *walk) checkBytes(files map[string]string, _ *format.Set) string {
	for _, c := range w.model().all {
		found := ownWord.FindAllString(files[pathOf(c)], -1)
		known := map[string]bool{}
		for _, text := range c.texts() {
			words := ownWord.FindAllString(text, -1)
			if !containsRun(found, words) {
				return fmt.Sprintf("%s: the words %v are not there together\n%s", c.id, words, files[pathOf(c)])
			}
			for _, word := range words {
				known[word] = true
			}
		}
		for _, word := range c.spoken {
			known[word] = true
		}
		for _, word := range found {
			if !known[word] {
				return fmt.Sprintf("%s: the word %s belongs elsewhere, or nowhere\n%s", c.id, word, files[pathOf(c)])
			}
		}
	}
	return ""
}

// texts returns all texts of a checkpoint. The entries of a section are one text.
func (c *checkpoint) texts() []string {
	all := slices.Concat(texts(c.deltas), c.own, []string{c.outcome}, []string{strings.Join(c.learnings, "\n")})
	for _, entries := range c.sections {
		all = append(all, strings.Join(entries, "\n"))
	}
	return all
}

func texts(deltas []delta) []string {
	var all []string
	for _, d := range deltas {
		all = append(all, d.String())
	}
	return all
}

// containsRun reports whether all has the words of run one after the other.
func containsRun(all, run []string) bool {
	for i := range len(all) - len(run) + 1 {
		if slices.Equal(all[i:i+len(run)], run) {
			return true
		}
	}
	return false
}

func (w *walk) checkCurrent(_ map[string]string, is *format.Set) string {
	var want, got []string
	if id := w.model().current; id != "" {
		want = []string{id}
	}
	for _, c := range is.All {
		if c.MarkedCurrent() {
			got = append(got, c.ID)
		}
	}
	if w.model().unsure && len(got) < 2 {
		w.model().current = strings.Join(got, "")
		return ""
	}
	return different("the marks of current", want, got)
}

func (w *walk) checkLearnings(files map[string]string, _ *format.Set) string {
	got := map[string][]string{}
	for _, l := range learnings.Unique(learnings.Parse([]byte(files["LEARNINGS.md"]))) {
		got[l.ID] = append(got[l.ID], l.Text)
	}
	for _, id := range slices.Sorted(maps.Keys(got)) {
		if _, known := w.model().learnings[id]; !known {
			return id + " has learnings, and should have none"
		}
	}
	for _, id := range slices.Sorted(maps.Keys(w.model().learnings)) {
		if problem := different("learnings of "+id, w.model().learnings[id], got[id]); problem != "" {
			return problem
		}
	}
	return ""
}

// checkJSON exports the changed checkpoints that were saved as JSON, and compares the result.
func (w *walk) checkJSON(files map[string]string, _ *format.Set) string {
	for _, id := range w.model().where(func(c *checkpoint) bool { return c.saved != "" }) {
		c := w.model().all[id]
		src := files[pathOf(c)]
		if w.exported[id] == src && c.loaded != nil {
			continue
		}
		w.exported[id] = src
		loaded := w.export(c)
		if c.loaded != nil && !value.Equal(c.loaded, loaded) {
			return fmt.Sprintf("%s: %s\nand was %s\n%s", id, jsonText(loaded), jsonText(c.loaded), src)
		}
		if got := keptOf(loaded); got != c.kept {
			return fmt.Sprintf("%s: the phases and the session are %s\nand were %s\n%s", id, got, c.kept, src)
		}
		c.loaded = loaded
	}
	return ""
}

func (w *walk) checkValid(map[string]string, *format.Set) string {
	if a := w.ckpt("", "validate", "-q"); a.exit != 0 {
		return fmt.Sprintf("exit %d\n%s%s", a.exit, a.out, a.err)
	}
	return ""
}

// checkStore checks that the checkpoint ref has the same files as the folder, in every mode. Edits by hand and
// the mark of the current checkpoint do not count. In own mode [walk.checkUser] also compares the branch with
// the files.
func (w *walk) checkStore(files map[string]string, _ *format.Set) string {
	const tip = "refs/ckpt/checkpoints"
	out, err := w.gitCommand("ls-tree", "-r", tip, "checkpoints/").Output()
	if err != nil && len(w.model().all) > 0 {
		return fmt.Sprintf("git ls-tree %s: %v", tip, err)
	}
	var want, got []string
	for path, src := range w.unmarked(files) {
		if strings.HasSuffix(path, ".md") && !w.line().editedFile(path) {
			want = append(want, fmt.Sprintf("%x %s", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(src), src)), path))
		}
	}
	for entry := range strings.Lines(string(out)) { // MODE blob HASH<TAB>checkpoints/PATH
		head, path, _ := strings.Cut(strings.TrimSpace(entry), "\tcheckpoints/")
		if strings.HasSuffix(path, ".md") && !w.line().editedFile(path) {
			got = append(got, head[strings.LastIndex(head, " ")+1:]+" "+path)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	return different("the files of "+tip, want, got)
}

// checkUser checks the content of the user's own files in the working tree and in the index, and git's
// status. The status has no checkpoints, except for edits by hand in own mode.
func (w *walk) checkUser(map[string]string, *format.Set) string {
	for _, name := range slices.Sorted(maps.Keys(w.user)) {
		if src, err := os.ReadFile(filepath.Join(w.dir, name)); err != nil || string(src) != w.user[name] {
			return fmt.Sprintf("%s is %q, %v, not %q", name, src, err, w.user[name])
		}
	}
	theirs, ours := w.gitStatus()
	if theirs != w.status {
		return fmt.Sprintf("git status: %s\nand was: %s", theirs, w.status)
	}
	var want []string
	for _, e := range w.line().edits {
		if path := "checkpoints/" + pathOf(w.model().all[e.id]); w.mode == "own" && !slices.Contains(want, path) {
			want = append(want, path)
		}
	}
	slices.Sort(want)
	if w.mode == "off" {
		return ""
	}
	return different("git status of checkpoints", want, ours)
}

// gitStatus returns git's status of the user's files, with the hashes in the index, and the paths of
// checkpoints that git lists.
func (w *walk) gitStatus() (theirs string, ours []string) {
	out, err := w.gitCommand("status", "--porcelain=v2", "-z", "-uall").Output()
	if err != nil {
		w.Fatalf("git status: %v", err)
	}
	for entry := range strings.SplitSeq(string(out), "\x00") {
		if path := entry[strings.LastIndex(entry, " ")+1:]; strings.HasPrefix(path, "checkpoints/") || strings.HasPrefix(path, ".ckpt/") {
			ours = append(ours, path)
		} else if path != "" {
			theirs += entry + "\n"
		}
	}
	return theirs, ours
}

// different describes how two lists differ; "" if they do not.
func different(what string, want, got []string) string {
	if slices.Equal(want, got) {
		return ""
	}
	return fmt.Sprintf("%s:\n%s\nnot\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
}

// compareFiles describes how the files differ from those that are wanted; "" if they do not.
func compareFiles(want, got map[string]string) string {
	var all []change.File
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if src, there := got[path]; !there {
			all = append(all, change.File{Path: path, Before: []byte(want[path])})
		} else if src != want[path] {
			all = append(all, change.File{Path: path, Before: []byte(want[path]), After: []byte(src)})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(got)) {
		if _, wanted := want[path]; !wanted {
			all = append(all, change.File{Path: path, After: []byte(got[path])})
		}
	}
	return change.Patch(all)
}
