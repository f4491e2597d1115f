package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// What is longer than this would be in the way of who reads the file; of such an
// output the end stands there.
const (
	mostBytes, mostLines = 2000, 30
	tailBytes, tailLines = 600, 8
)

// TooLong says whether an output is to be kept elsewhere.
func TooLong(text string, cut int64) bool {
	return len(text) > mostBytes || strings.Count(strings.TrimRight(text, "\n"), "\n") >= mostLines || cut > 0
}

// Output is the text of a section that holds what a step said: all of it, or its end
// and where the rest is. Size is how many bytes it was, kept the name of a blob that
// holds all but the first cut. The text must be harmless already.
func Output(text string, size, cut int64, kept string) string {
	text = strings.TrimRight(text, " \t\r\n")
	shows := fmt.Sprintf("`%s%s` shows all", KeptMark, kept)
	if cut > 0 {
		shows = fmt.Sprintf("`%s%s` shows the last %d", KeptMark, kept, size-cut)
	}
	switch {
	case text == "" && kept == "":
		return ""
	case text == "":
		return fmt.Sprintf("%d bytes that are no text; %s.\n", size, shows)
	}
	head := ""
	if kept != "" {
		head = fmt.Sprintf("The end of %d bytes; %s.\n\n", size, shows)
	}
	if TooLong(text, cut) {
		text = tail(text)
	}
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return head + fence + "text\n" + text + "\n" + fence + "\n"
}

// KeptMark is what stands before the name of a blob.
const KeptMark = "git cat-file -p "

// KeptIn are the blobs that a text names as [Output] does.
func KeptIn(text string) []string {
	var all []string
	for {
		_, after, found := strings.Cut(text, KeptMark)
		if !found {
			return all
		}
		end := strings.IndexFunc(after, func(c rune) bool { return !strings.ContainsRune("0123456789abcdef", c) })
		if end < 0 {
			end = len(after)
		}
		all, text = append(all, after[:end]), after[end:]
	}
}

// Withheld is the text of a section in place of an output that is kept out.
func Withheld(why string) string { return "Kept out: " + why + ".\n" }

// tail is the last lines of a text, or of its last line the end.
func tail(text string) string {
	if over := len(text) - tailBytes; over > 0 {
		text = text[over:]
		if i := strings.IndexByte(text, '\n'); i >= 0 && i < len(text)-1 {
			text = text[i+1:]
		}
		for len(text) > 0 && !utf8.RuneStart(text[0]) {
			text = text[1:]
		}
	}
	lines := strings.Split(text, "\n")
	return strings.Join(lines[max(0, len(lines)-tailLines):], "\n")
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
