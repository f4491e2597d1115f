package cli_test

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/term"
)

var update = flag.Bool("update", false, "write docs/commands")

const docs = "../../docs/commands"

// TestDocsAreFresh compares docs/commands with the command tree: a page for each
// command, and README.md with all of them in the groups of `ckpt --help`.
func TestDocsAreFresh(t *testing.T) {
	want := pages(t)
	if *update {
		write(t, want)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		got, err := os.ReadFile(filepath.Join(docs, name))
		if err != nil || string(got) != want[name] {
			t.Errorf("docs/commands/%s is stale: go test ./internal/cli -update", name)
		}
	}
	for _, name := range written(t) {
		if _, ok := want[name]; !ok {
			t.Errorf("docs/commands/%s is of no command: go test ./internal/cli -update", name)
		}
	}
}

// TestTablesOfHelpAreTables checks that each indented line of a help text is a line of its own on the
// rendered page.
func TestTablesOfHelpAreTables(t *testing.T) {
	tables := 0
	for _, cmd := range commands(docsRoot()) {
		page := []byte(commandPage(cmd, nil, nil))
		code := map[string]bool{}
		_ = ast.Walk(goldmark.New().Parser().Parse(text.NewReader(page)), func(n ast.Node, _ bool) (ast.WalkStatus, error) {
			if n.Kind() == ast.KindFencedCodeBlock {
				for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
					code[strings.TrimSpace(string(s.Value(page)))] = true
				}
			}
			return ast.WalkContinue, nil
		})
		for line := range strings.SplitSeq(cmd.Long, "\n") {
			if !strings.HasPrefix(line, "  ") {
				continue
			}
			tables++
			if !code[strings.TrimSpace(line)] {
				t.Errorf("%s: %q is part of a paragraph", pageName(cmd), line)
			}
		}
	}
	if tables == 0 {
		t.Error("no help text has a table")
	}
}

// TestHelpFits checks that the lines of each help text fit a terminal, since they are not wrapped.
func TestHelpFits(t *testing.T) {
	for _, cmd := range commands(docsRoot()) {
		for line := range strings.SplitSeq(cmd.Long, "\n") {
			if n := utf8.RuneCountInString(line); n > 96 {
				t.Errorf("%s: %d characters in %q", pageName(cmd), n, line)
			}
		}
	}
}

var cellEnd = regexp.MustCompile(`(^|[^\\])\|`)

// TestPagesRender asserts that generated pages have no text that Markdown takes for something else:
// code because of an indent, HTML, or a row of a table with more or fewer cells than its head.
func TestPagesRender(t *testing.T) {
	all := pages(t)
	all["json.md"] = jsonReference(t)
	parser := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()
	for name, page := range all {
		src := []byte(strings.TrimPrefix(page, made))
		lines := func(n ast.Node) string { return string(n.Lines().Value(src)) }
		_ = ast.Walk(parser.Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			switch n.Kind() {
			case ast.KindCodeBlock, ast.KindHTMLBlock:
				t.Errorf("%s: %s: %q", name, n.Kind(), lines(n))
			case ast.KindRawHTML:
				t.Errorf("%s: HTML in %q", name, lines(n.Parent()))
			case ast.KindParagraph:
				if strings.HasPrefix(lines(n), "|") || strings.Contains(lines(n), "\n|") {
					t.Errorf("%s: not a table: %q", name, lines(n))
				}
			}
			return ast.WalkContinue, nil
		})
		cells, fence := 0, ""
		for line := range strings.Lines(page) {
			switch open := backticks.FindString(line); {
			case fence == "":
				fence = open
			case strings.TrimSpace(line) == fence:
				fence = ""
			}
			if fence != "" || !strings.HasPrefix(line, "|") {
				cells = 0
				continue
			}
			n := len(cellEnd.FindAllString(line, -1))
			if cells != 0 && n != cells {
				t.Errorf("%s: %d cells, not %d: %s", name, n-1, cells-1, line)
			}
			cells = n
		}
	}
}

func TestEveryCommandIsExplained(t *testing.T) {
	root := docsRoot()
	grouped := map[string]bool{}
	for _, g := range helpGroups(t, root) {
		for _, name := range g.names {
			grouped[name] = true
		}
	}
	for _, cmd := range commands(root) {
		if cmd.Example == "" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: its line in the help is %q: a phrase without a full stop", cmd.CommandPath(), cmd.Short)
		}
		if cmd.Parent() == root && !grouped[cmd.Name()] {
			t.Errorf("%s is in no group of ckpt --help", cmd.CommandPath())
		}
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s --%s says nothing", cmd.CommandPath(), f.Name)
			}
		})
		for _, line := range exampleLines(cmd.Example) {
			checkExample(t, root, cmd, line)
		}
	}
}

