package view

import (
	"regexp"
	"strconv"
)

// backgroundAnswer matches a terminal's answer to OSC 11: "rgb:" and three hexadecimal numbers
// of one to four digits (XParseColor).
var backgroundAnswer = regexp.MustCompile(`\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})`)

// rgb is a colour, each part from 0 to 1.
type rgb [3]float64

func parseBackground(answer []byte) (rgb, bool) {
	parts := backgroundAnswer.FindSubmatch(answer)
	if parts == nil {
		return rgb{}, false
	}
	var color rgb
	for i := range color {
		digits := string(parts[i+1])
		n, err := strconv.ParseUint(digits, 16, 16)
		if err != nil {
			return rgb{}, false
		}
		color[i] = float64(n) / float64(uint64(1)<<(4*len(digits))-1)
	}
	return color, true
}

// isLight reports whether a colour is light, by its perceived brightness (ITU-R BT.601).
func isLight(c rgb) bool { return 0.299*c[0]+0.587*c[1]+0.114*c[2] > 0.5 }
