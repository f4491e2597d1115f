// Package fault defines the errors of ckpt on which a person can act.
//
// A fault has a kind, a message and a hint. The kind determines the exit code (docs/commands/README.md). The message
// names the step and its object. The hint is the command to type next. Callers distinguish errors by [KindOf] and never
// by their text.
package fault

import (
	"errors"
	"fmt"
)

// Kind classifies errors by what the caller can do about them.
type Kind int

// The kinds, in the order of their exit codes.
const (
	Failed      Kind = iota // reading, writing or running git failed
	Usage                   // the command line is wrong
	NotFound                // the named thing does not exist
	Invalid                 // a file breaks the format
	Busy                    // another process has a lock or made a change: try again
	Refused                 // declined by ckpt, a hook or a remote; the hint may tell how to go on
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

// String returns the kind as in the JSON of an error, such as "not-found".
func (k Kind) String() string { return kinds[k].code }

// ExitCode returns the exit code of the process, from 1 to 7.
func (k Kind) ExitCode() int { return kinds[k].exit }

// Error is an error with its kind and a hint.
type Error struct {
	Kind Kind
	Hint string // the command to type next; may be empty
	Err  error  // what happened to which object, in lower case, without a full stop
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// New returns an error of a kind. Format and args are those of fmt.Errorf, %w included.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Err: fmt.Errorf(format, args...)}
}

// WithHint sets the command to type next and returns e.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// KindOf returns the kind of the first fault in err's chain. It returns Failed if the chain has
// no fault, or if err is nil.
func KindOf(err error) Kind {
	if f, ok := errors.AsType[*Error](err); ok {
		return f.Kind
	}
	return Failed
}

// HintOf returns the first hint in err's chain.
func HintOf(err error) string {
	for f, ok := errors.AsType[*Error](err); ok; f, ok = errors.AsType[*Error](f.Err) {
		if f.Hint != "" {
			return f.Hint
		}
	}
	return ""
}