var typed = regexp.MustCompile("(?s)```sh\n.*?```|`ckpt [^`]+`")

// TestAgentsAreToldWhatExists checks that each command and flag in the texts that setup
// gives to agents exists.
func TestAgentsAreToldWhatExists(t *testing.T) {
	root := docsRoot()
	for _, name := range []string{"block.md", "skill.md"} {
		src, err := os.ReadFile("../agents/settings/text/" + name)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, code := range typed.FindAllString(string(src), -1) {
			for _, line := range exampleLines(strings.Trim(code, "`")) {
				checkExample(t, root, root, line)
				n++
			}
		}
		if n < 4 {
			t.Errorf("%s names %d commands", name, n)
		}
	}
}

var typedCommand = regexp.MustCompile("`ckpt ([a-z][a-z-]*)")

// TestDocumentsNameCommandsThatExist checks that the commands that documents tell people to type exist.
func TestDocumentsNameCommandsThatExist(t *testing.T) {
	root := docsRoot()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "../../README.md", "../../CONTRIBUTING.md", "../../examples/README.md") {
		src, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range typedCommand.FindAllStringSubmatch(string(src), -1) {
			if cmd, _, err := root.Find(m[1:]); err != nil || cmd == root {
				t.Errorf("%s: there is no `ckpt %s`", filepath.Base(page), m[1])
			}
		}
	}
}

// checkExample checks that the command and the flags of a line exist.
func checkExample(t *testing.T, root, of *cobra.Command, line []string) {
	t.Helper()
	cmd, _, err := root.Find(line)
	if err != nil || cmd == root && !strings.HasPrefix(line[0], "-") {
		t.Errorf("the example of %s: ckpt %s: no such command", of.CommandPath(), strings.Join(line, " "))
		return
	}
	for _, word := range line {
		name, _, _ := strings.Cut(word, "=")
		var known bool
		switch {
		case !strings.HasPrefix(name, "-") || name == "-":
			continue
		case strings.HasPrefix(name, "--"):
			known = cmd.Flag(name[2:]) != nil
		default:
			known = cmd.Flags().ShorthandLookup(name[1:]) != nil || cmd.InheritedFlags().ShorthandLookup(name[1:]) != nil
		}
		if !known {
			t.Errorf("the example of %s: ckpt %s: %s is no flag of it", of.CommandPath(), strings.Join(line, " "), name)
		}
	}
}

var (
	quotedText = regexp.MustCompile(`'[^']*'|"[^"]*"`)
	herePart   = regexp.MustCompile(`(?s)<<'EOF'\n.*?\n\s*EOF`)
	remark     = regexp.MustCompile(`\s+#.*`)
	calls      = regexp.MustCompile(`\bckpt ([^|)>\n]+)`)
)

// exampleLines returns the calls of ckpt in an example, as words. A quoted text is one word.
func exampleLines(example string) [][]string {
	example = strings.ReplaceAll(herePart.ReplaceAllString(example, ""), "\\\n", " ")
	var all [][]string
	for line := range strings.Lines(quotedText.ReplaceAllString(example, "TEXT")) {
		for _, call := range calls.FindAllStringSubmatch(remark.ReplaceAllString(line, ""), -1) {
			all = append(all, strings.Fields(call[1]))
		}
	}
	return all
}

func docsRoot() *cobra.Command {
	var out bytes.Buffer
	root := cli.NewRoot(cli.World{Streams: term.Streams{Out: &out, Err: &out}})
	root.InitDefaultHelpCmd()
	return root
}

// commands returns all commands that help shows, except help itself and the root.
func commands(root *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() && cmd.Name() != "help" {
			all = append(append(all, cmd), commands(cmd)...)
		}
	}
	return all
}

// written returns the names of the existing pages.
func written(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(docs)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// write replaces the existing pages.
func write(t *testing.T, pages map[string]string) {
	t.Helper()
	if err := os.MkdirAll(docs, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range written(t) {
		if err := os.Remove(filepath.Join(docs, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(docs, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
