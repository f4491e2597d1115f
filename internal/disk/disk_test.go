package disk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/fault"
)

func TestWriteFile(t *testing.T) {
	envtest.Set(t)
	t.Run("new file in missing folders", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a", "b", "c.md")
		must(t, WriteFile(path, []byte("one"), true))
		wantFile(t, path, "one")
		wantMode(t, path, 0o644)
	})
	t.Run("existing file keeps its mode", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "c.md")
		must(t, os.WriteFile(path, []byte("one"), 0o600))
		must(t, WriteFile(path, []byte("two"), false))
		wantFile(t, path, "two")
		wantMode(t, path, 0o600)
	})
	t.Run("symbolic link is written through", func(t *testing.T) {
		dir := t.TempDir()
		must(t, os.Mkdir(filepath.Join(dir, "real"), 0o755))
		must(t, os.Symlink("real/x", filepath.Join(dir, "hop")))
		must(t, os.Symlink("hop", filepath.Join(dir, "link")))
		must(t, WriteFile(filepath.Join(dir, "link"), []byte("one"), false))
		wantFile(t, filepath.Join(dir, "real", "x"), "one")
		if to, err := os.Readlink(filepath.Join(dir, "link")); to != "hop" {
			t.Errorf("link = %q, %v", to, err)
		}
	})
	t.Run("a folder in the way is named", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "c.md")
		must(t, os.Mkdir(path, 0o755))
		err := WriteFile(path, []byte("one"), false)
		if err == nil || !strings.Contains(err.Error(), path) || fault.KindOf(err) != fault.Failed {
			t.Errorf("err = %v", err)
		}
		wantNoTemps(t, filepath.Dir(path))
	})
	t.Run("links in a circle", func(t *testing.T) {
		dir := t.TempDir()
		must(t, os.Symlink("b", filepath.Join(dir, "a")))
		must(t, os.Symlink("a", filepath.Join(dir, "b")))
		if err := WriteFile(filepath.Join(dir, "a"), nil, false); err == nil {
			t.Error("no error")
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantFile(t *testing.T, path, want string) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	if string(data) != want {
		t.Errorf("%s = %q, want %q", path, data, want)
	}
}

func wantMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	if info.Mode().Perm() != want {
		t.Errorf("%s has mode %v, want %v", path, info.Mode().Perm(), want)
	}
}

func wantNoTemps(t *testing.T, dir string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, tempPattern))
	must(t, err)
	if len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}
