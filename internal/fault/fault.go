// Package fault is the errors of ckpt that a person can act on.
//
// A fault carries a kind, which becomes the exit code (docs/commands/README.md), a
// message that names the step and its object, and a hint: the command to type
// next. Ask for the kind with [KindOf], never by the text.
package fault

import (
	"errors"
	"fmt"
)

// Kind says what a caller can do about an error.
type Kind int

// The kinds, in the order of their exit codes.
const (
	Failed      Kind = iota // reading, writing or git went wrong
	Usage                   // the command line is wrong
	NotFound                // the named thing does not exist
	Invalid                 // a file breaks the format
	Busy                    // somebody else holds it: try again
	Refused                 // done only with the flag that the hint names
	Unsupported             // not possible in this repository
)

var kinds = [...]struct {
	code string
	exit int
}{
	Failed:      {"failed", 1},
	Usage:       {"usage", 2},
	NotFound:    {"not-found", 3},
	Invalid:     {"invalid", 4},
	Busy:        {"busy", 5},
	Refused:     {"refused", 6},
	Unsupported: {"unsupported", 7},
}

// String is the kind as the JSON of an error names it: "not-found".
func (k Kind) String() string { return kinds[k].code }

// ExitCode is what the process exits with, from 1 to 7.
func (k Kind) ExitCode() int { return kinds[k].exit }

// Error is a failure with its kind and the way out of it.
type Error struct {
	Kind Kind
	Hint string // the command to type next; empty where there is none
	Err  error  // what went wrong, on which object; lower case, no full stop
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// New makes a fault. Format and args are as for fmt.Errorf, %w included.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Err: fmt.Errorf(format, args...)}
}

// WithHint sets the command to type next and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// KindOf is the kind of the first fault in err's chain; Failed where there is none, and
// where err is nil.
func KindOf(err error) Kind {
	if f, ok := errors.AsType[*Error](err); ok {
		return f.Kind
	}
	return Failed
}

// HintOf is the hint of the first fault in err's chain that has one.
func HintOf(err error) string {
	for f, ok := errors.AsType[*Error](err); ok; f, ok = errors.AsType[*Error](f.Err) {
		if f.Hint != "" {
			return f.Hint
		}
	}
	return ""
}
