package checkpoint

import "example.com/ckpt/internal/checkpoint/doc"

// FurtherFields is the title of the section that keeps what of an imported JSON no other
// section can. Files of older versions have one for each import; the last one counts.
const FurtherFields = "Further Fields"

// AddSection puts a section that the format does not know, heading included and with
// a last line break, behind those that it does: before the first delta and the
// Completion.
func (r *Revision) AddSection(text string) *Revision {
	at := r.c.mainEnd()
	s := doc.Span{Start: at, End: at}
	if at < len(r.c.Doc.Bytes()) {
		text += "\n"
	}
	gap := r.c.gapBefore(at)
	if at == len(r.c.Doc.Bytes()) {
		gap = "\n"
	}
	return r.Splice(doc.ReplaceSections(s, r.c.lines(s, gap+text)))
}
