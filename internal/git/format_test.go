package git

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

var inOslo = time.Date(2026, 1, 1, 0, 0, 0, 0, time.FixedZone("", 3600))

func TestReadFormat(t *testing.T) {
	dir := t.TempDir()
	config := "[core]\n\trepositoryformatversion = 1\n\tBare = true ; no\n" +
		"[core] worktree = \"../a \\\"b\\\" # c\" # d\n" +
		"# [extensions]\n[Extensions]\n\tobjectFormat = sha256\n\tpartialClone\n[extensions \"sub\"]\n\tnot = this\n[user\n"
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := readFormat(dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	if !f.bare || f.worktree != `../a "b" # c` || len(f.extensions) != 2 || f.extensions["objectformat"] != "sha256" || f.extensions["partialclone"] != "true" {
		t.Errorf("format = %+v", f)
	}
	if f, err := readFormat(dir, t.TempDir()); err != nil || f.worktree != "" {
		t.Errorf("linked: %+v, %v", f, err)
	}
}

func TestParseDate(t *testing.T) {
	for given, want := range map[string]string{
		"1700000000 +0100":                "1700000000 +0100",
		"@1700000000 -0530":               "1700000000 -0530",
		"@5 +0000":                        "5 +0000",
		"2026-01-02T03:04:05Z":            "1767323045 +0000",
		"2026-01-02T03:04:05+02:00":       "1767315845 +0200",
		"2026-01-02 03:04:05 +0200":       "1767315845 +0200",
		"Fri, 02 Jan 2026 03:04:05 +0000": "1767323045 +0000",
		"2026-01-02 03:04:05":             "1767319445 +0100",
		"yesterday":                       "",
		"20000101 +0000":                  "", // git reads it as a date
		"":                                "",
	} {
		if got, _ := parseDate(given, inOslo); got != want {
			t.Errorf("%q is %q, want %q", given, got, want)
		}
	}
}
