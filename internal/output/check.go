package output

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/validate"
)

// Report prints a line for each finding, as compilers do, and the number of findings.
func Report(p *Printer, r *result.Report) {
	printFindings(p, r)
	p.printf("%s: %s, %s, %d advice\n", text.Count(r.Checked, "file"), text.Count(r.Count(result.Error), "error"),
		text.Count(r.Count(result.Warning), "warning"), r.Count(result.Advice))
	p.remark("This " + validate.Disclaimer + ".")
}

// Scan prints where secrets were found.
func Scan(p *Printer, r *result.Report) {
	printFindings(p, r)
	what, counted := "nothing found", cmp.Or(r.Counted, "file")
	if n := len(r.Findings); n > 0 {
		what = text.Count(n, "finding")
	}
	p.printf("%s: %s\n", text.Count(r.Checked, counted), what)
	p.remark(r.Remarks...)
}

func printFindings(p *Printer, r *result.Report) {
	for i, f := range r.Findings {
		severity := styled(f.Severity.String())
		switch f.Severity {
		case result.Error:
			severity = p.Red(f.Severity.String())
		case result.Warning:
			severity = p.Yellow(f.Severity.String())
		}
		p.printf("%s: %s: %s\n", place(f), severity, f.Message+" ["+f.Code+"]")
		// If several findings in a row have the same fix, it is printed once, below the last finding.
		again := i+1 < len(r.Findings) && r.Findings[i+1].Fix == f.Fix
		if f.Fix != "" && !again {
			p.printf("    %s\n", p.Dim(f.Fix))
		}
	}
}

func place(f result.Finding) string {
	if f.Line == 0 {
		return f.Path
	}
	return fmt.Sprintf("%s:%d", f.Path, f.Line)
}

// Annotations prints findings as workflow commands of GitHub.
func Annotations(s term.Streams, r *result.Report) error {
	escape := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	var lines strings.Builder
	for _, f := range r.Findings {
		command := [...]string{result.Error: "error", result.Warning: "warning", result.Advice: "notice"}[f.Severity]
		text := f.Message
		if f.Fix != "" {
			text += "\n" + f.Fix
		}
		fmt.Fprintf(&lines, "::%s file=%s,line=%d,title=%s::%s\n", command, property.Replace(term.Plain(f.Path)),
			max(f.Line, 1), f.Code, escape.Replace(term.Plain(text)))
	}
	_, err := io.WriteString(s.Out, lines.String())
	return err
}

// verdicts has the verdicts in the order in which they are listed: broken references come first.
var verdicts = []drift.Verdict{drift.Deleted, drift.Moved, drift.Never, drift.Unknown, drift.Ignored,
	drift.Changed, drift.OK}

// Drift prints a line for each reference: its name, its state and the parts of the
// checkpoint that name it. Then it prints how many references have each verdict.
func Drift(p *Printer, r *drift.Report) {
	var counts []string
	var rows [][]styled
	for _, v := range verdicts {
		if n := r.Counts[v]; n > 0 {
			counts = append(counts, strconv.Itoa(n)+" "+string(v))
		}
		for i := range r.Findings {
			f := &r.Findings[i]
			if f.Verdict != v {
				continue
			}
			said := p.Plain(f.InWords())
			switch {
			case f.Stale():
				said = p.Red(f.InWords())
			case v == drift.OK:
				said = p.Green(f.InWords())
			}
			var places []string
			for _, place := range f.Places {
				places = append(places, place.String())
			}
			rows = append(rows, []styled{p.Plain(f.Name()), said, p.Dim(strings.Join(places, ", "))})
		}
	}
	p.table(false, rows...)
	if len(r.Findings) == 0 {
		p.remark(r.ID + " names no file in breadcrumbs, artifacts and next actions")
	} else {
		p.remark(r.ID + ": " + strings.Join(counts, ", "))
	}
	p.remark(r.Remarks...)
}
