package internal

import (
	"go/ast"
	"go/token"
	"os"
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
	format, err := os.ReadFile("../docs/format.md")
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
				if !strings.Contains(strings.ToLower(string(format)), "`ckpt."+m[1]+"`") {
					t.Errorf("%s: docs/format.md does not name the key ckpt.%s", path, m[1])
				}
			}
			return true
		})
	})
	if names < 10 {
		t.Errorf("only %d names were found", names)
	}
}
