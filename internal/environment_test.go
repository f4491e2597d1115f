package internal

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	ownVariable = regexp.MustCompile(`"(CKPT_[A-Z]+)`)
	ownSetting  = regexp.MustCompile(`"ckpt\.([a-z]+)"`)
)

// TestEnvironmentPage asserts that the documents name every variable of ckpt and every key of git
// config that the code names.
func TestEnvironmentPage(t *testing.T) {
	page, err := os.ReadFile("../docs/environment.md")
	if err != nil {
		t.Fatal(err)
	}
	settings, err := os.ReadFile("../docs/config.md")
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	goFiles(t, ".", func(path string, _ *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			text, ok := n.(*ast.BasicLit)
			if !ok {
				return true
			}
			for _, m := range ownVariable.FindAllStringSubmatch(text.Value, -1) {
				names++
				if m[1] != "CKPT_TEST" && !strings.Contains(string(page), m[1]) {
					t.Errorf("%s: docs/environment.md does not name %s", path, m[1])
				}
			}
			for _, m := range ownSetting.FindAllStringSubmatch(text.Value, -1) {
				names++
				if !strings.Contains(strings.ToLower(string(settings)), "`ckpt."+m[1]+"`") {
					t.Errorf("%s: docs/config.md does not name the key ckpt.%s", path, m[1])
				}
			}
			return true
		})
	})
	if names < 10 {
		t.Errorf("only %d names were found", names)
	}
}

// TestIndexes asserts that docs/README.md and docs/llms.txt lead to files that exist, and the former
// to every page.
func TestIndexes(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#]+)`)
	index := map[string]bool{}
	for _, name := range []string{"../docs/README.md", "../docs/llms.txt"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			index[m[1]] = index[m[1]] || name == "../docs/README.md"
			_, err := os.Stat(filepath.Join("../docs", m[1]))
			if err != nil {
				t.Errorf("%s leads to %s: %v", name, m[1], err)
			}
		}
	}
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		name := filepath.Base(page)
		if !index[name] && name != "README.md" {
			t.Errorf("docs/README.md does not lead to %s", name)
		}
	}
}
