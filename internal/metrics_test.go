package internal

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The limits of the code. Divide a package, type or function that exceeds one.
const (
	maxMethods       = 40
	maxPackageLines  = 3600
	maxFileLines     = 500
	maxFunctionLines = 120
	maxPaths         = 25  // cyclomatic complexity of a function
	maxLineLength    = 120 // characters; a tab is one
	maxUnkeyed       = 3   // values of a struct literal without field names
	maxOperators     = 3   // && and || in one condition
)

// maxLines is what the whole program may have, in lines of Go without tests and generated files. It may only go down:
// lower it after you remove lines.
const maxLines = 75_777

// TestTotal keeps the program from growing.
func TestTotal(t *testing.T) {
	total := 0
	goFiles(t, "..", func(_ string, fset *token.FileSet, f *ast.File) {
		if !ast.IsGenerated(f) {
			total += fset.File(f.Pos()).LineCount()
		}
	})
	if total > maxLines {
		t.Errorf("the program has %d lines, more than %d", total, maxLines)
	}
	if total < maxLines-300 {
		t.Errorf("the program has %d lines: set maxLines to that", total)
	}
}

// larger lists exceptions to the limits, with their sizes. An entry may only shrink.
var larger = map[string]int{}

// onePerFile lists the packages that have one command in each file: they may be larger than others.
var onePerFile = map[string]bool{"cli": true}

// TestMetrics checks the limits, and refuses constructs that are hard to read.
func TestMetrics(t *testing.T) {
	methods, lines := map[string]int{}, map[string]int{}
	goFiles(t, ".", func(path string, fset *token.FileSet, f *ast.File) {
		if ast.IsGenerated(f) {
			return
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		report := func(n ast.Node, format string, args ...any) {
			t.Helper()
			t.Errorf("%s: %s", fset.Position(n.Pos()), fmt.Sprintf(format, args...))
		}
		length := fset.File(f.Pos()).LineCount()
		lines[pkg] += length
		if length > maxFileLines {
			report(f, "%d lines in a file, more than %d", length, maxFileLines)
		}
		longLines(t, path, fset, f)
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if size := fset.Position(n.End()).Line - fset.Position(n.Pos()).Line + 1; size > maxFunctionLines {
					report(n, "%s has %d lines, more than %d", n.Name.Name, size, maxFunctionLines)
				}
				if size := paths(n); size > max(maxPaths, larger[pkg+"."+n.Name.Name]) {
					report(n, "%s has %d paths, more than %d", n.Name.Name, size, maxPaths)
				}
				if n.Recv != nil {
					methods[pkg+"."+receiver(n)]++
				}
			case *ast.IfStmt:
				if s, ok := n.Init.(*ast.AssignStmt); ok && s.Tok != token.DEFINE {
					report(n, "an assignment in the header of an if")
				}
				if operators(n.Cond) >= maxOperators {
					report(n, "a condition of %d && and ||", operators(n.Cond))
				}
			case *ast.SwitchStmt:
				if n.Init != nil {
					report(n, "a statement in the header of a switch")
				}
			case *ast.CompositeLit:
				if named(n) && len(n.Elts) > maxUnkeyed && !keyed(n) {
					report(n, "%d values of a struct without field names", len(n.Elts))
				}
			}
			return true
		})
	})
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		if methods[name] > max(maxMethods, larger[name]) {
			t.Errorf("%s has %d methods, more than %d", name, methods[name], maxMethods)
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(lines)) {
		if lines[pkg] > max(maxPackageLines, larger[pkg]) && !onePerFile[pkg] {
			t.Errorf("package %s has %d lines, more than %d", pkg, lines[pkg], maxPackageLines)
		}
	}
}

// longLines reports the lines that are too long, except in raw strings and struct tags.
func longLines(t *testing.T, path string, fset *token.FileSet, f *ast.File) {
	t.Helper()
	raw := map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && strings.HasPrefix(lit.Value, "`") {
			for i := fset.Position(lit.Pos()).Line; i <= fset.Position(lit.End()).Line; i++ {
				raw[i] = true
			}
		}
		return true
	})
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	nr := 0
	for line := range strings.Lines(string(src)) {
		nr++
		if size := utf8.RuneCountInString(strings.TrimRight(line, "\r\n")); size > maxLineLength && !raw[nr] {
			t.Errorf("%s:%d: %d characters in a line, more than %d", path, nr, size, maxLineLength)
		}
	}
}

// receiver returns the name of a method's type.
func receiver(f *ast.FuncDecl) string {
	typ := f.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if generic, ok := typ.(*ast.IndexExpr); ok {
		typ = generic.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name
	}
	return "?"
}

// paths returns the cyclomatic complexity of a function: 1, and one for each place where it can branch.
func paths(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			n += min(1, len(x.List))
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// operators counts the && and || of a condition.
func operators(cond ast.Expr) int {
	n := 0
	ast.Inspect(cond, func(x ast.Node) bool {
		if b, ok := x.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
			n++
		}
		return true
	})
	return n
}

// named reports whether a literal has the name of a type, so that it may be a struct.
func named(lit *ast.CompositeLit) bool {
	switch lit.Type.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return true
	}
	return false
}

// keyed reports whether a literal has field names.
func keyed(lit *ast.CompositeLit) bool {
	_, ok := lit.Elts[0].(*ast.KeyValueExpr)
	return ok
}
