package output

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/text"
	"example.com/ckpt/internal/validate"
)

// Report lists findings the way compilers do.
func (p Text) Report(r *result.Report) error {
	p.findings(r)
	p.printf("%s: %s, %s, %d advice\n", text.Count(r.Checked, "file"), text.Count(r.Count(result.Error), "error"), text.Count(r.Count(result.Warning), "warning"), r.Count(result.Advice))
	p.remark("This " + validate.Disclaimer + ".")
	return p.done()
}

// Scan lists the secrets that were found, by their places.
func (p Text) Scan(r *result.Report) error {
	p.findings(r)
	what, counted := "nothing found", cmp.Or(r.Counted, "file")
	if n := len(r.Findings); n > 0 {
		what = text.Count(n, "finding")
	}
	p.printf("%s: %s\n", text.Count(r.Checked, counted), what)
	for _, remark := range r.Remarks {
		p.remark(remark)
	}
	return p.done()
}

func (p Text) findings(r *result.Report) {
	style := p.pen()
	for i, f := range r.Findings {
		severity := ink(f.Severity.String())
		switch f.Severity {
		case result.Error:
			severity = style.Red(f.Severity.String())
		case result.Warning:
			severity = style.Yellow(f.Severity.String())
		}
		head := place(f) + ": " + f.Severity.String() + ":"
		p.printf("%s: %s:%s\n", place(f), severity, p.hang(" "+f.Message+" ["+f.Code+"]", utf8.RuneCountInString(head), 4))
		again := i+1 < len(r.Findings) && r.Findings[i+1].Fix == f.Fix // it is said once, below the last
		if f.Fix != "" && !again {
			p.printf("    %s\n", style.Dim(p.hang(f.Fix, 4, 4)))
		}
	}
}

func place(f result.Finding) string {
	if f.Line == 0 {
		return f.Path
	}
	return fmt.Sprintf("%s:%d", f.Path, f.Line)
}

// Annotations writes findings as GitHub's workflow commands.
func Annotations(s term.Streams, r *result.Report) error {
	escape := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, f := range r.Findings {
		command := [...]string{result.Error: "error", result.Warning: "warning", result.Advice: "notice"}[f.Severity]
		text := f.Message
		if f.Fix != "" {
			text += "\n" + f.Fix
		}
		fmt.Fprintf(s.Out, "::%s file=%s,line=%d,title=%s::%s\n", command, property.Replace(term.Plain(f.Path)), max(f.Line, 1), f.Code, escape.Replace(term.Plain(text)))
	}
	return nil
}
