package importing

import (
	"bytes"
	"strings"

	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/text"
)

// Ledger is LEARNINGS.md with the list of learnings that a draft is in it: the list
// itself where there is none yet, else below what is there, as a section of its own. A
// comment behind it marks what it came from.
func (d *Draft) Ledger(have []byte) ([]byte, error) {
	text, err := plainText(d.text)
	if err != nil {
		return nil, err
	}
	mark := "<!-- " + Key + ": " + d.Mark + " -->\n"
	out := have
	if len(bytes.TrimSpace(have)) == 0 {
		out = []byte(doc.Closed(strings.TrimRight(text, "\n")) + "\n\n" + mark)
	} else {
		was, err := doc.Parse(have)
		if err != nil {
			return nil, fault.New(fault.Invalid, "LEARNINGS.md: %w", err).WithHint("ckpt validate")
		}
		section := "## Imported from " + d.From + "\n\n" + doc.Below(2, strings.Trim(text, "\n")) + "\n\n" + mark
		end := doc.Closed(strings.TrimRight(string(have), " \t\r\n"))
		out = []byte(end + strings.ReplaceAll("\n\n"+section, "\n", was.EOL()))
	}
	made, err := doc.Parse(out)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", d.From, err)
	}
	if lost := Lost(d.source, made); len(lost) > 0 {
		return nil, fault.New(fault.Failed, "%s: %q would be lost", d.From, lost[0])
	}
	return out, nil
}

var markPattern = text.Regexp(`<!-- ` + Key + `: [^<>\n]* (sha256:[0-9a-f]+) -->`)

// Marked are the hashes of the lists that a LEARNINGS.md was imported from.
func Marked(ledger []byte) []string {
	var all []string
	for _, comment := range markPattern.FindAllString(string(ledger), -1) {
		all = append(all, markPattern.FindStringSubmatch(comment)[1])
	}
	return all
}
