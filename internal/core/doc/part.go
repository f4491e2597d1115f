package doc

import "sort"

// Sections are the headings of the file with what follows each, in order.
func (d *Doc) Sections() []Section {
	d.onceSections.Do(func() {
		sections, ok := outline(d.src, d.Front.Span.End, d.sections)
		if !ok {
			sections = d.readWhole(d.sections)
		}
		d.sections = sections
	})
	return d.sections
}

// Blocks are the top-level blocks that lie wholly in s, in order.
func (d *Doc) Blocks(s Span) []Block {
	all := d.blocksAround(s)
	i := sort.Search(len(all), func(i int) bool { return all[i].Span.Start >= s.Start })
	j := i
	for j < len(all) && all[j].Span.End <= s.End {
		j++
	}
	return all[i:j:j]
}

// blocksAround are the blocks of the part that holds s, or of the whole body where it
// takes more than one. A heading ends every block above it, so a part says the same
// when it is read alone: see FuzzOutline.
func (d *Doc) blocksAround(s Span) []Block {
	all := d.Sections()
	i := sort.Search(len(all), func(i int) bool { return all[i].Heading.End > s.Start }) // the part before heading i
	d.reading.Lock()
	defer d.reading.Unlock()
	switch {
	case d.whole != nil:
	case i == len(all) || s.End <= all[i].Heading.Start:
		return d.part(i)
	default:
		d.readWhole(nil)
	}
	return d.whole
}

// readWhole reads all blocks, and the sections in the memory that it is given.
func (d *Doc) readWhole(sections []Section) []Section {
	before := len(d.found.blocks)
	b := parseBody(d.src, d.Front.Span.End, body{sections[:0], d.found.blocks, d.found.items})
	d.found = body{nil, b.blocks, b.items}
	d.whole = b.blocks[before:len(b.blocks):len(b.blocks)]
	if d.whole == nil {
		d.whole = []Block{}
	}
	return b.sections
}

// part is the blocks before the ith heading and below the one before it.
func (d *Doc) part(i int) []Block {
	for len(d.parts) <= len(d.sections) {
		d.parts = append(d.parts, nil)
	}
	if d.parts[i] == nil {
		s := Span{d.Front.Span.End, len(d.src)}
		if i > 0 {
			s = d.sections[i-1].Body
		} else if len(d.sections) > 0 {
			s.End = d.sections[0].Heading.Start
		}
		before := len(d.found.blocks)
		d.found = parseBody(d.src[:s.End], s.Start, d.found)
		d.parts[i] = d.found.blocks[before:len(d.found.blocks):len(d.found.blocks)]
	}
	return d.parts[i]
}
