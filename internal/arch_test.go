// Package internal holds the test that keeps the house as docs/architecture.md
// draws it.
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

// floors lists the rooms from the top down. A room may import rooms on lower
// floors only; rooms on one floor do not know each other.
var floors = [][]string{
	{"cli", "mcp"},
	{"runner"},
	{"project"},
	{"agents/setup", "chronicle", "survey", "browse"},
	{"store", "git", "output", "output/draw", "view"},
	{"git/index", "git/refs"},
	{"git/object"},
	{"core/wire"},
	{"core/decided"},
	{"core/inspect", "core/importing"},
	{"core/brief"},
	{"core/validate", "core/history", "core/search", "core/schema", "core/branches"},
	{"core/merge", "agents/record"},
	{"core/drift", "core/lineage", "core/learnings", "core/index", "core/fold", "core/plan", "core/policy"},
	{"core/progress"},
	{"core/checkpoint"},
	{"core/doc", "core/secrets", "disk", "agents/settings"},
	{"core/value", "core/result"},
	{"core/stats", "core/change", "agents/protocol", "core/fault", "core/text", "core/token", "term"},
}

// owners says which rooms alone may import a thing from outside.
var owners = map[string][]string{
	"github.com/go-git/go-git":        {"git", "git/object", "git/index"},
	"github.com/spf13/cobra":          {"cli"},
	"github.com/charmbracelet":        {"view", "browse"},
	"charm.land":                      {"browse"},
	"github.com/yuin/goldmark":        {"core/doc", "view"},
	"gopkg.in/yaml.v3":                {"core/doc", "core/plan", "core/policy"},
	"github.com/modelcontextprotocol": {"mcp"},
	"github.com/google/jsonschema-go": {"mcp"},
	"os/exec":                         {"git", "term", "runner"},
	"net":                             {},
	"os":                              {"disk", "term", "store", "git", "git/object", "git/refs", "cli", "view", "runner"},
	"path/filepath":                   {"disk", "term", "store", "git", "git/object", "git/refs", "project", "agents/setup", "cli", "runner", "mcp"},
}

func TestFloors(t *testing.T) {
	floor := map[string]int{}
	for i, rooms := range floors {
		for _, r := range rooms {
			floor[r] = i
		}
	}
	eachFile(t, func(room, file string, f *ast.File) {
		at, ok := floor[room]
		if !ok {
			t.Errorf("%s: room %q is not on the plan", file, room)
			return
		}
		for _, spec := range f.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if to, ok := strings.CutPrefix(imp, module); ok {
				if floor[to] <= at {
					t.Errorf("%s: %s may not import %s: it stands on a higher or the same floor", file, room, to)
				}
				continue
			}
			for thing, who := range owners {
				if (imp == thing || strings.HasPrefix(imp, thing+"/") && thing != "os") && !slices.Contains(who, room) {
					t.Errorf("%s: %s may not import %s; it belongs to %v", file, room, imp, who)
				}
			}
		}
	})
}

// pure are rooms beside core that do no I/O and take the time as an argument.
var pure = []string{"agents/settings", "agents/protocol", "agents/record"}

func TestCoreHasNoClock(t *testing.T) {
	eachFile(t, func(room, file string, f *ast.File) {
		if !strings.HasPrefix(room, "core/") && !slices.Contains(pure, room) {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "time" && s.Sel.Name == "Now" {
					t.Errorf("%s: core takes the time as an argument", file)
				}
			}
			return true
		})
	})
}

func eachFile(t *testing.T, visit func(room, file string, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return err
		}
		room := path.Dir(filepath.ToSlash(p))
		if room == "." || strings.HasSuffix(room, "test") { // gittest and its like
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		visit(room, p, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
