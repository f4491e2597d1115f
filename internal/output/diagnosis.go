package output

import (
	"strings"

	"example.com/ckpt/internal/result"
)

// Diagnosis says how things are, then what is wrong with them.
func (p Text) Diagnosis(d *result.Diagnosis) error {
	style := p.pen()
	width := 0
	for _, f := range d.Facts {
		width = max(width, len(f.Name))
	}
	for _, f := range d.Facts {
		p.printf("%s%s  %s\n", f.Name, strings.Repeat(" ", width-len(f.Name)), f.Value)
	}
	for i, a := range d.Ailments {
		if i == 0 {
			p.printf("\n")
		}
		if a.Mended {
			p.printf("%s %s [%s]\n", style.Green("mended:"), a.What, a.Code)
			continue
		}
		p.printf("%s %s [%s]\n    %s\n", style.Red("✗"), a.What, a.Code, style.Dim(a.Fix))
	}
	if d.Open() == 0 {
		p.printf("\n%s\n", style.Green("nothing ails it"))
	}
	return p.done()
}
