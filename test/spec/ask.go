package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
)

// Tally counts the answers of a program.
type Tally struct {
	Right, Unsupported int
	Wrong              []string // a message for each wrong answer
}

// Which selects cases.
type Which struct {
	Kinds   []string // empty means all
	Without []string // what the program cannot do: cases that need one of these are left out
}

// Ask writes the questions and reads the answers. Each question and each answer is a line of JSON. The program
// may answer {"unsupported": true}.
func Ask(files []File, which Which, to io.WriteCloser, from io.Reader) (Tally, error) {
	var asked []Case
	var kinds []string
	for _, f := range files {
		if len(which.Kinds) > 0 && !slices.Contains(which.Kinds, f.Kind) {
			continue
		}
		for _, c := range f.Cases {
			if c.Needs == "" || !slices.Contains(which.Without, c.Needs) {
				asked, kinds = append(asked, c), append(kinds, f.Kind)
			}
		}
	}
	written := make(chan error, 1)
	go func() {
		out := bufio.NewWriter(to)
		in := json.NewEncoder(out)
		for i, c := range asked {
			question := object{"kind": kinds[i]}
			for key, v := range c.Input {
				question[key] = v
			}
			if err := in.Encode(question); err != nil {
				written <- err
				return
			}
		}
		err := out.Flush()
		written <- errors.Join(err, to.Close())
	}()
	var t Tally
	answers := bufio.NewReader(from)
	for i, c := range asked {
		line, err := answers.ReadBytes('\n')
		if err != nil {
			return t, fmt.Errorf("no answer to %s, %s: %w", kinds[i], c.Name, err)
		}
		var answer object
		switch err := json.Unmarshal(line, &answer); {
		case err != nil:
			t.Wrong = append(t.Wrong, fmt.Sprintf("%s, %s: %v: %s", kinds[i], c.Name, err, line))
		case answer["unsupported"] == true:
			t.Unsupported++
		case !reflect.DeepEqual(answer, c.Answer):
			t.Wrong = append(t.Wrong, fmt.Sprintf("%s, %s:\n  got  %s\n  want %s",
				kinds[i], c.Name, shown(answer), shown(c.Answer)))
		default:
			t.Right++
		}
	}
	return t, <-written
}

// shown returns an answer on one line, at most 1,000 bytes of it.
func shown(v any) string {
	src, _ := marshal(v)
	if len(src) > 1000 {
		return string(src[:1000]) + "…"
	}
	return string(src)
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	err := to.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}
