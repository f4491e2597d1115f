package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// retired lists the words of the private language that earlier versions of the code spoke,
// each with the field's word for it. Names, comments, messages and documents do without them.
var retired = map[string]string{
	"ailment": "problem", "ails": "problem", "chronicle": "history", "cylinder": "backend",
	"deed": "operation", "dialect": "protocol", "door": "command", "doors": "commands",
	"eyes": "", "fate": "history", "glance": "load", "house": "", "mended": "fixed",
	"peek": "load", "rooms": "packages", "scene": "state", "strand": "version",
}

// puzzling matches phrases that a reader has to read twice, with what to write instead.
var puzzling = []struct {
	phrase  *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\bsays whether\b`), "reports whether"},
	{regexp.MustCompile(`\bwhere nobody\b`), `"if it is not set"`},
	{regexp.MustCompile(`\bwhere there (is|are) none\b`), `"if there is none"`},
	{regexp.MustCompile(`\bis none of\b`), `"invalid ... (want a or b)"`},
	{regexp.MustCompile(`(;|:) (""|nil|0|-1) where\b`), `"Empty means ..."`},
	{regexp.MustCompile(`\b(gave way|gives way)\b`), "replaced"},
	{regexp.MustCompile(`\bnothing ails\b`), `"no problems found"`},
}

// TestPlainWords checks names, comments and string literals of the code that is not a test.
func TestPlainWords(t *testing.T) {
	for _, dir := range []string{"../cmd", "../bench", "../test", "."} {
		goFiles(t, dir, func(path string, fset *token.FileSet, f *ast.File) {
			at := func(p token.Pos) string { return fset.Position(p).String() }
			for _, c := range f.Comments {
				checkText(t, at(c.Pos()), strings.Join(strings.Fields(c.Text()), " "))
			}
			checkName(t, at(f.Name.Pos()), f.Name.Name)
			tags := map[*ast.BasicLit]bool{} // of struct fields: names in JSON are promised
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					if n.Kind == token.STRING && !tags[n] {
						checkText(t, at(n.Pos()), n.Value)
					}
				case *ast.FuncDecl:
					checkName(t, at(n.Pos()), n.Name.Name)
				case *ast.TypeSpec:
					checkName(t, at(n.Pos()), n.Name.Name)
				case *ast.ValueSpec:
					for _, id := range n.Names {
						checkName(t, at(id.Pos()), id.Name)
					}
				case *ast.Field:
					if n.Tag != nil {
						tags[n.Tag] = true
					}
					for _, id := range n.Names {
						checkName(t, at(id.Pos()), id.Name)
					}
				}
				return true
			})
		})
	}
}

// TestPlainDocuments checks the pages that people read. docs/decisions.md and CHANGELOG.md
// record what was said at the time.
func TestPlainDocuments(t *testing.T) {
	pages, _ := filepath.Glob("../docs/*.md")
	commands, _ := filepath.Glob("../docs/commands/*.md")
	pages = append(append(pages, commands...), "../README.md", "../CONTRIBUTING.md", "../examples/README.md")
	for _, page := range pages {
		if filepath.Base(page) == "decisions.md" {
			continue
		}
		src, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(page) == "json.md" { // names in JSON are promised
			src = regexp.MustCompile("(?m)^\\| `.*?`").ReplaceAll(src, nil)
		}
		checkText(t, page, string(src))
	}
}

func checkText(t *testing.T, at, text string) {
	t.Helper()
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if instead, ok := retired[word]; ok {
			t.Errorf("%s: %q: write %q, or say it without a metaphor", at, word, instead)
		}
	}
	for _, p := range puzzling {
		if found := p.phrase.FindString(text); found != "" {
			t.Errorf("%s: %q: write %s", at, found, p.instead)
		}
	}
}

// checkName checks the words of an identifier.
func checkName(t *testing.T, at, name string) {
	t.Helper()
	from := 0
	for i, r := range name + "X" {
		if i == len(name) || unicode.IsUpper(r) || r == '_' {
			word := strings.ToLower(strings.Trim(name[from:i], "_"))
			if instead, ok := retired[word]; ok {
				t.Errorf("%s: %s: %q is a retired word; use %q", at, name, word, instead)
			}
			from = i
		}
	}
}

// goFiles visits the Go files below a folder that are not tests.
func goFiles(t *testing.T, dir string, visit func(path string, fset *token.FileSet, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "testdata" {
			if d != nil && d.IsDir() && err == nil {
				return fs.SkipDir
			}
			return err
		}
		if d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, p, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		visit(p, fset, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
