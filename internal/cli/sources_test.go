package cli_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sources has the documents from which ckpt was made, with the number of points in each.
var sources = []struct {
	name   string
	points int
}{{"S003", 71}, {"O003", 46}, {"S000", 46}, {"S001", 92}, {"S002", 73}, {"S004", 58}}

var (
	quotedName = regexp.MustCompile("`([^`]+)`")
	ruleCode   = regexp.MustCompile(`^CK\d{3}$`)
	goTest     = regexp.MustCompile(`^(Test|Fuzz)[A-Z]`)
)

// TestSources checks docs/sources.md. The page has each point once, in order, and for
// each that is done a proof that exists. The commands and flags that it names exist,
// and its counts are right.
func TestSources(t *testing.T) {
	src, err := os.ReadFile("../../docs/sources.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(src)
	proofs := newProofs(t)
	var ids, want []string
	done, left, notYet := 0, 0, 0
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		id := strings.TrimSpace(cells[0])
		if !strings.HasPrefix(line, "| ") || id == "Id" {
			continue
		}
		if len(cells) != 4 {
			t.Errorf("%s has %d cells", id, len(cells))
			continue
		}
		ids = append(ids, id)
		says, proof := cells[2], strings.TrimSpace(cells[3])
		named := quotedName.FindAllStringSubmatch(proof, -1)
		isLeft, isNotYet := strings.HasPrefix(says, "Left out: "), strings.HasPrefix(says, "Not yet")
		switch {
		case isLeft:
			left++
		case isNotYet:
			notYet++
		default:
			done++
		}
		if none := proof == "—"; none != (isLeft || isNotYet) || !none && len(named) == 0 {
			t.Errorf("%s: what is done has a proof, and nothing else does: %q, %q", id, says, proof)
		}
		for _, name := range named {
			if !proofs.have(name[1]) {
				t.Errorf("%s: %s is no script, no rule and no test, or one of several packages", id, name[1])
			}
		}
	}
	for _, s := range sources {
		for n := range s.points {
			want = append(want, fmt.Sprintf("%s-%02d", s.name, n+1))
		}
	}
	if got, want := strings.Join(ids, " "), strings.Join(want, " "); got != want {
		t.Errorf("the ids are not each there once, in order: got\n%s\nwant\n%s", got, want)
	}
	counts := fmt.Sprintf("Of %d points %d are done, %d are left out and %d are not there yet.", len(want), done, left, notYet)
	if !strings.Contains(page, "\n"+counts+"\n") {
		t.Errorf("the page should say: %s", counts)
	}
	root := docsRoot()
	for _, code := range typed.FindAllString(page, -1) {
		for _, line := range exampleLines(strings.Trim(code, "`")) {
			checkExample(t, root, root, line)
		}
	}
}

// proofs has the tests and rules that a row may name. If several packages have a test,
// the row names the package, too: `plan.TestParse`.
type proofs struct {
	tests map[string][]string // packages by the name of the test
	rules string
}

func newProofs(t *testing.T) proofs {
	t.Helper()
	rules, err := os.ReadFile("../../docs/validation-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	p := proofs{tests: map[string][]string{}, rules: string(rules)}
	for _, root := range []string{"..", "../../test"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, decl := range f.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil {
					p.tests[fn.Name.Name] = append(p.tests[fn.Name.Name], filepath.Base(filepath.Dir(path)))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p proofs) have(name string) bool {
	in, test, qualified := strings.Cut(name, ".")
	switch {
	case ruleCode.MatchString(name):
		return strings.Contains(p.rules, "\n### "+name+"\n")
	case goTest.MatchString(name):
		return len(p.tests[name]) == 1
	case qualified && goTest.MatchString(test):
		return slices.Contains(p.tests[test], in)
	}
	scripts, err := filepath.Glob("../../test/*/testdata/script/" + name + ".txtar")
	return err == nil && len(scripts) == 1
}
