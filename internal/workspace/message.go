package workspace

import (
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

const (
	longestSubject = 72 // the number of characters of a subject that git log and hosts show
	leastSummary   = 20 // a summary is not shortened to fewer characters, even after a long id
)

// Message returns the message of the commit: the subject, the whole summary if the subject shortens it, and the
// trailers.
func Message(policy policy.Config, o *Tx) string {
	whole, body := strings.TrimSpace(text.Printable(o.Summary)), ""
	summary := text.Paragraph(whole)
	subject := policy.SubjectFor(o.Op, o.ID, summary)
	if over := utf8.RuneCountInString(subject) - longestSubject; over > 0 {
		summary = text.Shorten(summary, max(utf8.RuneCountInString(summary)-over, leastSummary))
		subject = policy.SubjectFor(o.Op, o.ID, summary)
	}
	if summary != whole {
		body = whole + "\n\n"
	}
	trailers := append([]string{TrailerOp + ": " + o.Op}, o.Trailers...)
	if o.ID != "" {
		trailers = append([]string{TrailerID + ": " + o.ID}, trailers...)
	}
	return subject + "\n\n" + body + strings.Join(trailers, "\n") + "\n"
}

// Receipt returns what an operation is about to do. Prefix is the checkpoints folder.
func Receipt(prefix string, o *Tx) *result.Receipt {
	r := &result.Receipt{Op: o.Op, ID: o.ID, Summary: text.Paragraph(o.Summary), Remarks: o.Remarks, Replaced: o.replaced,
		Resolution: o.Resolution, Next: o.Next}
	if o.Path != "" {
		r.Path = prefix + "/" + o.Path
	}
	for _, f := range o.Files.Under(prefix) {
		r.Files = append(r.Files, f.Path)
	}
	return r
}

// Anchor returns the branch and the short commit hash of HEAD, as in main@1a2b3c4.
func Anchor(head git.Head) string {
	branch := head.Branch()
	if branch == "" {
		branch = "detached"
	}
	if head.Hash == "" {
		return branch
	}
	return branch + "@" + head.Hash[:7]
}
