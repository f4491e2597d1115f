package workspace

import (
	"fmt"
	"slices"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// NoteReplaced records the texts of old that revised lacks. Keep is the flag that would append instead of replacing,
// or "".
func (o *Tx) NoteReplaced(old, revised *checkpoint.Checkpoint, keep string) {
	for _, l := range checkpoint.Lost(old, revised) {
		t := l.Kind.Template()
		o.replaced = append(o.replaced, result.Replaced{Section: t.Name, Title: t.Title, Lines: l.Lines, Actions: l.Actions})
	}
	o.keep = keep
}

// NoteOpen adds a remark if one of the texts ends inside a code fence or a comment. In the checkpoint,
// such a text is followed by a line that closes the fence or the comment.
func (o *Tx) NoteOpen(texts ...string) {
	if slices.ContainsFunc(texts, func(t string) bool { return doc.Closed(t) != t }) {
		o.Remarks = append(o.Remarks, "a code fence or a comment was open at the end of the text: it is closed")
	}
}

// sayReplaced adds remarks on the text that the completed operation has replaced, with the commands
// that show it and restore it.
func (a *applying) sayReplaced() {
	o, receipt := a.tx, a.receipt
	if a.made == "" {
		return
	}
	for i, r := range o.replaced {
		what := fmt.Sprintf("%s of %s", text.Count(r.Lines, "line"), r.Title)
		if r.Actions > 0 {
			what = text.Count(r.Actions, "next action")
		}
		// Name the commit on the ref: one on the branch may publish other operations, too.
		r.Show = fmt.Sprintf("ckpt show %s --at %s~ --section %s", o.ID, a.made[:7], r.Section)
		receipt.Replaced[i] = r
		ways := "show: " + r.Show + "; undo: ckpt undo"
		if o.keep != "" && r.Actions > 0 {
			ways += "; append: " + o.keep
		}
		receipt.Remarks = append(receipt.Remarks, "replaced "+what+" ("+ways+")")
	}
}
