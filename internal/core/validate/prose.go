package validate

import (
	"strings"

	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/text"
)

// mostCode is how many lines of code a block may hold.
const mostCode = 40

// within is how many lines behind a speaker another has to follow for the lines
// to be a conversation.
const within = 30

var proseRules = []Rule{
	{
		Code: "CK811", Severity: result.Advice, Title: "a reference to what the reader does not have", file: selfContained,
		Means:  "A checkpoint alone has to suffice. \"As above\", \"see previous conversation\" and the like point to something that is gone when it is read.",
		Fix:    "Say it again in a sentence, or name the file and the line.",
		Source: "S003-03, O003-43", Example: "See previous conversation for the details.",
	},
	{
		Code: "CK812", Severity: result.Warning, Title: "a long code block", file: longCode,
		Means:  "More than 40 lines of code: file contents belong in git, and here they cost tokens on every resume and go stale.",
		Fix:    "Name the file and the lines, `auth.go:10-60`, and the commit if it matters.",
		Source: "S001-64", Example: "```go",
	},
	{
		Code: "CK813", Severity: result.Warning, Title: "a transcript", file: transcript,
		Means:  "The conversation itself is kept elsewhere. A checkpoint holds what came of it: the decisions, the state, the next actions.",
		Fix:    "Keep what was decided (`ckpt note decision`) and remove the dialogue.",
		Source: "S001-65", Example: "User: can you fix the login?\n\nAssistant: Yes, I will look at `auth.go`.",
	},
}

var (
	// pointer is a phrase that leads out of the file. A line is looked at by it
	// only where it holds one of the stems.
	pointer = text.Regexp(`(?i)\b(?:` +
		`(?:as|see|mentioned|described|discussed|explained|stated|said) above` +
		`|(?:above|earlier|previous|prior|last|our|this) (?:conversation|discussion|chat)` +
		`|(?:above|earlier|previous|your|my last) messages?` +
		`|as (?:we )?(?:discussed|mentioned|agreed|explained|said|noted)(?: (?:above|before|earlier|previously)|[.,;:)]|$)` +
		`|(?:see|from|in) (?:the |our )?(?:previous|last|prior|earlier) (?:session|context|turn|reply|answer|response|prompt)` +
		`|same as (?:before|last time)` +
		`|(?:as|what) you (?:said|asked|mentioned|told)` +
		`|scroll up` +
		`)`)
	stems = []string{"above", "earlier", "previous", "prior", "last", "our ", "this c", "message", "discuss", "mentioned", "agreed", "explained", "said", "noted", "same as", "you ", "scroll"}
)

func selfContained(f *file, say say) {
	for _, b := range f.d.Blocks(f.d.Body()) {
		if b.Kind == doc.Comment || b.Kind == doc.Rule || f.inCode(b.Span) {
			continue
		}
		line := f.line(b.Span.Start)
		for text := range strings.Lines(f.d.Slice(b.Span)) {
			if found := leadsOut(strings.TrimRight(text, "\r\n")); found != "" {
				say(line, "%s leads out of the checkpoint", quote(found))
			}
			line++
		}
	}
}

func leadsOut(line string) string {
	lower := strings.ToLower(line)
	for _, stem := range stems {
		if strings.Contains(lower, stem) {
			return strings.TrimSpace(pointer.FindString(line))
		}
	}
	return ""
}

// longCode looks at the code blocks of the file and at the fences inside its lists.
func longCode(f *file, say say) {
	for _, b := range f.d.Blocks(f.d.Body()) {
		if b.Kind == doc.List || b.Kind == doc.Other {
			f.fences(b.Span, say)
		}
	}
}

func (f *file) fences(s doc.Span, say say) {
	text := f.d.Slice(s)
	first := f.line(s.Start)
	if trimmed := strings.TrimLeft(text, " \t"); f.inCode(s) && !strings.HasPrefix(trimmed, "```") && !strings.HasPrefix(trimmed, "~~~") {
		if n := strings.Count(strings.TrimRight(text, "\n"), "\n") + 1; n > mostCode {
			say(first, "a code block of %d lines", n)
		}
		return
	}
	fence, opened, line := "", 0, first
	for text := range strings.Lines(text) {
		text = strings.TrimLeft(strings.TrimSpace(text), "-*+> ")
		switch mark := fenceOf(text); {
		case fence == "" && mark != "":
			fence, opened = mark, line
		case fence != "" && len(mark) >= len(fence) && mark[0] == fence[0] && len(mark) == len(text):
			tooLong(opened, line-opened-1, say)
			fence = ""
		}
		line++
	}
	if fence != "" { // never closed
		tooLong(opened, line-opened-1, say)
	}
}

func tooLong(line, lines int, say say) {
	if lines > mostCode {
		say(line, "a code block of %d lines", lines)
	}
}

// fenceOf is the run of backticks or tildes that a fence begins with, else "".
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, mark); len(line)-len(rest) >= 3 {
			return line[:len(line)-len(rest)]
		}
	}
	return ""
}

// speakers are who talks in a transcript; the first two ask, the others answer.
var speakers = []string{"user", "human", "assistant", "claude", "ai", "agent", "gpt", "chatgpt", "gemini", "copilot", "codex"}

// transcript finds the first place where one asks and another answers, or the
// other way around.
func transcript(f *file, say say) {
	lastLine, lastAsks := 0, false
	line := f.line(f.d.Body().Start)
	for text := range strings.Lines(f.d.Slice(f.d.Body())) {
		if asks, ok := speaks(text); ok {
			if lastLine > 0 && asks != lastAsks && line-lastLine <= within {
				say(lastLine, "a conversation begins here: %s", quote(f.d.Slice(doc.Span{Start: f.starts[lastLine-1], End: f.starts[lastLine]})))
				return
			}
			lastLine, lastAsks = line, asks
		}
		line++
	}
}

// speaks says whether a line opens somebody's turn: `User:`, `**Assistant:**`,
// `### Human`, `"role": "user"`; and whether it is the one who asks.
func speaks(line string) (asks, ok bool) {
	text := strings.TrimLeft(line, " \t>*_#-\"{")
	if len(text) > 80 {
		text = text[:80]
	}
	lower := strings.ToLower(text)
	heading := strings.HasPrefix(strings.TrimSpace(line), "#")
	if rest, found := strings.CutPrefix(lower, "role\""); found {
		lower, heading = strings.TrimLeft(rest, " :\""), false
		lower = strings.Replace(lower, "\"", ":", 1)
	}
	for i, name := range speakers {
		rest, found := strings.CutPrefix(lower, name)
		if !found {
			continue
		}
		rest = strings.TrimLeft(rest, "*_\" ")
		if strings.HasPrefix(rest, ":") || heading && strings.TrimSpace(rest) == "" {
			return i < 2, true
		}
	}
	return false, false
}
