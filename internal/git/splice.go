package git

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"io"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/core/fault"
)

// edit is what one path is to hold in the index.
type edit struct {
	path string
	to   place    // zero: the path goes
	stat [40]byte // the stat data of the file: git compares it to see that nothing changed
}

// splice is an index with some entries replaced, added or removed. All others
// stay byte for byte, but for one thing that git does too: an entry whose file
// may have changed within the index's own second gets size 0, which makes git
// look at the file's content again ("racy git"), since the new index is younger.
// Added names and dropped names change what follows only in version 4, where
// the next name is written anew.
type splice struct {
	x      *index
	edits  []edit // sorted by path
	second uint32 // of the old index's mtime

	out      [][]byte // pieces of the new index, in order
	run      int      // start of the old bytes not yet in out
	last     []byte   // the last name written
	rename   bool     // the next name must be encoded against last
	added    int
	removed  int
	clashing clashes
}

// newIndex is the pieces of x with edits made, without the trailer. It refuses a
// path with a merge conflict and one that is both a file and a folder.
func newIndex(x *index, edits []edit, second uint32) ([][]byte, error) {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b edit) int { return strings.Compare(a.path, b.path) })
	s := &splice{x: x, edits: edits, second: second, run: indexHeader, clashing: newClashes(edits)}
	s.out = append(s.out, nil) // the header, when the count is known
	end, err := x.scan(s.visit)
	if err != nil {
		return nil, err
	}
	s.flush(end)
	for _, e := range s.edits {
		s.insert(e)
	}
	exts, err := x.extensions(end)
	if err != nil {
		return nil, err
	}
	if err := s.extensions(exts, edits); err != nil {
		return nil, err
	}
	header := bytes.Clone(x.data[:indexHeader])
	binary.BigEndian.PutUint32(header[8:], uint32(x.count+s.added-s.removed))
	s.out[0] = header
	return s.out, nil
}

// visit takes over one old entry, after what is to stand before it.
func (s *splice) visit(e entry) error {
	for len(s.edits) > 0 && s.edits[0].path < string(e.name) {
		if s.edits[0].to.mode != filemode.Empty {
			s.flush(e.start)
			s.insert(s.edits[0])
			s.rename = true
		}
		s.edits = s.edits[1:]
	}
	if len(s.edits) > 0 && s.edits[0].path == string(e.name) {
		return s.replace(e)
	}
	if path := s.clashing.with(e.name); path != "" {
		return fault.New(fault.Refused, "%q and %q cannot both be in the index", e.name, path)
	}
	s.smudge(e)
	if s.x.version == 4 {
		if s.rename {
			s.flush(e.start)
			fixed := s.x.data[e.start : e.start+entryFixed]
			if e.flags&flagExtended != 0 {
				fixed = s.x.data[e.start : e.start+entryFixed+2]
			}
			s.emit(fixed, e.name)
			s.run = e.end
		}
		s.last = append(s.last[:0], e.name...)
	}
	s.rename = false
	return nil
}

func (s *splice) replace(e entry) error {
	if e.stage() != 0 {
		return fault.New(fault.Refused, "%q has a merge conflict", e.name).WithHint("ckpt resolve")
	}
	s.flush(e.start)
	s.run = e.end
	to := s.edits[0]
	s.edits = s.edits[1:]
	if to.to.mode == filemode.Empty {
		s.removed++
		s.rename = true
		return nil
	}
	fixed := encodeFixed(to, e.flags&flagAssume, e.extended&^extIntentToAdd)
	if old := s.x.data[e.start+entryMode : e.start+entryMode+4]; old[2]>>4 == 0o10 && fixed[entryMode+2]>>4 == 0o10 {
		copy(fixed[entryMode:], old) // a file stays a file: its x bit is the user's
	}
	s.emit(fixed, e.name)
	s.last = append(s.last[:0], e.name...)
	s.rename = false
	return nil
}

