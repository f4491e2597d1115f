package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// transcript is the written life of one order: what the user asked for and what the
// agent did, one event a line. A line that begins with a space goes on with the text of
// the line before it; "#" begins a comment. The events:
//
//	about TEXT          what the transcript is an example of (once, before all sessions)
//	problem TEXT        what the checkpoint states as the problem (once)
//	intent TEXT         what the user wants (once)
//	cut N               kill every session after its Nth tool call (once)
//	have PATH LINES     a file that is there before the work begins
//	rule TEXT           a rule in the user's words; inside a session it is a prompt
//	point TEXT          a point of the order; inside a session it is a prompt
//
//	session             begin a session: the agent is given the brief
//	compact             compact the session's context; it goes on with a new brief
//	end                 end the session in good order
//	kill                kill it
//	user TEXT           another prompt
//	stop                the agent ends its turn
//
//	new NAME            the agent writes `ckpt new NAME` with all that it was told
//	decide WHAT: WHY    a decision is taken
//	note                the agent writes `ckpt note` for each decision and rule not recorded yet
//	edit PATH LINES     it writes so many lines to a file
//	unseen PATH LINES   the file is written and no hook tells of it: by a command, or the
//	                    session is killed next, before the hook of the edit
//	delete PATH         it removes a file
//	look COMMAND        it runs a command that changes nothing; no reader has to know of it
//	run EXIT COMMAND    it runs a command, which ends with this exit code
//	test EXIT COMMAND   the same; the command runs the project's tests
//	finish N            point N is finished, counted from 1
//	commit SUBJECT      it commits all the code
//	state TEXT          the state that the next delta describes
//	delta TEXT          it writes `ckpt delta` with all that is not recorded yet
type transcript struct {
	name   string
	about  string
	cut    int // 0: no session is killed
	events []event
}

type event struct {
	line int
	verb string
	text string // the path, command, subject or other text
	n    int    // lines, exit code, number
}

// verbs lists what follows each verb: "" nothing, "text", "n", "path n" or "n text".
var verbs = map[string]string{
	"about": "text", "problem": "text", "intent": "text", "cut": "n", "have": "path n", "rule": "text", "point": "text",
	"session": "", "compact": "", "end": "", "kill": "", "user": "text", "stop": "",
	"new": "text", "decide": "text", "note": "", "edit": "path n", "unseen": "path n", "delete": "text", "look": "text",
	"run": "n text", "test": "n text",
	"finish": "n", "commit": "text", "state": "text", "delta": "text",
}

// readTranscript reads and parses the file at path.
func readTranscript(name, path string) (*transcript, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t, err := parse(name, string(src))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return t, nil
}

// parse returns the transcript that src describes. An error begins with the line number.
func parse(name, src string) (*transcript, error) {
	t := &transcript{name: name}
	for i, line := range strings.Split(src, "\n") {
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case line[0] == ' ':
			if len(t.events) == 0 || !strings.HasSuffix(verbs[t.events[len(t.events)-1].verb], "text") {
				return nil, fmt.Errorf("%d: no text to go on with", i+1)
			}
			t.events[len(t.events)-1].text += "\n" + strings.TrimSpace(line)
		default:
			e, err := parseEvent(strings.TrimSpace(line))
			if err != nil {
				return nil, fmt.Errorf("%d: %w", i+1, err)
			}
			e.line = i + 1
			t.events = append(t.events, e)
		}
	}
	return t, t.check()
}

func parseEvent(line string) (event, error) {
	verb, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	form, known := verbs[verb]
	if !known {
		return event{}, fmt.Errorf("unknown event %q", verb)
	}
	e := event{verb: verb, text: rest}
	number := ""
	switch form {
	case "":
		if rest != "" {
			return e, fmt.Errorf("%s takes nothing, not %q", verb, rest)
		}
		return e, nil
	case "n":
		number, e.text = rest, ""
	case "n text":
		number, e.text, _ = strings.Cut(rest, " ")
	case "path n":
		e.text, number, _ = strings.Cut(rest, " ")
	}
	if form != "n" && e.text == "" {
		return e, fmt.Errorf("%s needs a text", verb)
	}
	if form != "text" {
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 {
			return e, fmt.Errorf("%s needs a number, not %q", verb, number)
		}
		e.n = n
	}
	return e, nil
}

// check reports the first event that is impossible at its place, and facts that
// cannot be counted since the text of one contains that of another.
func (t *transcript) check() error {
	running, ran, points := false, false, 0
	facts := map[string][]string{}
	for i, e := range t.events {
		wrong := func(why string) error { return fmt.Errorf("%d: %s: %s", e.line, e.verb, why) }
		switch e.verb {
		case "about":
			t.about = e.text
		case "cut":
			t.cut = e.n
		case "session":
			if running {
				return wrong("the session before it did not end")
			}
			running, ran = true, true
		case "problem", "intent", "have":
			if ran {
				return wrong("only before the first session")
			}
		case "rule", "point":
			if ran && !running {
				return wrong("no session is running")
			}
			facts[e.verb] = append(facts[e.verb], e.text)
			if e.verb == "point" {
				points++
			}
		default:
			if !running {
				return wrong("no session is running")
			}
		}
		switch e.verb {
		case "end", "kill":
			running = false
		case "decide":
			what, why, _ := strings.Cut(e.text, ": ")
			if why == "" {
				return wrong("want WHAT: WHY")
			}
			facts[e.verb] = append(facts[e.verb], what)
		case "commit":
			facts[e.verb] = append(facts[e.verb], e.text)
		case "finish":
			if e.n < 1 || e.n > points {
				return wrong(fmt.Sprintf("point %d has not been given yet", e.n))
			}
		case "delta":
			if i == 0 || t.events[i-1].verb != "state" {
				return wrong("a state must come before it")
			}
		}
	}
	for verb, texts := range facts {
		for i, a := range texts {
			if j := slices.IndexFunc(texts, func(b string) bool { return strings.Contains(b, a) }); j != i {
				return fmt.Errorf("0: %s %q cannot be told from %q", verb, a, texts[j])
			}
			if j := slices.IndexFunc(texts[i+1:], func(b string) bool { return strings.Contains(b, a) }); j >= 0 {
				return fmt.Errorf("0: %s %q cannot be told from %q", verb, a, texts[i+1+j])
			}
		}
	}
	switch {
	case t.about == "":
		return fmt.Errorf("0: no about")
	case points == 0 || !ran:
		return fmt.Errorf("0: no point or no session")
	}
	return nil
}
