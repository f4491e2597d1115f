package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// testFile evaluates the tables of a test file. They are composite literals of texts, concatenated texts, constants,
// and calls of helpers in the file that have only assignments and a return.
type testFile struct {
	dir   string
	decls map[string]ast.Node // the constants, variables, types and functions of the package's test files
}

// row is a row of a table: its name and its other fields.
type row struct {
	name   string
	fields map[string]any
}

// call is a call in a table that is not evaluated: its function and arguments.
type call struct {
	name string
	args []any
}

// openTests parses the test files of a folder, the named one last.
func openTests(dir, name string) (*testFile, error) {
	t := &testFile{dir: dir, decls: map[string]ast.Node{}}
	all, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range append(all, filepath.Join(dir, name)) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			t.declare(d)
		}
	}
	return t, nil
}

func (t *testFile) declare(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		t.decls[d.Name.Name] = d
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				t.decls[s.Name.Name] = s.Type
			case *ast.ValueSpec:
				for i, name := range s.Names {
					if i < len(s.Values) {
						t.decls[name.Name] = s.Values[i]
					} else if strings.HasSuffix(name.Name, "ood") { // //go:embed testdata/good.md
						t.decls[name.Name] = &ast.BasicLit{Kind: token.IMPORT, Value: "testdata/" + name.Name + ".md"}
					}
				}
			}
		}
	}
}

// rows returns the rows of the first table that a test ranges over, or of a variable, without those whose names
// are in skip.
func (t *testFile) rows(name string, skip []string) (all []row, err error) {
	scope := map[string]any{}
	var table *ast.CompositeLit
	switch d := t.decls[name].(type) {
	case *ast.CompositeLit:
		table = d
	case *ast.FuncDecl:
		table = t.rangedOver(d, scope)
	}
	if table == nil {
		return nil, fmt.Errorf("%s: no table in %s", t.dir, name)
	}
	var elem ast.Expr
	switch typ := table.Type.(type) {
	case *ast.MapType:
		elem = typ.Value
	case *ast.ArrayType:
		elem = typ.Elt
	}
	for _, e := range table.Elts {
		r := row{fields: map[string]any{}}
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			key, err := t.eval(kv.Key, scope)
			if err != nil {
				return nil, err
			}
			r.name, e = fmt.Sprint(key), kv.Value
		}
		if slices.Contains(skip, r.name) {
			continue
		}
		if lit, ok := e.(*ast.CompositeLit); ok && len(t.fieldNames(elem)) > 0 {
			r.fields, err = t.structure(lit, t.fieldNames(elem), scope)
		} else {
			r.fields["value"], err = t.eval(e, scope)
		}
		if err != nil {
			return nil, fmt.Errorf("%s, %q: %w", name, r.name, err)
		}
		for _, key := range []string{"code", "name"} {
			if own, ok := r.fields[key].(string); ok && r.name == "" {
				r.name = own
			}
		}
		if !slices.Contains(skip, r.name) {
			all = append(all, r)
		}
	}
	return all, nil
}

// rangedOver returns the table that a function ranges over, and adds the constants before it to the scope.
func (t *testFile) rangedOver(f *ast.FuncDecl, scope map[string]any) *ast.CompositeLit {
	for _, s := range f.Body.List {
		switch s := s.(type) {
		case *ast.DeclStmt:
			for _, spec := range s.Decl.(*ast.GenDecl).Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					for i, name := range v.Names {
						scope[name.Name], _ = t.eval(v.Values[i], scope)
					}
				}
				if typ, ok := spec.(*ast.TypeSpec); ok {
					t.decls[typ.Name.Name] = typ.Type
				}
			}
		case *ast.AssignStmt:
			t.assign(s, scope)
		case *ast.RangeStmt:
			if lit, ok := s.X.(*ast.CompositeLit); ok {
				return lit
			}
		}
	}
	return nil
}

func (t *testFile) assign(s *ast.AssignStmt, scope map[string]any) {
	var values []any
	if len(s.Lhs) == 1 || len(s.Rhs) > 1 {
		for _, e := range s.Rhs {
			v, _ := t.eval(e, scope)
			values = append(values, v)
		}
	} else if v, _ := t.eval(s.Rhs[0], scope); v != nil {
		values, _ = v.([]any)
	}
	for i, l := range s.Lhs {
		if name, ok := l.(*ast.Ident); ok && i < len(values) {
			scope[name.Name] = values[i]
		}
	}
}

