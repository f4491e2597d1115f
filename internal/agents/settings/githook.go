package settings

import (
	"bytes"
	"path"
	"strings"
)

// GitEvent is a hook of git that ckpt has something to do in.
type GitEvent string

// The events.
const (
	PreCommit    GitEvent = "pre-commit"
	CommitMsg    GitEvent = "commit-msg"
	PostMerge    GitEvent = "post-merge"
	PostCheckout GitEvent = "post-checkout"
	PostRewrite  GitEvent = "post-rewrite"
)

// GitEvents are all events. CommitMsg is for those who ask for it.
var GitEvents = []GitEvent{PreCommit, CommitMsg, PostMerge, PostCheckout, PostRewrite}

// HookOwner is who wrote a hook, as far as it matters to whoever wants to add to it.
type HookOwner string

// The owners. What Lefthook and the pre-commit framework have hookMade they make anew,
// and ours would be lost; what is no shell script cannot hold ours.
const (
	NoHook    HookOwner = ""
	Shell     HookOwner = "shell"
	Lefthook  HookOwner = "lefthook"
	Framework HookOwner = "pre-commit"
	Foreign   HookOwner = "foreign"
)

const (
	hookBegin = "# ckpt:begin (ckpt unsetup git takes it out)"
	hookMade  = "# ckpt:begin (ckpt unsetup git takes the file out)"
	hookEnd   = "# ckpt:end"
	hookStart = "#!/bin/sh\n"
)

// GitCommand is what a hook of git runs. Whoever has no ckpt is not disturbed, and but
// for pre-commit, which is there to refuse, nothing that fails is in the way.
func GitCommand(e GitEvent) string {
	run := "ckpt hook git " + string(e) + ` "$@"`
	if e == PreCommit {
		return "if command -v ckpt >/dev/null 2>&1; then " + run + " || exit $?; fi"
	}
	return "if command -v ckpt >/dev/null 2>&1; then " + run + " || :; fi"
}

func hookLines(hookBegin string, e GitEvent) string {
	return hookBegin + "\n" + GitCommand(e) + "\n" + hookEnd + "\n"
}

// HookOwnerOf says who wrote a hook; nil is a file that is not there.
func HookOwnerOf(src []byte) HookOwner {
	src = DropHook(src)
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
		return Shell // git runs it by the shell
	}
	for _, word := range strings.Fields(interpreter) {
		switch name := path.Base(word); name {
		case "sh", "bash", "dash", "ash", "zsh", "ksh":
			return Shell
		case "env", "-S":
		default:
			return Foreign
		}
	}
	return Foreign
}

// HasHook says whether our lines are in a hook, as this version writes them.
func HasHook(src []byte, e GitEvent) bool {
	return bytes.Contains(src, []byte("\n"+GitCommand(e)+"\n"+hookEnd))
}

// AddHook puts our lines in a hook, first of all: at its hookEnd they might never be reached.
func AddHook(src []byte, e GitEvent) []byte {
	src = DropHook(src)
	if src == nil {
		return []byte(hookStart + hookLines(hookMade, e))
	}
	at, lines := 0, hookLines(hookBegin, e)
	if bytes.HasPrefix(src, []byte("#!")) {
		if at = bytes.IndexByte(src, '\n') + 1; at == 0 { // a line that does not hookEnd, and does not afterwards
			return append(bytes.Clone(src), "\n"+strings.TrimSuffix(lines, "\n")...)
		}
	}
	return append(append(bytes.Clone(src[:at]), lines...), src[at:]...)
}

// DropHook takes our lines out; nil where we hookMade the file and nobody has added to it.
func DropHook(src []byte) []byte {
	from, own := lineStart(src, hookBegin), false
	if from < 0 {
		from, own = lineStart(src, hookMade), true
	}
	if from < 0 {
		return src
	}
	length := lineStart(src[from:], hookEnd)
	if length < 0 {
		return src // somebody has been at it
	}
	to := from + length + len(hookEnd)
	switch {
	case to < len(src) && src[to] == '\n':
		to++
	case to == len(src) && from > 0:
		from--
	}
	rest := append(bytes.Clone(src[:from]), src[to:]...)
	if own && string(rest) == hookStart {
		return nil
	}
	return rest
}

// lineStart is where a line stands, -1 for nowhere.
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
