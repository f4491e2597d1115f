package main

import (
	"fmt"
	"slices"
	"strings"
)

// played is a transcript and what was counted in it.
type played struct {
	of      *transcript
	moments []moment
}

// page returns the Markdown page with the figures of all transcripts.
func page(all []played, cuts string) string {
	var w strings.Builder
	w.WriteString(intro)
	w.WriteString("\n## Summary\n\nFacts are added up over all sessions but the first. Looks and " +
		"bytes (of the text, and " +
		"with what the looks print) are medians over these sessions.\n\n" +
		"| transcript | reads | rules | decisions | next | files | unrecorded files | unrecorded commands | looks | most " +
		"looks | text | with looks | lost |\n" +
		"|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, l := range all {
		for i, name := range media {
			fmt.Fprintf(&w, "| %s | %s | %s |\n", l.of.name, name, summary(l.moments, i))
		}
	}
	w.WriteString(cuts)
	for _, l := range all {
		fmt.Fprintf(&w, "\n## %s\n\n%s\n\n", strings.ToUpper(l.of.name[:1])+l.of.name[1:],
			strings.ReplaceAll(l.of.about, "\n", " "))
		w.WriteString("| session | the one before | reads | rules | decisions | next | stale | files | unrecorded files | " +
			"unrecorded commands | looks | text | with looks |\n" +
			"|---:|---|---|---:|---:|---:|---:|---:|---:|---:|---|---:|---:|\n")
		for _, m := range l.moments {
			for i, r := range m.media {
				session, after := m.session, m.after
				if i > 0 {
					session, after = "", ""
				}
				fmt.Fprintf(&w, "| %s | %s | %s | %s | %s | %s | %d | %s | %s | %s | %s | %d | %d |\n", session, after, media[i],
					r.rules, r.decisions, r.next, r.stale, r.files, r.newFiles, r.commands, looks(r.looks), len(r.text), r.bytes)
			}
		}
	}
	return w.String()
}

// summary returns the columns of one medium over all moments.
func summary(moments []moment, medium int) string {
	var rules, decisions, next, files, newFiles, commands score
	var looked, texts, read []int
	lost := map[string]bool{}
	for _, m := range moments {
		r := m.media[medium]
		for _, s := range []struct {
			sum *score
			add score
		}{
			{&rules, r.rules}, {&decisions, r.decisions}, {&next, r.next}, {&files, r.files}, {&newFiles, r.newFiles},
			{&commands, r.commands},
		} {
			s.sum.found, s.sum.of = s.sum.found+s.add.found, s.sum.of+s.add.of
		}
		looked, texts, read = append(looked, len(r.looks)), append(texts, len(r.text)), append(read, r.bytes)
		for _, fact := range r.lost {
			lost[fact] = true
		}
	}
	return fmt.Sprintf("%s | %s | %s | %s | %s | %s | **%s** | %d | %s | %s | %d", rules, decisions, next, files, newFiles,
		commands,
		median(looked), slices.Max(looked), median(texts), median(read), len(lost))
}

func (s score) String() string {
	if s.of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d/%d", s.found, s.of)
}

func looks(names []string) string {
	if len(names) == 0 {
		return "0"
	}
	return fmt.Sprintf("%d: %s", len(names), strings.Join(names, ", "))
}

// median returns the middle value, or that between the two middle ones.
func median(values []int) string {
	if len(values) == 0 {
		return "–"
	}
	all := slices.Sorted(slices.Values(values))
	if n := len(all); n%2 == 0 && (all[n/2-1]+all[n/2])%2 == 1 {
		return fmt.Sprintf("%d.5", (all[n/2-1]+all[n/2])/2)
	} else if n%2 == 0 {
		return fmt.Sprint((all[n/2-1] + all[n/2]) / 2)
	}
	return fmt.Sprint(all[len(all)/2])
}

const intro = `# What a session is given to go on

Written by ` + "`go run ./bench/relay -write`" + `, the same bytes each time. It plays an agent through ckpt's hooks over the transcripts in
` + "`bench/relay/testdata`" + `: a user's order of ten points, rules, decisions, edits, commands, commits, deltas, compactions and sudden deaths.
At the start of each session, and after each compaction, it counts the facts that three texts contain: the brief of the session-start hook
(at most 9,500 bytes), the brief of ` + "`ckpt resume --budget 1000`" + `, and a HANDOFF.md with all facts, rewritten by hand each time the agent runs
` + "`ckpt new`" + ` or ` + "`ckpt delta`" + `.

A fact counts if its exact text occurs: a rule in the user's words, what was decided, a point of the order that is not finished, the
path of a file that was changed, a command with its exit code. *Unrecorded* facts are those since the agent's last new or delta.
*Stale* points are finished, but the text presents them as open.

*Looks* are the calls with which a reader gets the facts that the text lacks. The first is the command that the brief names for what it left
out, else the checkpoint's file (**raw file**): it is needed if the text lacks a rule, a decision or a point, or if a brief does not say whether
it left something out. The others are for facts that neither the text nor the first look shows:

- **git status**, for an uncommitted file;
- **git log**, for the subject of a commit since the last record;
- **skill**, for a command that writes a delta and can be copied;
- **tests**, for the last run of the tests and its exit code (400 bytes are counted);
- **sources**, the files changed since the last record, for a stale point whose commit is not named.

A committed file that the text lacks is counted, but causes no look. *With looks* are the bytes of the text and of the output of all these
looks. The call that opens HANDOFF.md is not counted. *Lost* are rules, decisions and points that no look shows, because the agent never
recorded them. A model may look at more than that; what models do is not measured here.
`
