package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestCkptLinksNoDrawing: these cost ckpt milliseconds at every start. They are
// what this program exists for.
func TestCkptLinksNoDrawing(t *testing.T) {
	if _, err := os.Stat("../ckpt/main.go"); os.IsNotExist(err) {
		t.Skip("no cmd/ckpt yet")
	}
	for _, dep := range deps(t, "example.com/ckpt/cmd/ckpt") {
		for _, heavy := range []string{"glamour", "chroma", "bubbletea", "lipgloss", "termenv"} {
			if strings.Contains(dep, "/"+heavy) {
				t.Errorf("ckpt links %s", dep)
			}
		}
	}
}

// TestTermIsLight: the room that both programs link stands on the standard
// library and golang.org/x.
func TestTermIsLight(t *testing.T) {
	for _, dep := range deps(t, "example.com/ckpt/internal/term") {
		domain, _, _ := strings.Cut(dep, "/")
		if strings.Contains(domain, ".") && domain != "golang.org" && dep != "example.com/ckpt/internal/term" {
			t.Errorf("internal/term links %s", dep)
		}
	}
}

func deps(t *testing.T, pkg string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", pkg).Output()
	if exit, ok := err.(*exec.ExitError); ok {
		t.Fatalf("go list: %s", exit.Stderr)
	}
	if err != nil {
		t.Skip(err)
	}
	return strings.Fields(string(out))
}
