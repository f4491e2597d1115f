package present

import (
	"cmp"
	"fmt"
	"strings"

	"example.com/ckpt/internal/core/phrase"
	"example.com/ckpt/internal/core/report"
)

// manySources is how many are told about one by one.
const manySources = 30

// Import says of each source what it became and where its lines went, then what the
// operation was.
func (p Text) Import(r *report.Import) error {
	style := p.pen()
	told, same := 0, 0
	for _, s := range r.Sources {
		if s.Same {
			same++
		}
		if told++; p.Quiet || told > manySources {
			continue
		}
		name := s.In(s.File)
		switch {
		case s.Bad != "":
			p.printf("%s: %s\n", name, style.Yellow("skipped: "+strings.TrimPrefix(s.Bad, s.File+": ")))
			continue
		case s.Same:
			p.printf("%s: imported before%s\n", style.Bold(name), prefixed(", it is ", s.ID))
			continue
		}
		p.printf("%s: %s → %s %s\n", style.Bold(name), s.Form, cmp.Or(s.ID, s.Path), style.Dim(phrase.Count(s.Lines, "line")))
		var shares []string
		for _, share := range s.Shares {
			shares = append(shares, fmt.Sprintf("%s %d", share.Section, share.Lines))
		}
		p.printf("    %s\n", strings.Join(shares, ", "))
		for _, remark := range s.Remarks {
			p.printf("    %s\n", style.Dim(remark))
		}
	}
	if more := told - manySources; more > 0 && !p.Quiet {
		p.printf("and %d more (--json lists them)\n", more)
	}
	if same > 0 && same == len(r.Sources) {
		p.remark("nothing to do; --force imports it again")
	}
	return p.Receipt(r.Receipt)
}
