package git

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"example.com/ckpt/internal/fault"
)

// TextMerge has three versions of a text, and the options for marking conflicts.
type TextMerge struct {
	Base, Ours, Theirs []byte
	MarkerSize         int    // 0 means git's default
	Labels             Labels // the labels in the markers
}

// Labels name the versions in a conflict.
type Labels struct{ Base, Ours, Theirs string }

// MergeFile merges two versions line by line, as `git merge-file` does, with the user's own
// conflict style. Conflicts is the number of marked conflicts. It needs no repository and runs in
// dir.
func MergeFile(ctx context.Context, dir string, t TextMerge) (merged []byte, conflicts int, err error) {
	args := []string{"-L", cmp.Or(t.Labels.Ours, "ours"), "-L", cmp.Or(t.Labels.Base, "base"), "-L",
		cmp.Or(t.Labels.Theirs, "theirs")}
	if t.MarkerSize > 0 {
		args = append(args, "--marker-size="+strconv.Itoa(t.MarkerSize))
	}
	return mergeFile(ctx, dir, t, args...)
}

// MergeText merges two versions of a text that have the common base, line by line, as git does for
// a file. If both changed the same lines theirs win, and conflict is true.
func MergeText(ctx context.Context, dir string, base, ours, theirs []byte) (merged []byte, clash bool, err error) {
	t := TextMerge{Base: base, Ours: ours, Theirs: theirs}
	merged, conflicts, err := mergeFile(ctx, dir, t)
	if err == nil && conflicts > 0 {
		merged, _, err = mergeFile(ctx, dir, t, "--theirs")
	}
	return merged, conflicts > 0, err
}

func mergeFile(ctx context.Context, dir string, t TextMerge, args ...string) (merged []byte, conflicts int, err error) {
	temp, err := os.MkdirTemp("", "ckpt-*")
	if err != nil {
		return nil, 0, fault.New(fault.Failed, "merge: %w", err)
	}
	defer os.RemoveAll(temp)
	file := func(name string) string { return filepath.Join(temp, name) }
	for name, src := range map[string][]byte{"ours": t.Ours, "base": t.Base, "theirs": t.Theirs} {
		if err := os.WriteFile(file(name), src, 0o600); err != nil {
			return nil, 0, fault.New(fault.Failed, "merge: %w", err)
		}
	}
	args = append(append([]string{"merge-file", "--quiet"}, args...), file("ours"), file("base"), file("theirs"))
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "LC_ALL=C", "LANGUAGE=C")
	_, err = Output(cmd, nil)
	conflicts = ExitCode(err)
	if err != nil && (conflicts < 1 || conflicts > 127) {
		return nil, 0, err
	}
	merged, err = os.ReadFile(file("ours"))
	if err != nil {
		return nil, 0, fault.New(fault.Failed, "merge: %w", err)
	}
	return merged, conflicts, nil
}
