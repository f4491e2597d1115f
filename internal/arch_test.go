// Package internal holds the tests that keep the structure which docs/architecture.md
// describes.
package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "example.com/ckpt/internal/"

// layers lists the packages from the top down. A package imports packages of its own
// layer and of lower ones.
var layers = []struct {
	name     string
	packages string
}{
	{"commands", "cli mcp"},
	{"operations", `agents/hooks agents/setup doctor edit explore history migrate
		plan/planner plan/runner query resolve resume scan sync transfer`},
	{"workspace", "workspace"},
	{"input and output", `agents/recorder agents/trust disk git git/changes git/ckptref git/commit git/index git/log git/mergefile git/object
		git/refs git/remote history/gitlog
		output output/draw output/markup output/site sync/refmerge term tui view workspace/base workspace/byhand
		workspace/checkout workspace/figures workspace/folder workspace/modified workspace/reftip workspace/store`},
	{"values", `agents/protocol agents/record agents/settings brief build change checkpoint checkpoint/doc checkpoint/revise checkpoint/value
		drift edit/fold fault history/decisions history/revisions learnings lineage merge
		plan policy progress progress/inspect result search secrets stats text
		token transfer/importing transfer/schema validate yamlfile`},
}

// owners lists the packages that alone may import something from outside.
var owners = map[string][]string{
	"github.com/go-git/go-git":        {"git"},
	"github.com/spf13/cobra":          {"cli"},
	"github.com/charmbracelet":        {"view", "tui"},
	"charm.land":                      {"view", "tui"},
	"github.com/clipperhouse":         {"term", "output"},
	"github.com/atotto/clipboard":     {"tui"},
	"github.com/yuin/goldmark":        {"checkpoint/doc", "output/markup", "view"},
	"gopkg.in/yaml.v3":                {"checkpoint/doc", "policy", "plan", "yamlfile"},
	"github.com/modelcontextprotocol": {"mcp"},
	"github.com/google/jsonschema-go": {"mcp"},
	"os/exec":                         {"git", "term", "plan/runner"},
	"net":                             {},
	"os":                              {"disk", "term", "workspace/store", "workspace/checkout", "git", "cli", "view", "plan/runner"},
}

// layerOf returns the index of a package's layer, -1 for a package without one.
func layerOf(pkg string) int {
	for i, layer := range layers {
		if slices.Contains(strings.Fields(layer.packages), pkg) {
			return i
		}
	}
	return -1
}

func TestLayers(t *testing.T) {
	eachFile(t, func(pkg, file string, f *ast.File) {
		at := layerOf(pkg)
		if at < 0 {
			t.Errorf("%s: package %q is in no layer", file, pkg)
			return
		}
		for _, spec := range f.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if to, ok := strings.CutPrefix(imported, module); ok {
				if layerOf(to) < at {
					t.Errorf("%s: %s may not import %s, which is in a higher layer (%s)", file, pkg, to, layers[max(layerOf(to), 0)].name)
				}
				continue
			}
			for thing, who := range owners {
				if (imported == thing || strings.HasPrefix(imported, thing+"/") && thing != "os") && !belongsTo(pkg, who) {
					t.Errorf("%s: %s may not import %s; only %v may", file, pkg, imported, who)
				}
			}
		}
	})
}

// belongsTo reports whether a package is one of the owners or below one.
func belongsTo(pkg string, owners []string) bool {
	return slices.ContainsFunc(owners, func(o string) bool { return pkg == o || strings.HasPrefix(pkg, o+"/") })
}

// TestValuesHaveNoClockAndNoFiles checks that the lowest layer takes the time and bytes as
// arguments, and paths with slashes.
func TestValuesHaveNoClockAndNoFiles(t *testing.T) {
	eachFile(t, func(pkg, file string, f *ast.File) {
		if layerOf(pkg) != len(layers)-1 {
			return
		}
		for _, spec := range f.Imports {
			if spec.Path.Value == `"path/filepath"` {
				t.Errorf("%s: paths of values have slashes", file)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "time" && s.Sel.Name == "Now" {
				t.Errorf("%s: the time is an argument", file)
			}
			return true
		})
	})
}

// eachFile visits the Go files of internal that are not tests.
func eachFile(t *testing.T, visit func(pkg, file string, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(p))
		if pkg == "." || strings.HasSuffix(pkg, "test") || strings.Contains(pkg, "testdata") { // helpers of tests, as gittest
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		visit(pkg, p, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
