package settings

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// GitEvent is a hook of git in which ckpt has something to do.
type GitEvent string

// The events. CommitMsg is set up on request.
const (
	PreCommit    GitEvent = "pre-commit"
	CommitMsg    GitEvent = "commit-msg"
	PostMerge    GitEvent = "post-merge"
	PostCheckout GitEvent = "post-checkout"
	PostRewrite  GitEvent = "post-rewrite"
)

// GitEvents lists all events.
var GitEvents = []GitEvent{PreCommit, CommitMsg, PostMerge, PostCheckout, PostRewrite}

// HookOwner tells which program or person wrote a hook of git.
type HookOwner string

// The owners. Lefthook and the pre-commit framework generate their hooks again, and would overwrite
// an edit. A Foreign hook is not a shell script.
const (
	NoHook    HookOwner = ""
	Shell     HookOwner = "shell"
	Lefthook  HookOwner = "lefthook"
	Framework HookOwner = "pre-commit"
	Foreign   HookOwner = "foreign"
)

// GitCommand returns the line of a hook that calls ckpt. It does nothing where ckpt is not
// installed, and only pre-commit can fail.
func GitCommand(e GitEvent) string {
	otherwise := ":"
	if e == PreCommit {
		otherwise = "exit $?"
	}
	return "if command -v ckpt >/dev/null 2>&1; then ckpt hook git " + string(e) + ` "$@" || ` + otherwise + "; fi"
}

// HookOwnerOf returns who wrote a hook; src is nil if the file does not exist.
func HookOwnerOf(src []byte) HookOwner {
	src = withoutLines(src)
	switch {
	case src == nil:
		return NoHook
	case bytes.Contains(src, []byte("call_lefthook")) || bytes.Contains(src, []byte("LEFTHOOK")):
		return Lefthook
	case bytes.Contains(src, []byte("pre-commit.com")):
		return Framework
	}
	line, _, _ := strings.Cut(string(src), "\n")
	interpreter, ok := strings.CutPrefix(line, "#!")
	if !ok {
		return Shell // git runs a script without a first line `#!` with the shell
	}
	words := slices.DeleteFunc(strings.Fields(interpreter),
		func(word string) bool { return path.Base(word) == "env" || word == "-S" })
	if len(words) > 0 && slices.Contains([]string{"sh", "bash", "dash", "ash", "zsh", "ksh"}, path.Base(words[0])) {
		return Shell
	}
	return Foreign
}

// NewGitHook returns the piece with ckpt's lines in a git hook: a script in a folder that stays
// when the script is removed.
func NewGitHook(folder string, e GitEvent) Piece {
	return Piece{What: string(e), Path: folder + "/" + string(e), Top: folder, part: hookLines(e)}
}

// hookLines are ckpt's lines in a script. They come first, since a script may end before its last
// line.
type hookLines GitEvent

const (
	hookBegin = "# ckpt:begin (ckpt unsetup git takes it out)"
	hookMade  = "# ckpt:begin (ckpt unsetup git takes the file out)"
	hookEnd   = "# ckpt:end"
	hookStart = "#!/bin/sh\n"
)

func (h hookLines) state(src []byte) (State, string, error) {
	switch {
	case bytes.Contains(src, []byte("\n"+GitCommand(GitEvent(h))+"\n"+hookEnd)):
		return Present, "", nil
	case len(withoutLines(src)) != len(src):
		return Stale, "another version of ckpt wrote it", nil
	}
	return Absent, "", nil
}

func (h hookLines) add(src []byte) ([]byte, error) {
	src = withoutLines(src)
	lines := "\n" + GitCommand(GitEvent(h)) + "\n" + hookEnd + "\n"
	if src == nil {
		return []byte(hookStart + hookMade + lines), nil
	}
	lines = hookBegin + lines
	at := 0
	if bytes.HasPrefix(src, []byte("#!")) {
		at = bytes.IndexByte(src, '\n') + 1
		if at == 0 { // src is one line without a line break, so the result ends without one
			return append(bytes.Clone(src), "\n"+strings.TrimSuffix(lines, "\n")...), nil
		}
	}
	return slices.Insert(bytes.Clone(src), at, []byte(lines)...), nil
}

func (h hookLines) drop(src []byte) ([]byte, error) { return withoutLines(src), nil }

func (h hookLines) mayBeIn([]byte) bool { return true }

// withoutLines returns a hook without the lines of ckpt. It returns nil if ckpt made the file and
// it has no other content.
func withoutLines(src []byte) []byte {
	from, made := lineStart(src, hookBegin), false
	if from < 0 {
		from, made = lineStart(src, hookMade), true
	}
	if from < 0 {
		return src
	}
	length := lineStart(src[from:], hookEnd)
	if length < 0 {
		return src // the user has edited the line
	}
	to := from + length + len(hookEnd)
	switch {
	case to < len(src) && src[to] == '\n':
		to++
	case to == len(src) && from > 0:
		from--
	}
	rest := slices.Concat(src[:from], src[to:])
	if made && string(rest) == hookStart {
		return nil
	}
	return rest
}

// lineStart returns the offset of a line, or -1 if the text does not have it.
func lineStart(src []byte, line string) int {
	at := 0
	for l := range bytes.Lines(src) {
		if strings.TrimRight(string(l), "\r\n") == line {
			return at
		}
		at += len(l)
	}
	return -1
}

// NewAttribute returns the piece that is one line of a file of git attributes. The folder of the
// file stays when the line is removed.
func NewAttribute(file, line string) Piece {
	return Piece{What: "attribute", Path: file, Top: path.Dir(file), part: attribute(line)}
}

// attribute is a line at the end of a file. If the file did not end with a line break, it does not
// end with one afterwards.
type attribute string

func (a attribute) state(src []byte) (State, string, error) {
	if bytes.Contains(append([]byte("\n"), src...), []byte("\n"+string(a))) {
		return Present, "", nil
	}
	return Absent, "", nil
}

func (a attribute) add(src []byte) ([]byte, error) {
	switch {
	case src == nil, bytes.HasSuffix(src, []byte("\n")):
		return []byte(string(src) + string(a) + "\n"), nil
	case len(src) == 0:
		return []byte(a), nil
	}
	return []byte(string(src) + "\n" + string(a)), nil
}

func (a attribute) drop(src []byte) ([]byte, error) {
	text, line := string(src), string(a)
	switch {
	case text == line+"\n":
		return nil, nil
	case text == line:
		return []byte{}, nil
	case strings.HasPrefix(text, line+"\n"):
		return []byte(strings.TrimPrefix(text, line+"\n")), nil
	case strings.HasSuffix(text, "\n"+line):
		return []byte(strings.TrimSuffix(text, "\n"+line)), nil
	}
	return []byte(strings.Replace(text, "\n"+line+"\n", "\n", 1)), nil
}

func (a attribute) mayBeIn([]byte) bool { return true }
