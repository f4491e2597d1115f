package main

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/envtest"
)

var update = flag.Bool("update", false, "write docs/spec/cases")

const casesDir = "../../docs/spec/cases"

// TestCasesAreUpToDate compares the cases with those from the tests. `go test ./test/spec -update` writes them.
func TestCasesAreUpToDate(t *testing.T) {
	files, err := Generate("../../internal")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, f := range files {
		src, err := Encode(f)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(casesDir, f.Kind+".json")
		want[path] = true
		if *update {
			if err := os.WriteFile(path, src, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(path); err != nil || string(have) != string(src) {
			t.Errorf("%s is not what the tests have: run go test ./test/spec -update (%v)", path, err)
		}
	}
	have, _ := filepath.Glob(filepath.Join(casesDir, "*"))
	for _, path := range have {
		if !want[path] {
			t.Errorf("%s has no source", path)
		}
	}
}

func load(t *testing.T) []File {
	t.Helper()
	files, err := Load(casesDir)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestAnswers checks ckpt's answer to every question.
func TestAnswers(t *testing.T) {
	n := 0
	for _, f := range load(t) {
		names := map[string]bool{}
		for _, c := range f.Cases {
			n++
			if names[c.Name] {
				t.Errorf("%s has %q twice", f.Kind, c.Name)
			}
			names[c.Name] = true
			answer, err := Answer(f.Kind, c.Input)
			if err != nil {
				t.Fatal(err)
			}
			if got := plain(answer); !reflect.DeepEqual(got, c.Answer) {
				t.Errorf("%s, %s:\ngot  %v\nwant %v", f.Kind, c.Name, got, c.Answer)
			}
		}
	}
	if n < 300 {
		t.Errorf("%d cases", n)
	}
}

var ruleStart = regexp.MustCompile(`^\*\*(\d+\.\d+)\*\* `)

// TestEveryRuleHasCases checks that every rule of the specification has an example, a word such as MUST, a case that
// keeps it and a case that breaks it.
func TestEveryRuleHasCases(t *testing.T) {
	src, err := os.ReadFile("../../docs/spec/specification.md")
	if err != nil {
		t.Fatal(err)
	}
	holds, breaks := map[string]bool{}, map[string]bool{}
	for _, f := range load(t) {
		for _, c := range f.Cases {
			for _, rule := range c.Holds {
				holds[rule] = true
			}
			for _, rule := range c.Breaks {
				breaks[rule] = true
			}
			if len(c.Holds)+len(c.Breaks) == 0 {
				t.Errorf("%s, %s: about no rule", f.Kind, c.Name)
			}
		}
	}
	rules := map[string]bool{}
	for part := range strings.SplitSeq(string(src), "\n\n") {
		m := ruleStart.FindStringSubmatch(part)
		if m == nil {
			continue
		}
		rules[m[1]] = true
		if !strings.Contains(part, "\nExample: ") {
			t.Errorf("%s has no example", m[1])
		}
		if !regexp.MustCompile(`\b(MUST|SHOULD|MAY)\b`).MatchString(part) {
			t.Errorf("%s does not say MUST, SHOULD or MAY", m[1])
		}
	}
	codes, err := os.ReadFile("../../docs/validation-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	explained := regexp.MustCompile(`(?m)^### (CK\d+)\n\n\*\*(.*)\*\* \((.*)\)$`)
	for _, m := range explained.FindAllStringSubmatch(string(codes), -1) {
		rules[m[1]] = true
		if row := "| " + m[1] + " | " + m[2] + " | " + m[3] + " |\n"; !strings.Contains(string(src), row) {
			t.Errorf("the specification lacks %s", row)
		}
	}
	for rule := range rules {
		if strings.HasPrefix(rule, "CK") && holds["13"] {
			holds[rule] = true
		}
	}
	delete(holds, "13")
	for _, rule := range slices.Sorted(maps.Keys(rules)) {
		if !holds[rule] || !breaks[rule] {
			t.Errorf("%s: a case holds it: %v, a case breaks it: %v", rule, holds[rule], breaks[rule])
		}
	}
	for _, used := range []map[string]bool{holds, breaks} {
		for _, rule := range slices.Sorted(maps.Keys(used)) {
			if !rules[rule] {
				t.Errorf("the specification has no rule %s", rule)
			}
		}
	}
}

// readerKinds are the kinds of questions that the readers in examples/readers answer.
var readerKinds = []string{
	"time", "file", "fields", "headings", "items", "sections", "next", "deltas", "current", "lineage",
}

// TestReaders runs the cases on the readers in examples/readers, which were written from the specification.
func TestReaders(t *testing.T) {
	files := load(t)
	for _, r := range []struct{ program, file, option, isNew string }{
		{"python3", "reader.py", "-c", "import sys; sys.exit(sys.version_info < (3, 11))"},
		{"node", "reader.mjs", "-e", "process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)"},
	} {
		t.Run(r.file, func(t *testing.T) {
			path := filepath.Join("../../examples/readers", r.file)
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(src), "\n"); n > 250 {
				t.Errorf("%d lines", n)
			}
			if err := envtest.Command(r.program, r.option, r.isNew).Run(); err != nil {
				t.Skipf("%s is not here or too old: %v", r.program, err)
			}
			cmd := envtest.Command(r.program, path)
			var said strings.Builder
			cmd.Stderr = &said
			to, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			from, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = cmd.Process.Kill() }()
			tally, err := Ask(files, Which{Kinds: readerKinds, Without: []string{"ckpt", "iso", "limits", "yaml"}}, to, from)
			if err != nil {
				t.Fatal(err, said.String())
			}
			for _, message := range tally.Wrong {
				t.Error(message)
			}
			if tally.Unsupported > 0 || tally.Right < 300 {
				t.Errorf("%d right, %d not supported", tally.Right, tally.Unsupported)
			}
			if err := cmd.Wait(); err != nil {
				t.Error(err, said.String())
			}
		})
	}
}

// TestWords checks that ckpt understands the words of the specification.
func TestWords(t *testing.T) {
	src, err := os.ReadFile("../../docs/spec/words.json")
	if err != nil {
		t.Fatal(err)
	}
	var words struct {
		Sections map[string]struct {
			Title    string
			Level    int
			Required bool
			Also     []string
		}
		Nothing     map[string]string
		Subheadings map[string][]string
	}
	if err := json.Unmarshal(src, &words); err != nil {
		t.Fatal(err)
	}
	for _, k := range checkpoint.Kinds() {
		want, have := k.Template(), words.Sections[k.Template().Name]
		if have.Title != want.Title || have.Level != want.Level || have.Required != want.Required {
			t.Errorf("%s is %+v", want.Name, have)
		}
		for _, title := range have.Also {
			if other, ok := checkpoint.KindNamed(title); !ok || other != k {
				t.Errorf("%q is not %s", title, k)
			}
		}
	}
	says := map[string]checkpoint.ItemStatus{"done": checkpoint.Finished, "under way": checkpoint.Underway,
		"open": checkpoint.Open, "rejected": checkpoint.Rejected}
	for name, phrases := range words.Subheadings {
		for _, phrase := range phrases {
			bare, open := strings.CutSuffix(phrase, "*")
			if got := checkpoint.StatusOf(bare); got != says[name] {
				t.Errorf("%q does not say %s", bare, name)
			}
			longer := slices.ContainsFunc(phrases, func(other string) bool {
				return strings.HasSuffix(other, "*") && strings.HasPrefix(bare, strings.TrimSuffix(other, "*")+" ")
			})
			if (checkpoint.StatusOf(bare+" zzz") == says[name]) != (open || longer) {
				t.Errorf("%q: words may follow: %v", bare, !open)
			}
		}
	}
	whole := regexp.MustCompile(words.Nothing["whole"])
	remark := regexp.MustCompile(words.Nothing["with a remark"])
	for _, f := range load(t) {
		if f.Kind != "next" {
			continue
		}
		for _, c := range f.Cases {
			_, entry, ok := strings.Cut(c.Input["text"].(string), "### Next Actions\n\n- ")
			entry = strings.TrimSuffix(entry, "\n")
			if !ok || strings.Contains(entry, "\n") {
				continue
			}
			plain := strings.Join(strings.Fields(strings.ToLower(strings.Trim(entry, "*_`-–—.!()[] \t\r\n"))), " ")
			none := whole.MatchString(plain) || remark.MatchString(strings.ToLower(strings.TrimSpace(entry)))
			if none != checkpoint.IsNone(entry) {
				t.Errorf("%q: nothing: %v", entry, none)
			}
		}
	}
}