func (s *splice) insert(e edit) {
	if e.to.mode == filemode.Empty {
		return
	}
	s.added++
	s.emit(encodeFixed(e, 0, 0), []byte(e.path))
	s.last = append(s.last[:0], e.path...)
}

// flush moves the old bytes up to at to the output.
func (s *splice) flush(at int) {
	if s.run < at {
		s.out = append(s.out, s.x.data[s.run:at])
	}
	s.run = at
}

// emit writes an entry: its fixed part and its name in the index's own form.
func (s *splice) emit(fixed, name []byte) {
	b := bytes.Clone(fixed)
	if s.x.version == 4 {
		common := 0
		for common < len(name) && common < len(s.last) && name[common] == s.last[common] {
			common++
		}
		b = appendVarint(b, len(s.last)-common)
		s.out = append(s.out, append(append(b, name[common:]...), 0))
		return
	}
	n := len(b)
	b = append(b, name...)
	b = append(b, make([]byte, (n+len(name)+8)&^7-n-len(name))...)
	s.out = append(s.out, b)
}

// smudge makes git look twice at a file that may have changed unseen.
func (s *splice) smudge(e entry) {
	raw := s.x.data[e.start:e.end]
	seconds := binary.BigEndian.Uint32(raw[8:])
	isModule := binary.BigEndian.Uint32(raw[entryMode:])>>12 == 0o16
	if s.second != 0 && seconds >= s.second && !isModule {
		clear(raw[entrySize : entrySize+4])
	}
}

func encodeFixed(e edit, flags, extended uint16) []byte {
	b := make([]byte, entryFixed, entryFixed+2)
	copy(b, e.stat[:])
	binary.BigEndian.PutUint32(b[entryMode:], e.to.indexMode())
	copy(b[entryHash:], e.to.hash[:])
	flags |= uint16(min(len(e.path), flagNameLen))
	if extended != 0 {
		b = binary.BigEndian.AppendUint16(b, extended)
		flags |= flagExtended
	}
	binary.BigEndian.PutUint16(b[entryFlags:], flags)
	return b
}

func (p place) indexMode() uint32 {
	switch p.mode {
	case filemode.Executable, filemode.Symlink, filemode.Submodule:
		return uint32(p.mode)
	}
	return uint32(filemode.Regular)
}

// extensions takes over what stays true. Lower-case ones must be understood by
// whoever writes the index; the others are caches that git makes anew.
func (s *splice) extensions(exts []extension, edits []edit) error {
	for _, x := range exts {
		switch {
		case x.tag == "TREE":
			x.data = invalidate(x.data, edits)
		case x.tag == "REUC":
		case x.tag == "UNTR" || x.tag == "FSMN":
			if s.added+s.removed > 0 { // they count entries, or name files
				continue
			}
		case x.tag == "link":
			return unsupportedIndex{"is split"}
		case x.tag == "sdir":
			return unsupportedIndex{"is sparse"}
		case x.tag[0] < 'A' || x.tag[0] > 'Z':
			return unsupportedIndex{"has the unknown extension " + x.tag}
		default: // EOIE and IEOT say where things were; the rest is unknown
			continue
		}
		if x.data != nil {
			head := binary.BigEndian.AppendUint32([]byte(x.tag), uint32(len(x.data)))
			s.out = append(s.out, head, x.data)
		}
	}
	return nil
}

// writeIndex writes the pieces and the trailer. The checksum of a large index
// takes as long as the writing: they go side by side.
func writeIndex(w io.Writer, pieces [][]byte, zero bool) error {
	trailer := make(chan []byte, 1)
	go func() {
		sum := sha1.New()
		for _, p := range pieces {
			if !zero {
				sum.Write(p)
			}
		}
		if zero {
			trailer <- make([]byte, indexTrailer)
		} else {
			trailer <- sum.Sum(nil)
		}
	}()
	for _, p := range pieces {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	_, err := w.Write(<-trailer)
	return err
}
