package disk_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"example.com/ckpt/internal/disk"
)

// TestSharing compares permissions with the results of git's calc_shared_perm.
func TestSharing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such modes")
	}
	for _, c := range []struct {
		value            string
		file, dir        fs.FileMode // of 0644, and of a folder of 0755
		readOnly, strict fs.FileMode // of 0444, and of 0600
	}{
		{value: "", file: 0o644, dir: 0o755, readOnly: 0o444, strict: 0o600},
		{value: "umask", file: 0o644, dir: 0o755, readOnly: 0o444, strict: 0o600},
		{value: "false", file: 0o644, dir: 0o755, readOnly: 0o444, strict: 0o600},
		{value: "0", file: 0o644, dir: 0o755, readOnly: 0o444, strict: 0o600},
		{value: "0440", file: 0o644, dir: 0o755, readOnly: 0o444, strict: 0o600}, // git refuses it
		{value: "group", file: 0o664, dir: 0o775, readOnly: 0o444, strict: 0o660},
		{value: "TRUE", file: 0o664, dir: 0o775, readOnly: 0o444, strict: 0o660},
		{value: "1", file: 0o664, dir: 0o775, readOnly: 0o444, strict: 0o660},
		{value: "world", file: 0o664, dir: 0o775, readOnly: 0o444, strict: 0o664},
		{value: "2", file: 0o664, dir: 0o775, readOnly: 0o444, strict: 0o664},
		{value: "0660", file: 0o660, dir: 0o770, readOnly: 0o440, strict: 0o660},
		{value: "0640", file: 0o640, dir: 0o750, readOnly: 0o440, strict: 0o640},
		{value: "0600", file: 0o600, dir: 0o700, readOnly: 0o400, strict: 0o600},
	} {
		with, base := disk.ParseSharing(c.value), t.TempDir()
		for was, want := range map[fs.FileMode]fs.FileMode{0o644: c.file, 0o444: c.readOnly, 0o600: c.strict} {
			path := filepath.Join(base, was.String())
			ok(t, os.WriteFile(path, nil, was))
			ok(t, os.Chmod(path, was))
			ok(t, with.Apply(path))
			if got := modeOf(t, path); got != want {
				t.Errorf("%q: %v becomes %v, not %v", c.value, was, got, want)
			}
		}
		dir := filepath.Join(base, "dir")
		ok(t, os.Mkdir(dir, 0o755))
		ok(t, os.Chmod(dir, 0o755))
		ok(t, with.Apply(dir))
		if got := modeOf(t, dir); got != c.dir {
			t.Errorf("%q: a folder gets %v, not %v", c.value, got, c.dir)
		}
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	ok(t, err)
	return info.Mode().Perm()
}
