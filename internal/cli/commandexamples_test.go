package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"
)

// TestEveryCommandShowsItsOutput asserts that each command has an example, except those that only group
// others.
func TestEveryCommandShowsItsOutput(t *testing.T) {
	root := docsRoot()
	all := examples(t, root)
	for _, cmd := range commands(root) {
		path := cmd.CommandPath()
		if len(all[path]) == 0 && len(commands(cmd)) == 0 {
			t.Errorf("%s is in no script example_*", path)
		}
		delete(all, path)
	}
	for path := range all {
		t.Errorf("the scripts show %s, which has no page", path)
	}
}

// example is a command of a script, as it is typed, and its output.
type example struct {
	about         string // the comment above it
	typed, output string
}

var (
	scriptCalls    = regexp.MustCompile(`^(?:! )?exec (ckpt .*)$`)
	scriptCompares = regexp.MustCompile(`^(?:cmp|like) stdout \$WORK/(\S+)$`)
)

// examples returns the examples in the scripts example_*, by command: each call of ckpt whose whole output
// is compared with a file of the archive. The screen of ckpt browse is a picture, see TestBrowsePicture.
func examples(t *testing.T, root *cobra.Command) map[string][]example {
	t.Helper()
	scripts, err := filepath.Glob("../../test/*/testdata/script/example_*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts with examples: %v", err)
	}
	screen, err := os.ReadFile("../../docs/pictures/browse.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]example{"ckpt browse": {{typed: "ckpt browse", output: string(screen)}}}
	for _, script := range scripts {
		archive, err := txtar.ParseFile(script)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, f := range archive.Files {
			files[f.Name] = string(f.Data)
		}
		var next example
		var input string
		for line := range strings.Lines(string(archive.Comment)) {
			line = strings.TrimSuffix(line, "\n")
			remark, isRemark := strings.CutPrefix(line, "# ")
			stdin, isStdin := strings.CutPrefix(line, "stdin $WORK/")
			call := scriptCalls.FindStringSubmatch(line)
			compares := scriptCompares.FindStringSubmatch(line)
			switch {
			case line == "":
				next = example{}
			case isRemark:
				next.about = strings.TrimSpace(next.about + "\n" + remark)
			case isStdin:
				input = " <<'EOF'\n" + files[stdin] + "EOF"
			case call != nil:
				next.typed, input = call[1]+input, ""
			case compares != nil && next.typed != "":
				words, _, _ := strings.Cut(next.typed, "\n")
				cmd, _, err := root.Find(strings.Fields(words)[1:])
				if err != nil {
					t.Fatalf("%s: %s: %v", script, words, err)
				}
				next.output = files[compares[1]]
				all[cmd.CommandPath()] = append(all[cmd.CommandPath()], next)
				next = example{}
			}
		}
	}
	return all
}

// exampleSection returns the section with the examples of a command and the other calls in its help.
func exampleSection(cmd *cobra.Command, shown []example) string {
	calls := strings.Split(unindent(cmd.Example), "\n")
	var blocks []string
	session := ""
	end := func() {
		if session != "" {
			blocks = append(blocks, fenced("console", session))
			session = ""
		}
	}
	for _, e := range shown {
		if e.about != "" {
			end()
			blocks = append(blocks, e.about)
		}
		session += "$ " + e.typed + "\n" + e.output
		calls = slices.DeleteFunc(calls, func(call string) bool {
			return strings.TrimSpace(remark.ReplaceAllString(call, "")) == e.typed
		})
	}
	end()
	if len(calls) > 0 {
		if len(blocks) > 0 {
			blocks = append(blocks, "Other calls:")
		}
		blocks = append(blocks, fenced("sh", strings.Join(calls, "\n")+"\n"))
	}
	return "## Example\n\n" + strings.Join(blocks, "\n\n") + "\n"
}

var backticks = regexp.MustCompile("(?m)^ *(`{3,})")

// fenced returns text in a code block, whose fence is longer than every fence in the text.
func fenced(language, text string) string {
	fence := "```"
	for _, m := range backticks.FindAllStringSubmatch(text, -1) {
		if len(m[1]) >= len(fence) {
			fence = m[1] + "`"
		}
	}
	return fence + language + "\n" + text + fence
}
