package validate

import (
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/text"
)

// mostPerHour is how many deltas an hour may bring: one every ten minutes.
const mostPerHour = 6

var patternRules = []Rule{
	{
		Code: "CK801", Severity: result.Warning, Title: "a vague next action", file: vagueAction, activeOnly: true,
		Means:  "\"Continue working\" tells the next reader nothing that the checkpoint's existence does not.",
		Fix:    "Name the verb, the file and the aim: \"Analyze source 3 (https://example.com) for authentication patterns\". `ckpt next TEXT` replaces the list.",
		Source: "S000-39, S000-45, S000-46", Example: "1. Continue working",
	},
	{
		Code: "CK802", Severity: result.Advice, Title: "a next action without a file or an exact object", file: noObject, activeOnly: true,
		Means:  "The action names no file, function, address, number or the like: the reader has to find out what it is about.",
		Fix:    "Put the exact path or name into the action: \"Read `auth.go` and ...\".",
		Source: "S000-39, S000-40, O003-43", Example: "1. Write better tests",
	},
	{
		Code: "CK803", Severity: result.Warning, Title: "the completed work is empty", file: emptyCompleted, activeOnly: true,
		Means:  "`completed: []`: the checkpoint says that nothing was done. Then it saves nothing, or what was done is lost.",
		Fix:    "Say what was done, in detail: \"Analyzed 2 of 5 sources\". `ckpt note step TEXT`.",
		Source: "S000-45, S000-46", Example: "completed: []",
	},
	{
		Code: "CK804", Severity: result.Warning, Title: "too many deltas in an hour", file: tooOften, activeOnly: true,
		Means:  "More than 6 deltas in an hour: a checkpoint after every action buries the steps that matter and costs tokens on every resume.",
		Fix:    "Record at the end of a phase, at a decision, or every half hour.",
		Source: "S000-42, S000-45, S000-46", Example: "## Delta: 2026-01-02T10:06:00Z",
	},
}

// vague are next actions that say nothing, in lower case.
var vague = []string{
	"continue", "continue work", "continue working", "continue the work", "continue working on it", "continue working on this",
	"continue task", "continue the task", "continue with the task", "continue with task", "continue from here", "continue with next steps",
	"continue with the next step", "continue where we left off", "continue from where we left off", "pick up where we left off",
	"continue implementation", "continue the implementation", "continue development", "continue coding", "continue as planned",
	"keep going", "keep working", "keep working on it", "go on", "carry on", "proceed", "proceed as planned", "move on", "resume", "resume work",
	"resume working", "work on it", "work on this", "do the work", "do the rest", "do more work", "more work", "finish", "finish it", "finish up", "finish this",
	"finish work", "finish the work", "finish the rest", "finish the task", "complete it", "complete the task", "complete the work",
	"todo", "to do", "to be done", "next", "next step", "next steps", "the rest", "remaining work", "remaining tasks", "wip", "work in progress",
	"etc", "and so on", "fix it", "fix things", "fix bugs", "fix issues", "fix remaining issues", "clean up", "cleanup", "polish", "misc",
	"see above", "same as before", "as discussed", "as planned",
	"continuar", "continuar trabajando", "seguir", "seguir trabajando",
}

// isVague says whether an action, its markup aside, is one of them.
func isVague(text string) bool {
	words := strings.Fields(strings.ToLower(strings.Trim(text, "*_`\"'“”.…!:;-–— \t\n")))
	return slices.Contains(vague, strings.Join(words, " "))
}

func vagueAction(f *file, say say) {
	for _, a := range f.actions {
		if isVague(a.text) {
			say(a.line, "%s is no action that a reader can begin with", quote(a.text))
		}
	}
}

var (
	// object is anything that says exactly what an action is about.
	object = text.Regexp("[`\"“«]" + // quoted
		`|[\w.~-]+/[\w.~*-]+|\b[\w-]{2,}\.[a-z][a-z0-9]{0,7}\b|\bhttps?:` + // paths, files, addresses
		`|#\d+|\b[A-Za-z]+-\d+\b|\bchk-\w|\bthis checkpoint\b|\b\w+\(\)|\b\w+_\w+|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\s--?[a-z]\w*|\d+\.\d+` + // issues, names in code, flags, versions
		`|\b(?i:phase|step|section|line|issue|task|pr|source|part|milestone|chapter|ticket|fase|paso)\s+#?\d`)
	blocker = text.Regexp(`(?i)^\W*(no |any )?(block(ed|er|ers)?|waiting|wait for|bloque)`)
)

func noObject(f *file, say say) {
	for _, a := range f.actions {
		if !isVague(a.text) && !object.MatchString(a.text) && !blocker.MatchString(a.text) {
			say(a.line, "%s names no file and no exact object", quote(a.text))
		}
	}
}

var completedNothing = text.Regexp(`(?im)^[^\n]*\bcompleted(?: work| items| tasks)?\b["'*_` + "`" + `]*[ \t]*:["'*_` + "`" + ` \t]*(?:\[[ \t]*\]|none|nothing|n/a|-)[.,]?[ \t]*$`)

func emptyCompleted(f *file, say say) {
	if p, text, ok := f.said(checkpoint.PlayByPlay); ok && checkpoint.IsNone(text) {
		say(f.heading(p.Section), "%q says %s", p.Kind.String(), quote(text))
	}
	if value := f.c.Field("completed"); strings.HasPrefix(value, "[") && strings.Trim(value, "[] ") == "" {
		say(f.d.Front.Line("completed"), "completed: []")
	}
	for _, k := range []checkpoint.Kind{checkpoint.PlayByPlay, checkpoint.State} {
		p, ok := f.find(k)
		if !ok {
			continue
		}
		for _, m := range completedNothing.FindAllStringIndex(strings.ReplaceAll(f.d.Slice(p.Extent), "\r", " "), -1) {
			say(f.line(p.Extent.Start+m[0]), "the completed work is empty")
		}
	}
}

// tooOften says each run of deltas that is too dense once. Days without a time
// show nothing.
func tooOften(f *file, say say) {
	first := 0
	for i := mostPerHour; i < len(f.deltas); i++ {
		first = max(first, i-mostPerHour)
		if !f.dense(first, i) {
			continue
		}
		last := i
		for last+1 < len(f.deltas) && f.dense(last+1-mostPerHour, last+1) {
			last++
		}
		a, b := f.deltas[first], f.deltas[last]
		say(f.heading(a.Section), "%d deltas from %s to %s", last-first+1, a.Stamp, b.Stamp)
		i, first = last+mostPerHour, last+1
	}
}

// dense says whether the deltas i to j lie within an hour.
func (f *file) dense(i, j int) bool {
	for _, d := range f.deltas[i : j+1] {
		if d.At.IsZero() || !hasClock(d.Stamp) {
			return false
		}
	}
	gap := f.deltas[j].At.Sub(f.deltas[i].At)
	return 0 <= gap && gap < time.Hour
}
