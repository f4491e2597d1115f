package output

import (
	"cmp"
	"fmt"
	"strings"

	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// manySources is how many are told about one by one.
const manySources = 30

// Import says of each source what it became and where its lines went, then what the
// operation was. For a dry run it lists where the text of each heading would go.
func (p Text) Import(r *result.Import) error {
	same := 0
	for _, s := range r.Sources {
		if s.Same {
			same++
		}
	}
	if !p.Quiet {
		p.sources(r)
	}
	if same > 0 && same == len(r.Sources) {
		p.remark("nothing to do; --force imports it again")
	}
	return p.Receipt(r.Receipt)
}

// ImportPlan prints what an import would do with each source.
func (p Text) ImportPlan(r *result.Import) error {
	p.sources(r)
	return p.done()
}

// sources prints the sources of an import and where their lines went or would go.
func (p Text) sources(r *result.Import) {
	style := p.pen()
	for i, s := range r.Sources {
		if i == manySources {
			p.printf("and %d more (--json lists them)\n", len(r.Sources)-manySources)
			break
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
		p.printf("%s: %s → %s %s\n", style.Bold(name), s.Form, cmp.Or(s.ID, s.Path), style.Dim(text.Count(s.Lines, "line")))
		var shares []string
		for _, share := range s.Shares {
			shares = append(shares, fmt.Sprintf("%s %d", share.Section, share.Lines))
			if r.DryRun {
				p.printf("    %s\n", strings.TrimRight(fmt.Sprintf("%-18s %5d  %s", share.Section, share.Lines, origins(share.From)), " "))
			}
		}
		if !r.DryRun {
			p.printf("    %s\n", strings.Join(shares, ", "))
		} else if s.ID != "" {
			p.printf("    next action: %s\n", cmp.Or(shorten(s.Next, 80), "none found"))
		}
		for _, remark := range s.Remarks {
			p.printf("    %s\n", style.Dim(remark))
		}
	}
}

// manyOrigins is how many headings a line of a plan names.
const manyOrigins = 12

// origins lists the headings whose text goes to a section, with their numbers of lines.
func origins(from []result.Origin) string {
	var all []string
	for i, o := range from {
		if i == manyOrigins {
			all = append(all, fmt.Sprintf("and %d more", len(from)-manyOrigins))
			break
		}
		all = append(all, fmt.Sprintf("%s %d", cmp.Or(shorten(o.Heading, 40), "(no heading)"), o.Lines))
	}
	return strings.Join(all, ", ")
}
