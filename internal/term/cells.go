package term

import "unicode"

// wide is the set of characters that take two columns of a screen: East Asian scripts and
// pictures, by whole blocks (Unicode Standard Annex 11).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115F, Stride: 1}, {Lo: 0x2E80, Hi: 0x303E, Stride: 1}, {Lo: 0x3041, Hi: 0xA4CF, Stride: 1},
		{Lo: 0xA960, Hi: 0xA97F, Stride: 1}, {Lo: 0xAC00, Hi: 0xD7A3, Stride: 1}, {Lo: 0xF900, Hi: 0xFAFF, Stride: 1},
		{Lo: 0xFE30, Hi: 0xFE6F, Stride: 1}, {Lo: 0xFF00, Hi: 0xFF60, Stride: 1}, {Lo: 0xFFE0, Hi: 0xFFE6, Stride: 1},
	},
	R32: []unicode.Range32{{Lo: 0x1F300, Hi: 0x1F64F, Stride: 1}, {Lo: 0x1F680, Hi: 0x1F6FF, Stride: 1},
		{Lo: 0x1F900, Hi: 0x1F9FF, Stride: 1}, {Lo: 0x20000, Hi: 0x3FFFD, Stride: 1}},
}

// cells returns the largest number of columns that a character takes.
func cells(r rune) int {
	if unicode.Is(wide, r) {
		return 2
	}
	return 1
}

// fit shortens a line to a number of columns. The last column marks that it was shortened.
func fit(line string, most int) string {
	taken, end := 0, 0 // end is where the line is cut if it is too long
	for i, r := range line {
		if taken < most {
			end = i
		}
		taken += cells(r)
		if taken > most {
			return line[:end] + "…"
		}
	}
	return line
}
