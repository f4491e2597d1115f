package doc

// cursor is a place in a line. Tabs go to columns that are multiples of 4.
type cursor struct {
	line []byte
	next int // the offset of the next byte
	col  int // the column; it can be in the middle of the tab that is the next byte
}

// indent returns the width of the white space at the cursor, and the text after it.
func (c *cursor) indent() (width int, rest []byte) {
	col, i := c.col, c.next
	for ; i < len(c.line); i++ {
		switch c.line[i] {
		case ' ':
			col++
		case '\t':
			col += 4 - col%4
		default:
			return col - c.col, c.line[i:]
		}
	}
	return col - c.col, nil
}

// advance goes n columns to the right.
func (c *cursor) advance(n int) {
	for ; n > 0 && c.next < len(c.line); n-- {
		c.col++
		if c.line[c.next] != '\t' || c.col%4 == 0 {
			c.next++
		}
	}
}

// quote goes past an indented quote marker and the space that may follow it.
func (c *cursor) quote(indent int) {
	c.advance(indent + 1)
	if width, _ := c.indent(); width > 0 {
		c.advance(1)
	}
}
