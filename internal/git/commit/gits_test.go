package commit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
)

// withEveryGit runs a test with the git in PATH, and with those in CKPT_TEST_GITS, a list
// of executables like PATH: at least git 2.34, the oldest that ckpt supports, and the
// newest.
func withEveryGit(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Run("git in PATH", test)
	others := filepath.SplitList(os.Getenv("CKPT_TEST_GITS"))
	for _, path := range others {
		t.Run("git "+versionOf(t, path), func(t *testing.T) {
			t.Setenv("PATH", filepath.Dir(path)+string(filepath.ListSeparator)+os.Getenv("PATH"))
			test(t)
		})
	}
	for _, want := range []struct {
		name string
		is   func(major, minor int) bool
	}{
		{"2.34", func(major, minor int) bool { return major == 2 && minor == 34 }},
		{"2.54 or newer", func(major, minor int) bool { return major > 2 || minor >= 54 }},
	} {
		t.Run("git "+want.name, func(t *testing.T) {
			for _, path := range others {
				if want.is(numbers(versionOf(t, path))) {
					return
				}
			}
			t.Skipf("git %s is missing: CKPT_TEST_GITS does not list one", want.name)
		})
	}
}

// needsGit skips a test that needs a newer git than the one in PATH.
func needsGit(t *testing.T, major, minor int) {
	t.Helper()
	version := versionOf(t, "git")
	if a, b := numbers(version); a < major || a == major && b < minor {
		t.Skipf("git %d.%d is missing: this is %s", major, minor, version)
	}
}

func versionOf(t *testing.T, path string) string {
	t.Helper()
	out, err := envtest.Command(path, "version").Output()
	gittest.Must(t, err)
	return strings.TrimPrefix(strings.TrimSpace(string(out)), "git version ")
}

func numbers(version string) (major, minor int) {
	fmt.Sscanf(version, "%d.%d", &major, &minor)
	return major, minor
}
