// Package result defines the answers of commands: one struct for each answer, with the fields of
// its JSON. Only Encode encodes answers as JSON; package output prints the same values as text.
//
// Every answer is one JSON object that begins with the members "ckpt", the version, and
// "kind". Version 1 only ever adds members.
package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"example.com/ckpt/internal/fault"
)

// Version is the value of "ckpt" in every answer.
const Version = 1

// completer is an answer with members that are computed from others. Encode calls complete before
// it encodes the answer.
type completer interface{ complete() }

// Encode writes an answer as indented JSON with a final line break.
func Encode(out io.Writer, kind string, answer any) error {
	text, err := Marshal(kind, answer)
	if err == nil {
		_, err = out.Write(text)
	}
	return err
}

// EncodeLine writes an answer as one line of JSON.
func EncodeLine(out io.Writer, kind string, answer any) error {
	var line bytes.Buffer
	text, err := Marshal(kind, answer)
	if err == nil {
		err = json.Compact(&line, text)
	}
	if err == nil {
		line.WriteByte('\n')
		_, err = line.WriteTo(out)
	}
	return err
}

// Marshal returns what Encode writes. Kind is empty for a value that is not the answer of a command.
func Marshal(kind string, answer any) ([]byte, error) {
	if c, ok := answer.(completer); ok {
		c.complete()
	}
	body, err := marshal(answer, "  ")
	if err != nil || kind == "" {
		return body, err
	}
	return fmt.Appendf(nil, "{\n  \"ckpt\": %d,\n  \"kind\": %q,%s", Version, kind, body[1:]), nil
}

// marshal encodes a value, without the escapes for HTML.
func marshal(value any, indent string) ([]byte, error) {
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	to.SetIndent("", indent)
	err := to.Encode(value)
	return out.Bytes(), err
}

// Time is a time in the form of all answers: in UTC, without fractions of a second.
type Time struct{ time.Time }

// At returns t as a Time.
func At(t time.Time) Time { return Time{t} }

// MarshalJSON implements [json.Marshaler]. The zero time is an empty string.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte(`""`), nil
	}
	return t.UTC().AppendFormat(nil, `"`+time.RFC3339+`"`), nil
}

// List is a slice that JSON shows as [] when it is nil.
type List[T any] []T

// MarshalJSON implements [json.Marshaler].
func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return marshal([]T(l), "")
}

// Failure is the answer of a command that failed.
type Failure struct {
	Code    string `json:"code"`           // the kind of failure: "not-found"
	Message string `json:"message"`        // what happened to which object
	Hint    string `json:"hint,omitempty"` // the command to type next
	Exit    int    `json:"exit"`           // the exit code
}

// FailureOf returns the answer for err.
func FailureOf(err error) Failure {
	kind := fault.KindOf(err)
	return Failure{Code: kind.String(), Message: err.Error(), Hint: fault.HintOf(err), Exit: kind.ExitCode()}
}

// Build is the answer of `ckpt version`: the version of ckpt and of what it works with.
type Build struct {
	Ckpt      string `json:"version"`          // the version of ckpt
	Spec      string `json:"spec"`             // the version of the format
	Commit    string `json:"commit,omitempty"` // empty if it is unknown
	Go        string `json:"go"`               // the version of Go that built it
	Git       string `json:"git,omitempty"`    // the version of the git in PATH; empty without git
	OldestGit string `json:"git_oldest"`       // the oldest version of git that ckpt supports
}
