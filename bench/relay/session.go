package main

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// agent runs sessions in the repository of one run.
type agent interface {
	// session runs until the agent ends by itself or is killed at the cut. The id names an earlier session to
	// resume; an empty id begins a new session.
	session(ctx context.Context, p *place, prompt, id string, at cut) (session, error)
}

// session is what one session did.
type session struct {
	ID       string // the agent's id of the session
	Calls    []call
	Start    int   // the tokens of the first request; 0 if the agent does not report them
	Tokens   int   // all tokens; 0 if the agent does not report them
	Cut      bool  // the session was killed
	Finished []int // the parts of the order that are finished and committed after the session

	counted map[string]bool // the ids of requests whose tokens are counted
}

// call is a call of a tool.
type call struct {
	Tool    string
	Command string // the command line, or the file that the call reads or writes
	Wrote   bool   // the call changed the code
}

// before returns the calls before the first one that wrote code. The boolean is false if none did.
func (s *session) before() ([]call, bool) {
	for i, c := range s.Calls {
		if c.Wrote {
			return s.Calls[:i], true
		}
	}
	return s.Calls, false
}

// purposes are the purposes that a call before the first new line of code may have. The first match counts.
var purposes = []struct {
	name    string
	matches *regexp.Regexp
}{
	{"commit", regexp.MustCompile(`\bgit (-C \S+ )*(add|commit)\b`)},
	{"state", regexp.MustCompile(`\bckpt\b|HANDOFF|checkpoints/|CLAUDE\.md|AGENTS\.md|SKILL\.md|(?i)^(skill|todo|task)`)},
	{"git", regexp.MustCompile(`\bgit (-C \S+ |--no-pager )*(log|status|diff|show|reflog|stash|fsck|branch)\b`)},
	{"tests", regexp.MustCompile(`\b(go (test|vet|build|run)|unittest|pytest|node --test|npm (run )?test)\b`)},
	{"sources", regexp.MustCompile(`(?i)^(read|view|grep|glob|list|search)|` +
		`\b(cat|sed|head|tail|nl|less|grep|rg|ls|find|wc|tree)\b`)},
}

// purpose returns what the call was for.
func (c call) purpose() string {
	for _, p := range purposes {
		if p.matches.MatchString(c.Tool + " " + c.Command) {
			return p.name
		}
	}
	return "other"
}

// cut is the moment at which a session is killed. At most one of its fields is set.
type cut struct {
	calls  int
	tokens int
	after  time.Duration
	inside string // a kind of step: the second one is interrupted in the middle; only for the scripted agent
}

// The kinds of steps in the middle of which a session can be killed.
const (
	stepWrite  = "write"
	stepCommit = "commit"
	stepDelta  = "delta" // writing the record: a delta, or HANDOFF.md
)

// parseCut parses a cut: "7" calls, "40000t" tokens, "5m" minutes, or the kind of a step.
func parseCut(s string) (cut, error) {
	n, err := strconv.Atoi(strings.TrimSuffix(s, "t"))
	after, errAfter := time.ParseDuration(s)
	switch {
	case s == stepWrite, s == stepCommit, s == stepDelta:
		return cut{inside: s}, nil
	case err == nil && n > 0 && strings.HasSuffix(s, "t"):
		return cut{tokens: n}, nil
	case err == nil && n > 0:
		return cut{calls: n}, nil
	case errAfter == nil && after > 0:
		return cut{after: after}, nil
	}
	return cut{}, fmt.Errorf("invalid -cut %q (want calls, 7; tokens, 40000t; a time, 5m; or write, commit, delta)", s)
}

// reached reports whether a session has reached the cut after the given number of completed calls.
func (c cut) reached(s *session, calls int) bool {
	return c.calls > 0 && calls >= c.calls || c.tokens > 0 && s.Tokens >= c.tokens
}

// tokensOfCall is the assumed cost of a call if an agent reports its tokens only at its end.
const tokensOfCall = 20_000
