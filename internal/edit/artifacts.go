package edit

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/git/changes"
	"example.com/ckpt/internal/secrets"
	"example.com/ckpt/internal/text"
)

// mass is the number of new files in one folder above which they are not listed one by one.
const mass = 50

// ArtifactsOf returns a row of an artifact table for each change that git reports. A folder with more than mass
// untracked files, such as dependencies that .gitignore does not list, becomes one row, with a remark.
func ArtifactsOf(trail changes.Work) (all []checkpoint.Artifact, remarks []string) {
	scanner := &secrets.Scanner{}
	fresh := map[string][]string{} // new files by their top folder
	for _, f := range trail.Files {
		if top, _, below := strings.Cut(f.Path, "/"); below && isFresh(f) {
			fresh[top] = append(fresh[top], f.Path)
		}
	}
	for _, f := range trail.Files {
		top, _, below := strings.Cut(f.Path, "/")
		if files := fresh[top]; below && isFresh(f) && len(files) > mass {
			if f.Path == files[0] {
				dir := commonFolder(files) + "/"
				all = append(all, checkpoint.Artifact{File: dir, Action: f.Action, Change: text.Count(len(files), "new file")})
				remarks = append(remarks,
					fmt.Sprintf("%s has %s that git neither tracks nor ignores", dir, text.Count(len(files), "new file")))
			}
			continue
		}
		subject := subjectOf(scanner, f.Subject)
		a := checkpoint.Artifact{File: f.Path, Action: f.Action, Change: subject}
		if f.Renamed {
			a.Change = join("; ", "renamed from `"+f.From+"`", subject)
		}
		all = append(all, a)
	}
	return all, remarks
}

// longestSubject is the maximum number of characters of a commit's subject in a checkpoint.
const longestSubject = 200

// subjectOf returns the subject of a commit for a checkpoint, with secrets replaced. The user did
// not write it for the checkpoint, so a secret in it must not cause a refusal.
func subjectOf(scanner *secrets.Scanner, s string) string {
	return drift.Subject(scanner.Replace(s), longestSubject)
}

// isFresh reports whether no commit contains the file yet.
func isFresh(f changes.File) bool {
	return f.Uncommitted && f.Action == "created" && !f.Renamed && f.Subject == ""
}

// commonFolder returns the deepest folder that contains all files.
func commonFolder(files []string) string {
	dir := path.Dir(files[0])
	for slices.ContainsFunc(files, func(f string) bool { return !strings.HasPrefix(f, dir+"/") }) {
		dir = path.Dir(dir)
	}
	return dir
}

func join(sep, a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + sep + b
}

// remarksOf returns remarks on how an artifact table was computed.
func remarksOf(trail changes.Work, base string) []string {
	var all []string
	switch trail.State {
	case changes.Arrived:
		all = append(all, base+" was squashed, rebased or amended: artifacts are counted from "+trail.Base[:7]+
			", which brought this state to HEAD")
	case changes.Diverged:
		all = append(all, base+" is not an ancestor of HEAD: artifacts are counted from their merge base "+trail.Base[:7])
	case changes.Gone:
		all = append(all, base+" is not in this repository: artifacts are those of the working tree only")
	case changes.Lacking:
		all = append(all, "what changed since "+trail.Base[:7]+
			" is not in this clone, which is a partial one: artifacts are those of the working tree only")
	}
	if trail.Others > 0 {
		all = append(all, fmt.Sprintf("%s by others since then: --all-authors lists what they changed",
			text.Count(trail.Others, "commit")))
	}
	if len(trail.Files) == 0 {
		all = append(all, "no changed files (from git)")
	}
	return all
}
