package checkpoint

import (
	"strings"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/pattern"
)

// artifactAction is what happened to a file, in PATH:ACTION:TEXT.
var artifactAction = pattern.New(`:(created|modified|deleted|renamed|moved)(?::|$)`)

// ParseArtifact reads PATH[:ACTION[:TEXT]]. A colon that no action follows is
// part of the path; without an action the file was modified.
func ParseArtifact(s string) Artifact {
	m := artifactAction.FindStringSubmatchIndex(s)
	if m == nil || m[0] == 0 {
		return Artifact{File: strings.TrimSpace(s), Action: "modified"}
	}
	return Artifact{File: strings.TrimSpace(s[:m[0]]), Action: s[m[2]:m[3]], Change: strings.TrimSpace(s[m[1]:])}
}

// ParseTransition reads 'ITEM: BEFORE -> AFTER'.
func ParseTransition(s string) (Transition, error) {
	rest, after, ok := strings.Cut(s, "->")
	if !ok {
		rest, after, ok = strings.Cut(s, "→")
	}
	i := strings.LastIndex(rest, ": ")
	if !ok || i < 1 {
		return Transition{}, fault.New(fault.Usage, "%q is no transition", s).WithHint("--transition 'ITEM: BEFORE -> AFTER'")
	}
	return Transition{strings.TrimSpace(rest[:i]), strings.TrimSpace(rest[i+1:]), strings.TrimSpace(after)}, nil
}