// fieldNames returns the names of the fields of a structure.
func (t *testFile) fieldNames(e ast.Expr) (names []string) {
	if id, ok := e.(*ast.Ident); ok {
		e, _ = t.decls[id.Name].(ast.Expr)
	}
	if s, ok := e.(*ast.StructType); ok {
		for _, f := range s.Fields.List {
			for _, n := range f.Names {
				names = append(names, n.Name)
			}
		}
	}
	return names
}

func (t *testFile) structure(lit *ast.CompositeLit, names []string, scope map[string]any) (map[string]any, error) {
	fields := map[string]any{}
	for i, e := range lit.Elts {
		var name string
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			name, e = kv.Key.(*ast.Ident).Name, kv.Value
		} else {
			name = names[i]
		}
		v, err := t.eval(e, scope)
		if err != nil {
			return nil, err
		}
		fields[name] = v
	}
	return fields, nil
}

// eval evaluates an expression to a text, a number, a bool, a []any, a map[string]any, a call or a []call.
func (t *testFile) eval(e ast.Expr, scope map[string]any) (any, error) {
	switch e := e.(type) {
	case *ast.BasicLit:
		switch e.Kind {
		case token.IMPORT:
			src, err := os.ReadFile(filepath.Join(t.dir, filepath.FromSlash(e.Value)))
			return string(src), err
		case token.INT:
			return strconv.Atoi(strings.ReplaceAll(e.Value, "_", ""))
		}
		return strconv.Unquote(e.Value)
	case *ast.ParenExpr:
		return t.eval(e.X, scope)
	case *ast.Ident:
		return t.ident(e.Name, scope)
	case *ast.SelectorExpr: // the name of a constant of another package
		return e.Sel.Name, nil
	case *ast.BinaryExpr:
		return t.binary(e, scope)
	case *ast.SliceExpr:
		return t.slice(e, scope)
	case *ast.CompositeLit:
		return t.composite(e, scope)
	case *ast.FuncLit:
		return t.calls(e, scope)
	case *ast.CallExpr:
		return t.callOf(e, scope)
	}
	return nil, fmt.Errorf("an expression of type %T", e)
}

func (t *testFile) ident(name string, scope map[string]any) (any, error) {
	if v, ok := scope[name]; ok {
		return v, nil
	}
	switch name {
	case "true", "false":
		return name == "true", nil
	case "nil", "t":
		return nil, nil
	}
	if e, ok := t.decls[name].(ast.Expr); ok {
		return t.eval(e, map[string]any{})
	}
	return nil, fmt.Errorf("%s is not known", name)
}

func (t *testFile) binary(e *ast.BinaryExpr, scope map[string]any) (any, error) {
	x, err := t.eval(e.X, scope)
	if err != nil {
		return nil, err
	}
	y, err := t.eval(e.Y, scope)
	if err != nil {
		return nil, err
	}
	if n, ok := x.(int); ok {
		return n + y.(int), nil
	}
	a, isText := x.(string)
	b, both := y.(string)
	if e.Op != token.ADD || !isText || !both {
		return nil, fmt.Errorf("%T %s %T", x, e.Op, y)
	}
	return a + b, nil
}

func (t *testFile) slice(e *ast.SliceExpr, scope map[string]any) (any, error) {
	x, err := t.eval(e.X, scope)
	if err != nil {
		return nil, err
	}
	text := x.(string)
	from, to := 0, len(text)
	for _, bound := range []struct {
		e  ast.Expr
		to *int
	}{{e.Low, &from}, {e.High, &to}} {
		if bound.e == nil {
			continue
		}
		v, err := t.eval(bound.e, scope)
		if err != nil {
			return nil, err
		}
		*bound.to = v.(int)
	}
	return text[from:to], nil
}

func (t *testFile) composite(e *ast.CompositeLit, scope map[string]any) (any, error) {
	list, object := []any{}, map[string]any{}
	for _, elt := range e.Elts {
		kv, keyed := elt.(*ast.KeyValueExpr)
		if keyed {
			elt = kv.Value
		}
		v, err := t.eval(elt, scope)
		if err != nil {
			return nil, err
		}
		switch {
		case !keyed:
			list = append(list, v)
		default:
			key, isField := kv.Key.(*ast.Ident)
			if isField && t.decls[key.Name] == nil && scope[key.Name] == nil {
				object[key.Name] = v
				continue
			}
			k, err := t.eval(kv.Key, scope)
			if err != nil {
				return nil, err
			}
			object[fmt.Sprint(k)] = v
		}
	}
	if len(object) > 0 {
		return object, nil
	}
	return list, nil
}

