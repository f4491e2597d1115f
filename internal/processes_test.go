package internal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestProcessesOfTests checks that tests start processes by envtest, or by gittest.Repo, whose environment
// envtest has made, so that no test depends on the configuration of the machine's user. Only go itself,
// which needs its caches, has the environment of the caller.
func TestProcessesOfTests(t *testing.T) {
	calls := 0
	for _, dir := range []string{".", "../bench", "../cmd", "../scripts", "../test"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !ofTests(filepath.ToSlash(path)) {
				return err
			}
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				switch name := callee(call); {
				case name == "envtest.Command", name == "envtest.CommandContext":
					calls++
				case strings.HasPrefix(name, "exec.Command") && !startsGo(call):
					t.Errorf("%s: start the process by envtest.Command, or by Command of a gittest.Repo", fset.Position(n.Pos()))
				case name == "os.Environ", name == "os.StartProcess":
					t.Errorf("%s: %s: the environment of a test's process is envtest.Env", fset.Position(n.Pos()), name)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if calls < 10 {
		t.Errorf("only %d processes of tests were found", calls)
	}
}

// ofTests reports whether a file belongs to tests: not to envtest, gittest and wine, which make the environment,
// nor to a program that runs by itself.
func ofTests(path string) bool {
	switch dir := filepath.Base(filepath.Dir(path)); {
	case dir == "envtest", dir == "gittest", dir == "wine", strings.Contains(path, "/testdata/"):
		return false
	case strings.HasSuffix(path, "_test.go"):
		return true
	default:
		return strings.HasSuffix(dir, "test") && strings.HasSuffix(path, ".go") && dir != "test"
	}
}

// callee returns the name of the function that is called, with that of its package.
func callee(call *ast.CallExpr) string {
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	x, ok := s.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return x.Name + "." + s.Sel.Name
}

// startsGo reports whether a call of exec.Command starts go.
func startsGo(call *ast.CallExpr) bool {
	program, ok := call.Args[0].(*ast.BasicLit)
	return ok && program.Value == `"go"`
}
