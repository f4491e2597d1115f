// Package wire is the JSON that ckpt promises: one versioned object an answer, to
// which version 1 only ever adds fields.
package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"time"

	"example.com/ckpt/internal/learnings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/result"
)

// Head opens every answer.
type Head = result.Head

func head(kind string) Head { return Head{Ckpt: result.Version, Kind: kind} }

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

// stamp is a time as every answer writes it, "" for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return checkpoint.FormatTime(t)
}

// list is a slice that JSON writes as [] where it is nil.
func list(all []string) []string {
	if all == nil {
		return []string{}
	}
	return all
}

// Learnings is the answer of `ckpt learnings`.
type Learnings struct {
	Head
	Learnings []Learning `json:"learnings"`
}

// Learning is one learning.
type Learning struct {
	Date string `json:"date,omitempty"`
	ID   string `json:"id,omitempty"`
	Text string `json:"text"`

	Branches []string `json:"branches,omitempty"` // that have it, where the one checked out lacks it
}

// FromLearnings is the answer that holds learnings.
func FromLearnings(all []learnings.Learning) Learnings {
	w := Learnings{head("learnings"), []Learning{}}
	for _, l := range all {
		w.Learnings = append(w.Learnings, Learning{l.Date, l.ID, l.Text, l.On})
	}
	return w
}

func branchesOf(l *result.Location) []string {
	if l == nil {
		return nil
	}
	return l.Branches
}

func worktreeOf(l *result.Location) string {
	if l == nil {
		return ""
	}
	return l.Worktree
}
