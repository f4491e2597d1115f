package build

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// TestVersion checks the name of the variable that a release sets: the linker ignores an unknown one.
func TestVersion(t *testing.T) {
	defer func(old string) { version = old }(version)
	version = ""
	if got := Version(); got != "devel" {
		t.Errorf("without a release the version is %q", got)
	}
	version = "1.2.3"
	if got := Version(); got != "1.2.3" {
		t.Errorf("the version of a release is %q", got)
	}
	type here struct{}
	flag := "-X " + reflect.TypeFor[here]().PkgPath() + ".version={{.Version}}"
	release, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil || !strings.Contains(string(release), flag) {
		t.Errorf(".goreleaser.yaml: %v, it has no %q", err, flag)
	}
}
