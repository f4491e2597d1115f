package project

import (
	"strings"
	"unicode"

	"example.com/ckpt/internal/core/policy"
	"example.com/ckpt/internal/core/result"
)

// message is the commit's message: subject, what did not fit into it, trailers.
func message(policy policy.Config, o *operation) string {
	text, body := strings.TrimSpace(strings.Map(printable, o.summary)), ""
	summary := cut(headline(text), 72)
	if summary != text {
		body = text + "\n\n"
	}
	subject := policy.SubjectFor(o.op, o.id, summary)
	trailers := append([]string{trailerOp + ": " + o.op}, o.trailers...)
	if o.id != "" {
		trailers = append([]string{trailerID + ": " + o.id}, trailers...)
	}
	return subject + "\n\n" + body + strings.Join(trailers, "\n") + "\n"
}

// headline is the first paragraph of a text, on one line.
func headline(text string) string {
	paragraph, _, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	return strings.Join(strings.Fields(paragraph), " ")
}

// cut shortens s to at most n runes at the end of a word.
func cut(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	short := string(runes[:n-1])
	if i := strings.LastIndexByte(short, ' '); i > n/2 {
		short = short[:i]
	}
	return strings.TrimRight(short, " ,;:.") + "…"
}

// printable drops control characters but for white space: a commit's message is
// shown on terminals that obey them.
func printable(r rune) rune {
	if unicode.IsControl(r) && r != '\n' && r != '\t' {
		return -1
	}
	return r
}

// receipt is what an operation is about to do.
func (p *Project) receipt(o *operation) *result.Receipt {
	r := &result.Receipt{Op: o.op, ID: o.id, Summary: headline(o.summary), Remarks: o.remarks, Replaced: o.replaced, Resolution: o.resolution}
	if o.about != "" {
		r.Path = p.fromRoot(o.about)
	}
	for _, f := range o.files.Under(p.prefix) {
		r.Files = append(r.Files, f.Path)
	}
	return r
}
