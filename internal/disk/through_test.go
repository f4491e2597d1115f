package disk

import (
	"os"
	"path/filepath"
	"testing"
)

// TestUnwrite removes what WriteFile created, with its folders, and keeps what was there before.
func TestUnwrite(t *testing.T) {
	top := t.TempDir()
	path := filepath.Join(top, "a", "b", "c.json")
	must(t, WriteFile(path, []byte("{}"), true))
	must(t, Unwrite(path, top))
	if entries, err := os.ReadDir(top); err != nil || len(entries) > 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
	must(t, WriteFile(path, []byte("{}"), false))
	must(t, os.WriteFile(filepath.Join(top, "a", "mine"), nil, 0o666))
	if err := Unwrite(path, top); err != nil || Exists(filepath.Join(top, "a", "b")) || !Exists(filepath.Join(top, "a", "mine")) {
		t.Errorf("a folder with another file in it: %v", err)
	}
}

// TestUnwriteBelowALink removes a parent only if it is a folder and not a link.
func TestUnwriteBelowALink(t *testing.T) {
	top := t.TempDir()
	must(t, os.Mkdir(filepath.Join(top, "tools"), 0o777))
	link := filepath.Join(top, "link")
	if err := os.Symlink("tools", link); err != nil {
		t.Skip(err)
	}
	path := filepath.Join(link, "skills", "a.md")
	must(t, WriteFile(path, []byte("x"), false))
	if got := FirstLink(top, path); got != link {
		t.Errorf("the first link is %q", got)
	}
	if err := Unwrite(path, top); err != nil || Exists(filepath.Join(top, "tools", "skills")) || !isLink(link) || !Exists(link) {
		t.Errorf("the folder below the link goes, the link and its folder stay: %v", err)
	}
}

func TestWithin(t *testing.T) {
	for path, want := range map[string]bool{"/a": true, "/a/b": true, "/a/..b": true, "/ab": false, "/": false, "/a/../b": false} {
		if got := Within(filepath.FromSlash(path), filepath.FromSlash("/a")); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestThroughLinks(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	link, target := filepath.Join(top, "link"), filepath.Join(top, "real", "file")
	if err := os.Symlink(filepath.Join("real", "file"), link); err != nil {
		t.Skip(err)
	}
	if got := Real(link); got != target {
		t.Errorf("a link to no file yet leads to %q", got)
	}
	must(t, WriteFile(link, []byte("x"), false))
	folder := filepath.Join(top, "folder")
	must(t, os.Symlink("real", folder))
	for _, path := range []string{link, target, filepath.Join(folder, "file")} {
		if got := Real(path); got != target {
			t.Errorf("Real(%q) = %q", path, got)
		}
	}
	if got := Real(filepath.Join(folder, "new", "one")); got != filepath.Join(top, "real", "new", "one") {
		t.Errorf("a file that is not there: %q", got)
	}
	if err := Unwrite(link, top); err != nil || Exists(target) || !Exists(link) {
		t.Errorf("the link goes and the file stays, or both: %v", err)
	}
}
