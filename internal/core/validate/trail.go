package validate

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/text"
)

// Changed is a file as git says it changed. A folder that ends in a slash stands for
// all that is new in it.
type Changed struct{ File, From, Action, Subject string }

// Trail holds the files that a trail claims against those that changed. A file that
// others changed need not be claimed, but may be. What was
// created or modified is not told apart: that depends on where one begins to count.
// Names outside the repository, and below the folder of checkpoints, are not judged;
// nor is a file that is said to be gone, is gone, and that git finds nothing of: it
// came and went.
func Trail(claimed []checkpoint.Artifact, changed, byOthers []Changed, folder string, exists func(path string) bool) result.Trail {
	var t result.Trail
	t.Files = len(changed)
	found := make([]bool, len(changed))
	for _, a := range claimed {
		for _, file := range names(a.File) {
			if outside(file) || below(file, folder) {
				continue
			}
			gone := strings.HasPrefix(strings.ToLower(a.Action), "delet") || strings.HasPrefix(strings.ToLower(a.Action), "remov")
			hit, deleted := false, false
			for i, c := range slices.Concat(changed, byOthers) {
				if below(c.File, file) || below(file, c.File) {
					hit = true
					if i < len(found) {
						found[i] = true
					}
					deleted = deleted || c.Action == "deleted" && c.File == file
				} else if c.From != "" && below(c.From, file) {
					hit = true
				}
			}
			if !hit && gone && !exists(file) {
				continue
			}
			t.Rows++
			switch {
			case !hit && !exists(file):
				t.Wrong = append(t.Wrong, result.Row{File: file, Action: a.Action, Why: "there is no such file, and git knows of no change to it"})
			case !hit:
				t.Wrong = append(t.Wrong, result.Row{File: file, Action: a.Action, Why: "it did not change, says git"})
			case deleted && !gone:
				t.Wrong = append(t.Wrong, result.Row{File: file, Action: a.Action, Why: "it is deleted, says git"})
			case gone && !deleted && exists(file):
				t.Wrong = append(t.Wrong, result.Row{File: file, Action: a.Action, Why: "it is there"})
			default:
				t.Right++
			}
		}
	}
	for i, c := range changed {
		if found[i] {
			t.Found++
		} else {
			t.Missing = append(t.Missing, result.Row{File: c.File, Action: c.Action, Why: c.Subject})
		}
	}
	return t
}

var (
	codeSpan = text.Regexp("`+[^`]+`+")
	lines    = text.Regexp(`:\d+([-–,:]\d+)*$`)
)

// names are the paths in the first cell of a row: what stands between backticks, else
// all of it, without the lines behind it.
func names(cell string) []string {
	all := []string{cell}
	if spans := codeSpan.FindAllString(cell, -1); len(spans) > 0 {
		all = spans
	}
	for i, name := range all {
		name = strings.TrimPrefix(strings.TrimSpace(strings.Trim(name, "` ")), "./")
		all[i] = lines.ReplaceAllString(strings.ReplaceAll(name, `\`, "/"), "")
	}
	return slices.DeleteFunc(all, func(name string) bool { return name == "" })
}

// outside says whether a path lies outside the repository.
func outside(path string) bool {
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~") || strings.HasPrefix(path, "../") || strings.Contains(path, "://") || len(path) > 1 && path[1] == ':'
}

// below says whether a path is that of a folder or file, or lies below it.
func below(path, folder string) bool {
	folder = strings.TrimSuffix(folder, "/")
	return strings.TrimSuffix(path, "/") == folder || strings.HasPrefix(path, folder+"/")
}
