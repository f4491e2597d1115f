package internal

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/envtest"
)

// heavy lists packages that cost megabytes, and milliseconds at every start. Only the renderer ckpt-view and
// the server ckpt-mcp link them.
var heavy = []string{
	"github.com/charmbracelet/", "github.com/alecthomas/chroma", "github.com/muesli/termenv",
	"charm.land/", "github.com/mattn/go-runewidth", "github.com/atotto/clipboard",
	"github.com/modelcontextprotocol/", "github.com/google/jsonschema-go",
}

// TestCkptLinksNothingHeavy looks at ckpt and at the tests of the scripts, because these start the test
// binary as ckpt, thousands of times.
func TestCkptLinksNothingHeavy(t *testing.T) {
	scripts, err := filepath.Glob("../test/*/testdata")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	programs := []string{"-test", "../cmd/ckpt"}
	for _, folder := range scripts {
		programs = append(programs, filepath.Dir(folder))
	}
	for _, dep := range links(t, programs...) {
		for _, thing := range heavy {
			if strings.HasPrefix(dep, thing) {
				t.Errorf("ckpt links %s", dep)
			}
		}
	}
}

// TestHeavyThingsAreLinkedElsewhere checks that a program still links each package of heavy.
func TestHeavyThingsAreLinkedElsewhere(t *testing.T) {
	all := links(t, "../cmd/ckpt-view", "../cmd/ckpt-mcp")
	for _, thing := range heavy {
		if !slices.ContainsFunc(all, func(dep string) bool { return strings.HasPrefix(dep, thing) }) {
			t.Errorf("neither ckpt-view nor ckpt-mcp links %s", thing)
		}
	}
}

// TestPackagesOfCkptInitialiseNothing keeps variables that are computed out of the packages: every
// command would pay for them when it starts. The script of `ckpt demo`, in cli, is the exception.
func TestPackagesOfCkptInitialiseNothing(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "ckpt.exe")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", bin, "../cmd/ckpt").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := envtest.Command(bin, "version")
	cmd.Env = append(cmd.Env, "GODEBUG=inittrace=1")
	out, err = cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		at, isInit := strings.CutPrefix(line, "init ")
		if pkg, own := strings.CutPrefix(at, module); isInit && own && !strings.HasPrefix(pkg, "cli ") {
			t.Errorf("%s computes variables when ckpt starts: use text.Regexp, text.Lazy or a function", strings.Fields(pkg)[0])
		}
	}
}

// TestTermIsLight asserts that the package that all programs link needs only the standard library,
// golang.org/x, the widths of characters, and package text, which needs the standard library only.
func TestTermIsLight(t *testing.T) {
	for _, dep := range links(t, "./term") {
		domain, _, _ := strings.Cut(dep, "/")
		if strings.Contains(domain, ".") && domain != "golang.org" && !strings.HasPrefix(dep, "github.com/clipperhouse/") &&
			dep != module+"term" && dep != module+"text" {
			t.Errorf("term links %s", dep)
		}
	}
}

// links returns the packages that a program or a package needs.
func links(t *testing.T, of ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list", "-deps"}, of...)...).Output()
	if exit, ok := err.(*exec.ExitError); ok {
		t.Fatalf("go list: %s", exit.Stderr)
	}
	if err != nil {
		t.Skip(err)
	}
	return strings.Fields(string(out))
}
