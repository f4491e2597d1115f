package ckpttest

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestNames checks that no two packages have scripts with the same name, and that the scripts that Modes
// runs exist.
func TestNames(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join("..", "*", scriptFolder, "*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	all := map[string]string{}
	for _, path := range scripts {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		if other, ok := all[name]; ok {
			t.Errorf("%s and %s have the same name", other, path)
		}
		all[name] = path
	}
	for _, name := range strings.Fields(inEveryMode + onRef) {
		if all[name] == "" {
			t.Errorf("Modes names the script %s, which is not there", name)
		}
	}
}
