package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// cuts are the numbers of calls after which a session is killed.
var cuts = []int{0, 1, 2, 3, 5, 7, 12}

// said are the rules that the user gives in the middle, by the number of calls before them.
var said = map[int]string{
	1: "No, never touch vendor/.", 4: "Names of columns stay in German.", 6: "Ask before you add a dependency.",
	10: "The old format must still be read.",
}

// order returns the points of an order.
func order() []string {
	var points []string
	for i, what := range []string{
		"read a list of orders from a CSV file whose separator is a semicolon", "refuse a line with a negative amount, and name its number",
		"sum up the amounts by customer, in cents", "write the result to standard output, sorted by customer",
		"add --json, which writes one object a line", "add --since DATE, which leaves out earlier orders",
		"end with exit code 3 if a line was refused", "read standard input where the file is -",
		"test each of these with a table", "describe every flag in README.md, with an example",
	} {
		points = append(points, fmt.Sprintf("%d. %s", i+1, what))
	}
	return points
}

// cutResult is what the next session knows after a cut: the points, and the rules given in the middle.
type cutResult struct{ points, rules score }

// playCut plays a session up to a cut, and returns what the next session is told by ckpt and by a handoff
// file, which the agent begins with its second call and rewrites, without an error, whenever the agent
// of ckpt writes a delta.
func playCut(dir string, cut int) (ckpt, handoff cutResult, err error) {
	p := &player{dir: filepath.Join(dir, "code"), bin: filepath.Join(dir, "bin"), name: fmt.Sprint("cut", cut), session: 1,
		now: time.Date(2026, 1, 2, 9, 0, 0, 0, time.UTC)}
	for _, folder := range []string{p.dir, p.bin} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return ckpt, handoff, err
		}
	}
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(p.bin, "ckpt"))
	}
	if err == nil {
		err = p.prepare(&transcript{})
	}
	if err != nil {
		return ckpt, handoff, err
	}
	points, rules, file := order(), []string{}, ""
	if err := p.start("startup", true); err != nil {
		return ckpt, handoff, err
	}
	if err := p.says("Build a tool for our orders. It shall\n" + strings.Join(points, "\n")); err != nil {
		return ckpt, handoff, err
	}
	for p.calls < cut {
		p.now = p.now.Add(time.Minute)
		next := p.calls + 1
		record := next == 2 || next == 7 || next == 12
		switch {
		case next == 2:
			err = p.ckpt("### Next Actions\n1. Write orders.go\n", "new", "orders", "--prompt", "--problem", "There is no tool", "-F", "-")
		case record:
			err = p.ckpt("One part is written\n", "delta", "--prompt", "-F", "-")
		case next%2 == 1:
			err = p.edit(fmt.Sprintf("orders%d.go", next), 10, true)
		default:
			err = p.bash("go test ./...", 1)
		}
		if err != nil {
			return ckpt, handoff, err
		}
		if record {
			file = strings.Join(append(points, rules...), "\n")
		}
		if rule, ok := said[p.calls]; ok && p.calls < cut {
			rules = append(rules, rule)
			if err := p.says(rule); err != nil {
				return ckpt, handoff, err
			}
		}
	}
	p.session, p.calls, p.now = 2, 0, p.now.Add(time.Hour)
	out, err := p.answer("session-start", map[string]any{"hook_event_name": "SessionStart", "source": "startup"})
	if err != nil {
		return ckpt, handoff, err
	}
	var answer struct {
		Context string `json:"additionalContext"`
	}
	err = json.Unmarshal(out, &answer)
	know := func(text string) cutResult { return cutResult{scoreOf(text, points), scoreOf(text, rules)} }
	return know(answer.Context), know(file), err
}

// scoreOf counts the facts that a text has, word for word.
func scoreOf(text string, facts []string) score {
	s := score{of: len(facts)}
	for _, fact := range facts {
		if strings.Contains(text, fact) {
			s.found++
		}
	}
	return s
}

func (p *player) says(text string) error {
	return p.hook("prompt", map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": text})
}

// cutTable plays all cuts and returns the table.
func cutTable() (string, error) {
	tmp, err := os.MkdirTemp("", "ckpt-cuts-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	var w strings.Builder
	w.WriteString("\n## What the user said\n\nA session gets an order of ten points and, after its calls 1, 4, 6 and 10, one rule each. It is " +
		"killed after some calls. Counted is what the next session is told, word for word: by the brief of the session-start hook (with the " +
		"lines of `ckpt setup`, `ckpt new --prompt` is the second call, `ckpt delta --prompt` the seventh and twelfth), by a HANDOFF.md that " +
		"the agent writes at the same calls, without leaving out a word, and by nothing but the repository.\n\n" +
		"| killed after | ckpt: points | rules | HANDOFF.md: points | rules | nothing: points | rules |\n|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, cut := range cuts {
		ckpt, handoff, err := playCut(filepath.Join(tmp, fmt.Sprint(cut)), cut)
		if err != nil {
			return "", fmt.Errorf("cut after %d calls: %w", cut, err)
		}
		none := func(s score) score { return score{of: s.of} }
		fmt.Fprintf(&w, "| %d | %s | %s | %s | %s | %s | %s |\n", cut, ckpt.points, ckpt.rules, handoff.points, handoff.rules,
			none(ckpt.points), none(ckpt.rules))
	}
	return w.String(), nil
}
