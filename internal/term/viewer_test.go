package term

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

func TestViewerInPath(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if path, ok := Companion(Viewer); ok {
		t.Fatalf("found %q where there is none", path)
	}
	want := fakeViewer(t, dir, "cat")
	if path, ok := Companion(Viewer); !ok || path != want {
		t.Errorf("found %q, %v; want %q", path, ok, want)
	}
}

func TestView(t *testing.T) {
	viewer := fakeViewer(t, t.TempDir(), `echo "NO_COLOR=$NO_COLOR"; cat; echo remark >&2`)
	var out, remarks bytes.Buffer
	s := Streams{Out: &out, Err: &remarks, NoColor: true, Env: []string{"PATH=/usr/bin:/bin"}}
	if err := View(t.Context(), s, viewer, []byte("# Title\n")); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "NO_COLOR=1\n# Title\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if remarks.String() != "remark\n" {
		t.Errorf("remarks %q", remarks.String())
	}
}

func TestViewSaysWhatTheViewerSaid(t *testing.T) {
	viewer := fakeViewer(t, t.TempDir(), `echo "ckpt-view: no \033[31mluck" >&2; exit 4`)
	var out, remarks bytes.Buffer
	s := Streams{Out: &out, Err: &remarks, Env: []string{"PATH=/usr/bin:/bin"}}
	err := View(t.Context(), s, viewer, nil)
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != 4 {
		t.Fatalf("error %v", err)
	}
	if want := `show with "` + viewer + `": no luck (exit status 4)`; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if remarks.Len() != 0 {
		t.Errorf("said twice: %q", remarks.String())
	}
}

func fakeViewer(t *testing.T, dir, script string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a shell script")
	}
	path := filepath.Join(dir, "ckpt-view")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}
