package validate

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// Changed is a change of a file according to git. A folder, with a slash at its end, means all new
// files in it.
type Changed struct{ File, From, Action, Subject string }

// Trail compares the files that a trail claims with those that changed. The trail may claim a file
// that others changed, but need not. Created and modified count as the same, since the difference
// depends on the base commit. Names outside the repository and in the checkpoints folder are not
// checked. Neither is a file that is claimed to be deleted, does not exist, and is unknown to git:
// it was created and deleted in between.
func Trail(
	claimed []checkpoint.Artifact, changed, byOthers []Changed, folder string, exists func(path string) bool,
) result.Trail {
	var t result.Trail
	t.Files = len(changed)
	found := make([]bool, len(changed))
	for _, a := range claimed {
		for _, file := range names(a.File) {
			if outside(file) || below(file, folder) {
				continue
			}
			action := strings.ToLower(a.Action)
			gone := strings.HasPrefix(action, "delet") || strings.HasPrefix(action, "remov")
			hit, deleted := false, false
			for i, c := range slices.Concat(changed, byOthers) {
				switch {
				case below(c.File, file) || below(file, c.File):
					hit = true
					if i < len(found) {
						found[i] = true
					}
					deleted = deleted || c.Action == "deleted" && c.File == file
				case c.From != "" && below(c.From, file):
					hit = true
				}
			}
			why := ""
			there := exists(file)
			switch {
			case !hit && gone && !there:
				continue
			case !hit && !there:
				why = "there is no such file, and git knows of no change to it"
			case !hit:
				why = "git has no change of it"
			case deleted && !gone:
				why = "git has it as deleted"
			case gone && !deleted && there:
				why = "it is there"
			}
			t.Rows++
			if why == "" {
				t.Right++
			} else {
				t.Wrong = append(t.Wrong, result.Row{File: file, Action: a.Action, Why: why})
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

// names returns the paths in the first cell of a row, without line numbers: the texts in
// backticks, or else the whole cell.
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

// outside reports whether a path is outside the repository.
func outside(path string) bool {
	drive := len(path) > 1 && path[1] == ':'
	begins := func(prefix string) bool { return strings.HasPrefix(path, prefix) }
	return drive || strings.Contains(path, "://") || slices.ContainsFunc([]string{"/", "~", "../"}, begins)
}

// below reports whether path is a folder or file, or is below it.
func below(path, folder string) bool {
	folder = strings.TrimSuffix(folder, "/")
	return strings.TrimSuffix(path, "/") == folder || strings.HasPrefix(path, folder+"/")
}
