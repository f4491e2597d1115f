package checkpoint

import (
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/text"
)

// artifactAction is what happened to a file, in PATH:ACTION:TEXT.
var artifactAction = text.Regexp(`:(created|modified|deleted|renamed|moved)(?::|$)`)

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
	if !ok || i < 1 || strings.TrimSpace(after) == "" {
		return Transition{}, fault.New(fault.Usage, "%q is no transition", s).WithHint("--transition 'ITEM: BEFORE -> AFTER'")
	}
	return Transition{strings.TrimSpace(rest[:i]), strings.TrimSpace(rest[i+1:]), strings.TrimSpace(after)}, nil
}

// ParseEntries reads what stands in a Markdown list, next actions say, one an entry. A
// text that is anything else is one entry.
func ParseEntries(text string) []string {
	d, err := doc.Parse([]byte("\n" + text))
	if err != nil {
		return []string{text}
	}
	blocks := d.Blocks(d.Body())
	if len(d.Sections()) > 0 || slices.ContainsFunc(blocks, func(b doc.Block) bool { return b.Kind != doc.List }) {
		return []string{text}
	}
	if all := entries(d, d.Body()); len(all) > 0 {
		return all
	}
	return []string{text}
}

// ParseCompletion parses a Completion in Markdown: the outcome, then a heading Learnings
// with a list.
func ParseCompletion(src []byte) (outcome string, learnings []string, err error) {
	d, err := doc.Parse(append([]byte("\n"), src...))
	if err != nil {
		return "", nil, err
	}
	said := []string{d.Text(d.Preamble())}
	for _, s := range d.Sections() {
		switch fieldNamed(plainTitle(s.Title)) {
		case outcomeField:
			said = append(said, d.Text(s.Body))
		case learningsField:
			learnings = append(learnings, entries(d, s.Body)...)
		default:
			return "", nil, fault.New(fault.Usage, "a Completion has no heading %q (want Learnings)", s.Title)
		}
	}
	return paragraphs(said), learnings, nil
}
