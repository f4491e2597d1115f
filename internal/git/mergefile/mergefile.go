// Package mergefile merges two versions of a text line by line, as `git merge-file` does. It needs
// no repository; the user's own configuration decides how conflicts are marked.
package mergefile

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
)

// Texts has three versions of a text, and the options for marking conflicts.
type Texts struct {
	Base, Ours, Theirs []byte
	MarkerSize         int    // 0 means git's default
	Labels             Labels // the labels in the markers
}

// Labels name the versions in a conflict.
type Labels struct{ Base, Ours, Theirs string }

// WithMarkers merges two versions line by line, as `git merge-file` does, with the user's own
// conflict style, and reports whether there are conflicts. Git runs in dir.
func WithMarkers(ctx context.Context, dir string, t Texts) (merged []byte, conflict bool, err error) {
	args := []string{"-L", cmp.Or(t.Labels.Ours, "ours"), "-L", cmp.Or(t.Labels.Base, "base"), "-L",
		cmp.Or(t.Labels.Theirs, "theirs")}
	if t.MarkerSize > 0 {
		args = append(args, "--marker-size="+strconv.Itoa(t.MarkerSize))
	}
	return run(ctx, dir, t, args...)
}

// PreferTheirs merges two versions of a text with a common base line by line, as git does for a file. If both changed
// the same lines, theirs win and clash is true.
func PreferTheirs(ctx context.Context, dir string, base, ours, theirs []byte) (merged []byte, clash bool, err error) {
	t := Texts{Base: base, Ours: ours, Theirs: theirs}
	merged, clash, err = run(ctx, dir, t)
	if err == nil && clash {
		merged, _, err = run(ctx, dir, t, "--theirs")
	}
	return merged, clash, err
}

// KeepBoth merges as PreferTheirs does, but if both changed the same lines, the result has both, ours first.
func KeepBoth(ctx context.Context, dir string, base, ours, theirs []byte) (merged []byte, err error) {
	merged, _, err = run(ctx, dir, Texts{Base: base, Ours: ours, Theirs: theirs}, "--union")
	return merged, err
}

// run merges with the given options of `git merge-file`.
func run(ctx context.Context, dir string, t Texts, args ...string) (merged []byte, conflict bool, err error) {
	temp, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return nil, false, fault.New(fault.Failed, "merge: %w", err)
	}
	defer os.RemoveAll(temp)
	file := func(name string) string { return filepath.Join(temp, name) }
	for name, src := range map[string][]byte{"ours": t.Ours, "base": t.Base, "theirs": t.Theirs} {
		if err := os.WriteFile(file(name), src, 0o600); err != nil {
			return nil, false, fault.New(fault.Failed, "merge: %w", err)
		}
	}
	args = append(append([]string{"merge-file", "--quiet"}, args...), file("ours"), file("base"), file("theirs"))
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "LC_ALL=C", "LANGUAGE=C")
	_, err = git.Output(cmd, nil)
	conflicts := git.ExitCode(err)
	if err != nil && (conflicts < 1 || conflicts > 127) {
		return nil, false, err
	}
	merged, err = os.ReadFile(file("ours"))
	if err != nil {
		return nil, false, fault.New(fault.Failed, "merge: %w", err)
	}
	return merged, conflicts > 0, nil
}
