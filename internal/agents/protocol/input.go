package protocol

import "bytes"

const (
	maxInput  = 1 << 20   // bytes of a payload that are kept
	maxString = 256 << 10 // bytes of the beginning of a string in it
	maxTail   = 4 << 10   // bytes of the end of a longer one
)

// Input collects the standard input of a hook, one JSON object, from parts. It finds the
// end of the object, since an agent may leave the input open after it, and leaves out the
// middle of long strings, such as 5 MB of a command's output. The zero value is ready.
type Input struct {
	kept  []byte
	depth int
	begun bool

	quoted bool   // in a string
	slash  bool   // an odd number of backslashes came last in it
	size   int    // bytes of it that are in kept
	tail   []byte // its end, where it is longer; it begins with a whole character
}

// Bytes returns what arrived so far.
func (in *Input) Bytes() []byte { return in.kept }

// Add takes the next part, and reports whether the object ends in it.
func (in *Input) Add(part []byte) (whole bool) {
	from := 0 // of what is not yet kept
	for i := 0; i < len(part); i++ {
		if in.quoted {
			end, ends := in.endString(part[i:])
			in.keepString(part[i : i+end])
			if i += end; !ends {
				return false
			}
			in.keep(in.tail[max(0, len(in.tail)-maxTail):])
			in.tail, in.size, in.quoted, from = in.tail[:0], 0, false, i
			continue
		}
		switch part[i] {
		case '"':
			in.keep(part[from : i+1])
			in.quoted = true
		case '{', '[':
			in.depth++
			in.begun = true
		case '}', ']':
			in.depth--
		}
		if in.begun && in.depth <= 0 {
			in.keep(part[from : i+1])
			return true
		}
	}
	if !in.quoted {
		in.keep(part[from:])
	}
	return false
}

// endString returns the index of the quote that ends the string which continues at the
// beginning of part, or the length of part if there is none.
func (in *Input) endString(part []byte) (end int, ends bool) {
	from := 0 // after the last escaped quote
	for {
		n := bytes.IndexByte(part[from:], '"')
		end = from + n
		if n < 0 {
			end = len(part)
		}
		slashes := end
		for slashes > from && part[slashes-1] == '\\' {
			slashes--
		}
		slash := (end-slashes)%2 == 1
		if slashes == 0 && in.slash { // the part before ended with one
			slash = !slash
		}
		if in.slash = slash && n < 0; n < 0 || !slash {
			return end, n >= 0
		}
		from = end + 1
	}
}

// keepString keeps the beginning of a string in kept, and its end in tail.
func (in *Input) keepString(part []byte) {
	if n := min(len(part), maxString-in.size); n > 0 {
		in.keep(part[:n])
		in.size, part = in.size+n, part[n:]
	}
	if len(part) == 0 {
		return
	}
	if len(in.tail) == 0 && len(in.kept) < maxInput {
		whole := len(in.kept) - in.size + wholeEscapes(in.kept[len(in.kept)-in.size:])
		in.tail = append(in.tail, in.kept[whole:]...)
		in.kept = in.kept[:whole]
	}
	in.tail = append(in.tail, part...)
	if from := len(in.tail) - maxTail; from > maxTail {
		if escaped(in.tail, from) {
			from++
		}
		in.tail = append(in.tail[:0], in.tail[from:]...)
	}
}

// keep keeps a part of the input as it is.
func (in *Input) keep(part []byte) {
	in.kept = append(in.kept, part[:min(len(part), max(0, maxInput-len(in.kept)))]...)
}
