package disk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/ckpt/internal/fault"
)

func TestGenerated(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "site")
	generate := func(names ...string) error {
		g, err := OpenGenerated(dir)
		if err != nil {
			return err
		}
		return g.Replace(names, func(name string) []byte { return []byte("text of " + name) })
	}
	folder := func() string {
		entries, err := os.ReadDir(dir)
		must(t, err)
		var names []string
		for _, e := range entries {
			if !IsTemp(e.Name()) {
				names = append(names, e.Name())
			}
		}
		return strings.Join(names, " ")
	}
	if err := generate("a", "b"); err != nil || folder() != "a b "+GeneratedList {
		t.Fatalf("%v: %s", err, folder())
	}
	if err := generate("b", "c"); err != nil || folder() != "b c "+GeneratedList {
		t.Fatalf("%v: %s", err, folder())
	}
	if got, err := os.ReadFile(filepath.Join(dir, "c")); err != nil || string(got) != "text of c" {
		t.Errorf("%q, %v", got, err)
	}

	// A killed process may leave a temporary file. The folder is still accepted.
	write(t, dir, ".ckpt-1", "half")
	if err := generate("b"); err != nil {
		t.Error(err)
	}
	// A folder with a file of another program is refused, and nothing changes.
	write(t, dir, "notes.txt", "mine")
	if err := generate("x"); fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "notes.txt") {
		t.Errorf("%v", err)
	}
	if folder() != "b "+GeneratedList+" notes.txt" {
		t.Error(folder())
	}
}

func TestGeneratedRefuses(t *testing.T) {
	for name, make := range map[string]func(dir string) error{
		"a file":             func(dir string) error { return os.WriteFile(filepath.Join(dir, "index.html"), nil, 0o666) },
		"a folder":           func(dir string) error { return os.Mkdir(filepath.Join(dir, "sub"), 0o777) },
		"a listed folder":    func(dir string) error { return listed(dir, os.Mkdir(filepath.Join(dir, "sub"), 0o777)) },
		"a listed symlink":   func(dir string) error { return listed(dir, os.Symlink("/", filepath.Join(dir, "sub"))) },
		"a list as a folder": func(dir string) error { return os.Mkdir(filepath.Join(dir, GeneratedList), 0o777) },
	} {
		dir := t.TempDir()
		if err := make(dir); err != nil {
			t.Skip(err)
		}
		if _, err := OpenGenerated(dir); err == nil {
			t.Errorf("%s is not refused", name)
		}
	}
}

// TestGeneratedListNamesNothingOutside checks that a list written by hand removes no file outside the folder.
func TestGeneratedListNamesNothingOutside(t *testing.T) {
	dir := t.TempDir()
	site := filepath.Join(dir, "site")
	write(t, dir, "precious", "mine")
	write(t, site, GeneratedList, generatedNote+"\n../precious\n")
	g, err := OpenGenerated(site)
	must(t, err)
	must(t, g.Replace([]string{"a"}, func(string) []byte { return nil }))
	if !Exists(filepath.Join(dir, "precious")) {
		t.Error("a file outside of the folder was removed")
	}
}

func listed(dir string, err error) error {
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, GeneratedList), []byte(generatedNote+"\nsub\n"), 0o666)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	err := WriteFile(filepath.Join(dir, name), []byte(text), false)
	must(t, err)
}
