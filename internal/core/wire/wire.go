// Package wire is the JSON that ckpt promises: one versioned object an answer, to
// which version 1 only ever adds fields.
package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/result"
)

// Version is the value of "ckpt" in every answer.
const Version = 1

// Head opens every answer.
type Head struct {
	Ckpt int    `json:"ckpt"`
	Kind string `json:"kind"`
}

func head(kind string) Head { return Head{Version, kind} }

// Marshal writes an answer, indented, with a last line break. Text is not
// escaped for HTML.
func Marshal(answer any) ([]byte, error) {
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	to.SetIndent("", "  ")
	err := to.Encode(answer)
	return out.Bytes(), err
}

// Write writes an answer as Marshal does.
func Write(out io.Writer, answer any) error {
	text, err := Marshal(answer)
	if err == nil {
		_, err = out.Write(text)
	}
	return err
}

// Error is an error.
type Error struct {
	Head
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Exit    int    `json:"exit"`
}

// FromError is the answer that says err.
func FromError(err error) Error {
	kind := fault.KindOf(err)
	return Error{head("error"), kind.String(), err.Error(), fault.HintOf(err), kind.ExitCode()}
}

// VersionInfo is the answer of `ckpt version`.
type VersionInfo struct {
	Head
	Version string `json:"version"`
	Spec    string `json:"spec"`
	Commit  string `json:"commit,omitempty"`
	Go      string `json:"go"`
	Git     string `json:"git,omitempty"` // the one in PATH
	Oldest  string `json:"git_oldest"`    // that ckpt works with
}

// FromVersion is the answer of `ckpt version`.
func FromVersion(v result.Version) VersionInfo {
	return VersionInfo{head("version"), v.Ckpt, checkpoint.SpecVersion, v.Commit, v.Go, v.Git, v.OldestGit}
}

// stamp is a time as every answer writes it, "" for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return checkpoint.FormatTime(t)
}
