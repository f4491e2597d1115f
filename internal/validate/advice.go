package validate

import (
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// The thresholds of the rules of thumb, which apply to active checkpoints.
const (
	leastWords    = 8
	leastEntries  = 2
	ageWithout    = 7 * 24 * time.Hour // for a checkpoint without a delta
	ageSinceDelta = 3 * 24 * time.Hour
)

func shorter(k checkpoint.Kind) func(*file, report) {
	return func(f *file, add report) {
		p, text, ok := f.filled(k)
		if n := words(text); ok && n < leastWords {
			add(f.heading(p.Section), "words in %q: %d, fewer than %d", k.String(), n, leastWords)
		}
	}
}

func fewDecisions(f *file, add report) {
	p, _, ok := f.filled(checkpoint.Decisions)
	if !ok {
		return
	}
	n := f.entries(p)
	for _, d := range f.c.Decisions() {
		if !d.Live() {
			n--
		}
	}
	if n < leastEntries {
		add(f.heading(p.Section), "live decisions: %d, fewer than %d", max(n, 0), leastEntries)
	}
}

func fewSteps(f *file, add report) {
	p, text, ok := f.filled(checkpoint.PlayByPlay)
	if !ok || checkpoint.IsNone(text) { // rule CK803 reports this
		return
	}
	if n := f.entries(p); n < leastEntries {
		add(f.heading(p.Section), "steps: %d, fewer than %d", n, leastEntries)
	}
}

func noArtifacts(f *file, add report) {
	if p, _, ok := f.filled(checkpoint.Artifacts); ok && f.entries(p) == 0 {
		add(f.heading(p.Section), "no artifact is listed")
	}
}

func noActions(f *file, add report) {
	p, _, ok := f.filled(checkpoint.Next)
	if !ok || len(f.actions) > 0 {
		return
	}
	if len(f.c.Actions()) > 0 || f.entries(p) == 0 {
		add(f.heading(p.Section), "no next action is open")
	}
}

func noDeltaForLong(f *file, add report) {
	created, changed := f.c.Created(), f.c.LastDelta()
	if f.now.IsZero() || created.IsZero() || changed.After(created) {
		return
	}
	if age := f.now.Sub(created); age > ageWithout {
		add(f.d.Front.Line("created"), "made %d days ago, without a delta since", days(age))
	}
}

func oldDelta(f *file, add report) {
	changed := f.c.LastDelta()
	if f.now.IsZero() || changed.IsZero() || !changed.After(f.c.Created()) {
		return
	}
	if age := f.now.Sub(changed); age > ageSinceDelta {
		line := f.d.Front.Line("last_delta")
		if n := len(f.deltas); n > 0 {
			line = f.heading(f.deltas[n-1].Section)
		}
		add(line, "the last delta is %d days old", days(age))
	}
}

func days(age time.Duration) int { return int(age / (24 * time.Hour)) }

// mostPerHour is the maximum number of deltas in an hour: one every ten minutes.
const mostPerHour = 6

// vague lists next actions without content, in lower case, between bars.
const vague = "|" +
	"continue|continue work|continue working|continue the work|continue working on it|" +
	"continue working on this|continue task|continue the task|continue with the task|continue with task|" +
	"continue from here|continue with next steps|continue with the next step|continue where we left off|" +
	"continue from where we left off|pick up where we left off|continue implementation|" +
	"continue the implementation|continue development|continue coding|continue as planned|keep going|" +
	"keep working|keep working on it|go on|carry on|proceed|proceed as planned|move on|resume|" +
	"resume work|resume working|work on it|work on this|do the work|do the rest|do more work|more work|" +
	"finish|finish it|finish up|finish this|finish work|finish the work|finish the rest|finish the task|" +
	"complete it|complete the task|complete the work|todo|to do|to be done|next|next step|next steps|" +
	"the rest|remaining work|remaining tasks|wip|work in progress|etc|and so on|fix it|fix things|" +
	"fix bugs|fix issues|fix remaining issues|clean up|cleanup|polish|misc|see above|same as before|" +
	"as discussed|as planned|continuar|continuar trabajando|seguir|seguir trabajando" + "|"

// isVague reports whether an action, without its markup, is in vague.
func isVague(action string) bool {
	words := strings.Fields(strings.ToLower(strings.Trim(action, "*_`\"'“”.…!:;-–— \t\n")))
	return len(words) > 0 && strings.Contains(vague, "|"+strings.Join(words, " ")+"|")
}

func vagueAction(f *file, add report) {
	for _, a := range f.actions {
		if isVague(a.Text) {
			add(f.line(a.Span.Start), "%s is not an action that a reader can begin with", quote(a.Text))
		}
	}
}

var (
	// object matches a part of an action that names its object exactly.
	object = text.Regexp("[`\"“«]" + // text in quotes
		`|[\w.~-]+/[\w.~*-]+|\b[\w-]{2,}\.[a-z][a-z0-9]{0,7}\b|\b\w\.[a-z][a-z0-9]{1,7}\b|\bhttps?:` + // paths, files, addresses
		`|\b(?:Makefile|Dockerfile|Gemfile|Rakefile|Justfile|Procfile|Vagrantfile|Jenkinsfile|README|LICENSE|CHANGELOG)\b` + // files
		`|#\d+|\b[A-Za-z]+-\d+\b|\bchk-\w|\bthis checkpoint\b|\b\w+\(\)` + // issues, checkpoints
		`|\b\w+_\w+|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\s--?[a-z]\w*|\d+\.\d+` + // names in code, flags, versions
		`|\b(?i:phase|step|section|line|issue|task|pr|source|part|milestone|chapter|ticket|fase|paso)\s+#?\d`)
	blocker = text.Regexp(`(?i)^\W*(no |any )?(block(ed|er|ers)?|waiting|wait for|bloque)`)
)

func noObject(f *file, add report) {
	for _, a := range f.actions {
		if !isVague(a.Text) && !object.Get().MatchString(a.Text) && !blocker.Get().MatchString(a.Text) {
			add(f.line(a.Span.Start), "%s names no file and no exact object", quote(a.Text))
		}
	}
}

var completedNothing = text.Regexp(`(?im)^[^\n]*\bcompleted(?: work| items| tasks)?\b["'*_` + "`" + `]*[ \t]*:` +
	`["'*_` + "`" + ` \t]*(?:\[[ \t]*\]|none|nothing|n/a|-)[.,]?[ \t]*$`)

func emptyCompleted(f *file, add report) {
	if p, text, ok := f.filled(checkpoint.PlayByPlay); ok && checkpoint.IsNone(text) {
		add(f.heading(p.Section), "%q says %s", p.Kind.String(), quote(text))
	}
	if value := f.c.Field("completed"); strings.HasPrefix(value, "[") && strings.Trim(value, "[] ") == "" {
		add(f.d.Front.Line("completed"), "completed: []")
	}
	for _, k := range []checkpoint.Kind{checkpoint.PlayByPlay, checkpoint.State} {
		p, _ := f.c.Find(k)
		for _, m := range completedNothing.Get().FindAllStringIndex(strings.ReplaceAll(f.d.Slice(p.Extent), "\r", " "), -1) {
			add(f.line(p.Extent.Start+m[0]), "the completed work is empty")
		}
	}
}

// tooOften reports the first hour with too many deltas. It ignores groups in which a delta has no time of day.
func tooOften(f *file, add report) {
	for last := mostPerHour; last < len(f.deltas); last++ {
		first := last - mostPerHour
		gap := f.deltas[last].At.Sub(f.deltas[first].At)
		undated := slices.ContainsFunc(f.deltas[first:last+1], func(d checkpoint.Delta) bool {
			return d.At.IsZero() || !hasClock(d.Stamp)
		})
		if !undated && 0 <= gap && gap < time.Hour {
			a, b := f.deltas[first], f.deltas[last]
			add(f.heading(a.Section), "%d deltas from %s to %s", mostPerHour+1, a.Stamp, b.Stamp)
			return
		}
	}
}

// mostCode is how many lines a code block may have.
const mostCode = 40

// within is the maximum distance in lines between two speakers of a conversation.
const within = 30

var (
	// pointer matches a phrase that refers to something outside of the file. It is tried only on
	// lines with one of the stems, since it is slow.
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
	stems = []string{
		"above", "earlier", "previous", "prior", "last", "our ", "this c", "message",
		"discuss", "mentioned", "agreed", "explained", "said", "noted", "same as", "you ", "scroll",
	}
)

func selfContained(f *file, add report) {
	for _, b := range f.d.Blocks(f.d.Body()) {
		if b.Kind == doc.Comment || b.Kind == doc.Rule || f.inCode(b.Span) {
			continue
		}
		line := f.line(b.Span.Start)
		for text := range strings.Lines(f.d.Slice(b.Span)) {
			if found := leadsOut(strings.TrimRight(text, "\r\n")); found != "" {
				add(line, "%s leads out of the checkpoint", quote(found))
			}
			line++
		}
	}
}

func leadsOut(line string) string {
	lower := strings.ToLower(line)
	for _, stem := range stems {
		if strings.Contains(lower, stem) {
			return strings.TrimSpace(pointer.Get().FindString(line))
		}
	}
	return ""
}

// longCode reports long fenced code blocks, also those in lists and quotes.
func longCode(f *file, add report) {
	fence, opened, line := "", 0, f.line(f.d.Body().Start)
	for text := range strings.Lines(f.d.Slice(f.d.Body())) {
		text = strings.TrimLeft(strings.TrimSpace(text), "-*+> ")
		mark := fenceOf(text)
		switch {
		case fence == "" && mark != "":
			fence, opened = mark, line
		case fence != "" && strings.HasPrefix(mark, fence) && len(mark) == len(text):
			if n := line - opened - 1; n > mostCode {
				add(opened, "a code block of %d lines", n)
			}
			fence = ""
		}
		line++
	}
}

// fenceOf returns the backticks or tildes with which a fence begins, or "".
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, mark); len(line)-len(rest) >= 3 {
			return line[:len(line)-len(rest)]
		}
	}
	return ""
}

// speakers are the names of speakers in a transcript; the first two ask questions, the others
// answer.
var speakers = []string{
	"user", "human", "assistant", "claude", "ai", "agent", "gpt", "chatgpt", "gemini", "copilot", "codex",
}

// transcript reports the first place at which one speaker asks and another answers, or the reverse.
func transcript(f *file, add report) {
	var last string // the line of the last speaker
	var lastLine int
	var lastAsks bool
	line := f.line(f.d.Body().Start)
	for text := range strings.Lines(f.d.Slice(f.d.Body())) {
		if asks, ok := speaks(text); ok {
			if lastLine > 0 && asks != lastAsks && line-lastLine <= within {
				add(lastLine, "a conversation begins here: %s", quote(last))
				return
			}
			last = text
			lastLine, lastAsks = line, asks
		}
		line++
	}
}

// speaks reports whether a line begins the text of a speaker: `User:`, `**Assistant:**`, `###
// Human`, `"role": "user"`; and whether that speaker asks.
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
