// Package hookfile is a git hook as text: a script that may be somebody's, with a
// few lines of ours in it. Bytes in, bytes out; taking the lines out again gives back
// the bytes from before.
package hookfile

import (
	"bytes"
	"path"
	"strings"
)

// Event is a hook of git that ckpt has something to do in.
type Event string

// The events.
const (
	PreCommit    Event = "pre-commit"
	CommitMsg    Event = "commit-msg"
	PostMerge    Event = "post-merge"
	PostCheckout Event = "post-checkout"
	PostRewrite  Event = "post-rewrite"
)

// Events are all events. CommitMsg is for those who ask for it.
var Events = []Event{PreCommit, CommitMsg, PostMerge, PostCheckout, PostRewrite}

// Owner is who wrote a hook, as far as it matters to whoever wants to add to it.
type Owner string

// The owners. What Lefthook and the pre-commit framework have made they make anew,
// and ours would be lost; what is no shell script cannot hold ours.
const (
	Nobody    Owner = ""
	Shell     Owner = "shell"
	Lefthook  Owner = "lefthook"
	Framework Owner = "pre-commit"
	Foreign   Owner = "foreign"
)

const (
	begin = "# ckpt:begin (ckpt unsetup git takes it out)"
	made  = "# ckpt:begin (ckpt unsetup git takes the file out)"
	end   = "# ckpt:end"
	start = "#!/bin/sh\n"
)

// Command is what a hook of git runs. Whoever has no ckpt is not disturbed, and but
// for pre-commit, which is there to refuse, nothing that fails is in the way.
func Command(e Event) string {
	run := "ckpt hook git " + string(e) + ` "$@"`
	if e == PreCommit {
		return "if command -v ckpt >/dev/null 2>&1; then " + run + " || exit $?; fi"
	}
	return "if command -v ckpt >/dev/null 2>&1; then " + run + " || :; fi"
}

func block(begin string, e Event) string { return begin + "\n" + Command(e) + "\n" + end + "\n" }

// OwnerOf says who wrote a hook; nil is a file that is not there.
func OwnerOf(src []byte) Owner {
	src = Drop(src)
	switch {
	case src == nil:
		return Nobody
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

// Has says whether our lines are in a hook, as this version writes them.
func Has(src []byte, e Event) bool {
	return bytes.Contains(src, []byte("\n"+Command(e)+"\n"+end))
}

// Add puts our lines in a hook, first of all: at its end they might never be reached.
func Add(src []byte, e Event) []byte {
	src = Drop(src)
	if src == nil {
		return []byte(start + block(made, e))
	}
	at, lines := 0, block(begin, e)
	if bytes.HasPrefix(src, []byte("#!")) {
		if at = bytes.IndexByte(src, '\n') + 1; at == 0 { // a line that does not end, and does not afterwards
			return append(bytes.Clone(src), "\n"+strings.TrimSuffix(lines, "\n")...)
		}
	}
	return append(append(bytes.Clone(src[:at]), lines...), src[at:]...)
}

// Drop takes our lines out; nil where we made the file and nobody has added to it.
func Drop(src []byte) []byte {
	from, own := lineStart(src, begin), false
	if from < 0 {
		from, own = lineStart(src, made), true
	}
	if from < 0 {
		return src
	}
	length := lineStart(src[from:], end)
	if length < 0 {
		return src // somebody has been at it
	}
	to := from + length + len(end)
	switch {
	case to < len(src) && src[to] == '\n':
		to++
	case to == len(src) && from > 0:
		from--
	}
	rest := append(bytes.Clone(src[:from]), src[to:]...)
	if own && string(rest) == start {
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
