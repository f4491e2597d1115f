package brief

import "example.com/ckpt/internal/token"

// Lengths is one text in several lengths, the shortest first. Each has all that the one
// before it has, and more. A brief shows the longest that it has room for.
type Lengths []string

// Full returns the longest text; "" if there is none.
func (l Lengths) Full() string {
	if len(l) == 0 {
		return ""
	}
	return l[len(l)-1]
}

// paragraphs returns the texts as paragraphs of a sheet, without those that are not
// smaller than the next one in both bytes and tokens, since a sheet only ever grows.
func (l Lengths) paragraphs() Lengths {
	var all Lengths
	var sizes []size
	for _, text := range l {
		if text == "" {
			continue
		}
		text = "\n" + text + "\n"
		own := sizeOf(text)
		for len(all) > 0 && !sizes[len(all)-1].smaller(own) {
			all, sizes = all[:len(all)-1], sizes[:len(all)-1]
		}
		all, sizes = append(all, text), append(sizes, own)
	}
	return all
}

// first returns the nth text; "" for 0.
func (l Lengths) first(n int) string { return l[:n].Full() }

func (s size) smaller(t size) bool { return s.cost < t.cost && s.bytes < t.bytes }

func (s size) minus(t size) size { return size{s.cost - t.cost, s.bytes - t.bytes} }

// share is the percentage of a limit that the learnings, and each text of several lengths,
// may take.
const share = 15

// wants returns the smallest limit of which a size is at most the share.
func (s size) wants() size {
	times := func(n int) int { return (n*100 + share - 1) / share }
	return size{token.Cost(times(int(s.cost))), times(s.bytes)}
}

// within reports whether a size is at most another, in both measures.
func (s size) within(t size) bool { return s.cost <= t.cost && s.bytes <= t.bytes }

// orMore returns the larger of two sizes in each measure.
func (s size) orMore(t size) size { return size{max(s.cost, t.cost), max(s.bytes, t.bytes)} }
