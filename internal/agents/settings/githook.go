package settings

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// GitEvent is a hook of git that can call ckpt.
type GitEvent string

// The events.
const (
	PreCommit    GitEvent = "pre-commit"
	PostMerge    GitEvent = "post-merge"
	PostCheckout GitEvent = "post-checkout"
)

// GitEvents lists all events.
var GitEvents = []GitEvent{PreCommit, PostMerge, PostCheckout}

// GitCommand returns the line of a hook that calls ckpt. The line does nothing if ckpt is not
// installed, and fails only in pre-commit.
func GitCommand(e GitEvent) string {
	otherwise := ":"
	if e == PreCommit {
		otherwise = "exit $?"
	}
	return "if command -v ckpt >/dev/null 2>&1; then ckpt hook git " + string(e) + ` "$@" || ` + otherwise + "; fi"
}

// IsEditable reports whether ckpt can add its lines to a hook: the hook is a shell script, and neither
// lefthook nor the pre-commit framework overwrites it.
func IsEditable(src []byte) bool {
	for _, mark := range []string{"call_lefthook", "LEFTHOOK", "pre-commit.com"} {
		if bytes.Contains(src, []byte(mark)) {
			return false
		}
	}
	line, _, _ := strings.Cut(string(src), "\n")
	interpreter, ok := strings.CutPrefix(line, "#!") // without a #! line, git runs a hook with sh
	return !ok || slices.ContainsFunc(strings.Fields(interpreter), func(word string) bool {
		return slices.Contains([]string{"sh", "bash", "dash", "ash", "zsh", "ksh"}, path.Base(word))
	})
}

// NewGitHook returns the piece with ckpt's lines in a git hook. The hook is a script in a folder that
// is never removed.
func NewGitHook(folder string, e GitEvent) Piece {
	b := newLines(GitCommand(e))
	b.isScript = true
	return Piece{What: string(e), Path: folder + "/" + string(e), Top: folder, part: b}
}

// NewAttribute returns the piece with one line in a file of git attributes. The folder of the file is
// never removed.
func NewAttribute(file, line string) Piece {
	return Piece{What: "attribute", Path: file, Top: path.Dir(file), part: newLines(line)}
}

// newLines returns a block of lines for a file where comments begin with #.
func newLines(lines string) block {
	b := block{begin: "# ckpt:begin", end: "# ckpt:end"}
	b.text = sealed(b.begin + "\n# %SEAL%\n" + lines + "\n" + b.end)
	return b
}