// calls returns the chain of method calls on the argument of a function. The function must have no other statement.
func (t *testFile) calls(f *ast.FuncLit, scope map[string]any) (all []call, err error) {
	if len(f.Body.List) != 1 {
		return nil, fmt.Errorf("a function of %d statements", len(f.Body.List))
	}
	s, ok := f.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return nil, fmt.Errorf("a function with a %T", f.Body.List[0])
	}
	e := s.X
	for {
		c, ok := e.(*ast.CallExpr)
		if !ok {
			return all, nil
		}
		on := c.Fun.(*ast.SelectorExpr)
		args, err := t.args(c, scope)
		if err != nil {
			return nil, err
		}
		all = append([]call{{on.Sel.Name, args}}, all...)
		e = on.X
	}
}

func (t *testFile) args(c *ast.CallExpr, scope map[string]any) (args []any, err error) {
	for _, a := range c.Args {
		v, err := t.eval(a, scope)
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	return args, nil
}

// callOf evaluates a call of strings, or of a helper of the file. Any other call is returned as it is.
func (t *testFile) callOf(c *ast.CallExpr, scope map[string]any) (any, error) {
	args, err := t.args(c, scope)
	if err != nil {
		return nil, err
	}
	texts := asTexts(args)
	switch f := c.Fun.(type) {
	case *ast.SelectorExpr:
		switch f.Sel.Name {
		case "Repeat":
			return strings.Repeat(texts[0], args[1].(int)), nil
		case "ReplaceAll":
			return strings.ReplaceAll(texts[0], texts[1], texts[2]), nil
		case "Replace":
			if made, ok := f.X.(*ast.CallExpr); ok {
				pairs, err := t.args(made, scope)
				if err != nil {
					return nil, err
				}
				return strings.NewReplacer(asTexts(pairs)...).Replace(texts[0]), nil
			}
			return strings.Replace(texts[0], texts[1], texts[2], args[3].(int)), nil
		case "Index":
			return strings.Index(texts[0], texts[1]), nil
		case "Cut":
			before, after, _ := strings.Cut(texts[0], texts[1])
			return []any{before, after, true}, nil
		}
		return call{f.Sel.Name, args}, nil
	case *ast.Ident:
		switch f.Name {
		case "change", "replaced": // these have a loop, since they panic if a text is missing
			if f.Name == "replaced" {
				start, err := t.ident("start", scope)
				if err != nil {
					return nil, err
				}
				texts = append([]string{start.(string)}, texts...)
			}
			return strings.NewReplacer(texts[1:]...).Replace(texts[0]), nil
		}
		d, ok := t.decls[f.Name].(*ast.FuncDecl)
		if _, local := scope[f.Name]; ok && !local {
			if v, err := t.helper(d, args); err == nil {
				return v, nil
			}
		}
		return call{f.Name, args}, nil
	}
	return nil, fmt.Errorf("a call of a %T", c.Fun)
}

func asTexts(args []any) []string {
	all := make([]string, len(args))
	for i, a := range args {
		all[i] = fmt.Sprint(a)
	}
	return all
}

// helper runs a function that consists of assignments and a return.
func (t *testFile) helper(d *ast.FuncDecl, args []any) (any, error) {
	scope := map[string]any{}
	for _, p := range d.Type.Params.List {
		for _, name := range p.Names {
			if len(args) > 0 {
				scope[name.Name], args = args[0], args[1:]
			}
		}
	}
	for _, s := range d.Body.List {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if _, ok := s.Lhs[0].(*ast.Ident); !ok {
				return nil, fmt.Errorf("%s sets a field", d.Name.Name)
			}
			t.assign(s, scope)
		case *ast.ReturnStmt:
			return t.eval(s.Results[0], scope)
		default:
			return nil, fmt.Errorf("%s has a %T", d.Name.Name, s)
		}
	}
	return nil, fmt.Errorf("%s returns nothing", d.Name.Name)
}
