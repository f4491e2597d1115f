package git

import (
	"path/filepath"
	"testing"
)

func TestWindowsHome(t *testing.T) {
	share := t.TempDir()
	drive, path := share[:1], share[1:] // HOMEPATH begins after the drive
	gone := filepath.Join(path, "gone")
	for _, tt := range []struct {
		name string
		env  map[string]string
		want string
	}{
		{"the home share", map[string]string{"HOMEDRIVE": drive, "HOMEPATH": path, "USERPROFILE": "profile"}, share},
		{"a share that is away", map[string]string{"HOMEDRIVE": drive, "HOMEPATH": gone, "USERPROFILE": "profile"}, "profile"},
		{"half a share", map[string]string{"HOMEPATH": path, "USERPROFILE": "profile"}, "profile"},
		{"the profile alone", map[string]string{"USERPROFILE": "profile"}, "profile"},
		{"none", nil, ""},
	} {
		if got := windowsHome(func(name string) string { return tt.env[name] }); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestFromHome(t *testing.T) {
	t.Setenv("HOME", filepath.FromSlash("/home/a"))
	for path, want := range map[string]string{"~/hooks": "/home/a/hooks", "hooks": "/repo/hooks", "~user/hooks": "/repo/~user/hooks"} {
		if got := fromHome(filepath.FromSlash("/repo"), path); filepath.ToSlash(got) != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
