package index

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/object"
)

// Edit is the new entry of one path in the index. The zero entry removes the path.
type Edit struct {
	Path string
	To   object.Entry
	Stat Stat // the stat data of the file; with zero, git reads the file when it needs to know
}

// Edited is an index after edits.
type Edited struct {
	pieces [][]byte // the parts of the file, without the trailer
	noSum  bool
}

// Edit returns the index with edits made. Second is the second in which the index was written. It
// refuses a path with a merge conflict, and a path that would be both a file and a folder.
func (x *File) Edit(edits []Edit, second uint32) (*Edited, error) {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b Edit) int { return strings.Compare(a.Path, b.Path) })
	s := &splice{x: x, edits: edits, second: second, copied: headerSize, added: newAddedPaths(edits)}
	s.out = append(s.out, nil) // room for the header, which needs the number of entries
	end, err := x.scan(s.visit)
	if err != nil {
		return nil, err
	}
	s.copyTo(end)
	for _, e := range s.edits {
		if err := s.insert(e); err != nil {
			return nil, err
		}
	}
	extensions, err := x.extensions(end)
	if err != nil {
		return nil, err
	}
	if err := s.writeExtensions(extensions, edits); err != nil {
		return nil, err
	}
	header := bytes.Clone(x.data[:headerSize])
	binary.BigEndian.PutUint32(header[8:], uint32(x.count+s.inserted-s.removed))
	s.out[0] = header
	return &Edited{pieces: s.out, noSum: x.noSum}, nil
}

// splice builds an edited index. Other entries stay byte for byte, with two exceptions. An entry
// whose file may have changed within the index's own second gets size 0, which makes git read the
// file's content again ("racy git"), since the new index is younger. And in version 4, in which a
// name continues the one before it, the name after an edited entry is encoded again.
type splice struct {
	x      *File
	edits  []Edit // the edits that are still to be made, sorted by path
	second uint32
	added  addedPaths

	out      [][]byte // pieces of the new index, in order
	copied   int      // the old bytes before this offset are in out, or dropped
	last     []byte   // the name that was written last
	rename   bool     // the next name must be encoded relative to last
	inserted int
	removed  int
}

// visit makes the edits that come before an old entry, and then keeps or replaces the entry.
func (s *splice) visit(e Entry) error {
	for len(s.edits) > 0 && s.edits[0].Path < string(e.Name) {
		if !s.edits[0].To.IsZero() {
			s.copyTo(e.start)
			if err := s.insert(s.edits[0]); err != nil {
				return err
			}
			s.rename = true
		}
		s.edits = s.edits[1:]
	}
	if len(s.edits) > 0 && s.edits[0].Path == string(e.Name) {
		return s.replace(e)
	}
	if path := s.added.conflict(e.Name); path != "" {
		return fault.New(fault.Refused, "%q and %q cannot both be in the index", e.Name, path)
	}
	s.invalidateRacy(e)
	if s.x.version == 4 {
		if s.rename {
			s.copyTo(e.start)
			fixed := s.x.data[e.start : e.start+fixedSize]
			if e.flags&flagExtended != 0 {
				fixed = s.x.data[e.start : e.start+fixedSize+2]
			}
			s.write(fixed, e.Name)
			s.copied = e.end
		}
		s.last = append(s.last[:0], e.Name...)
	}
	s.rename = false
	return nil
}

func (s *splice) replace(e Entry) error {
	if e.Stage() != 0 {
		return fault.New(fault.Refused, "%q has a merge conflict", e.Name).WithHint("ckpt resolve")
	}
	s.copyTo(e.start)
	s.copied = e.end
	edit := s.edits[0]
	s.edits = s.edits[1:]
	if edit.To.IsZero() {
		s.removed++
		s.rename = true
		return nil
	}
	fixed, err := encode(edit, e.flags&flagAssumeUnchanged, e.extended&^extendedIntentToAdd)
	if err != nil {
		return err
	}
	if old := s.x.data[e.start+modeAt : e.start+modeAt+4]; old[2]>>4 == 0o10 && fixed[modeAt+2]>>4 == 0o10 {
		copy(fixed[modeAt:], old) // if a file stays a file, its executable bit is the user's choice
	}
	s.write(fixed, e.Name)
	s.last = append(s.last[:0], e.Name...)
	s.rename = false
	return nil
}

func (s *splice) insert(e Edit) error {
	if e.To.IsZero() {
		return nil
	}
	fixed, err := encode(e, 0, 0)
	if err != nil {
		return err
	}
	s.inserted++
	s.write(fixed, []byte(e.Path))
	s.last = append(s.last[:0], e.Path...)
	return nil
}

// copyTo copies the old bytes up to an offset.
func (s *splice) copyTo(at int) {
	if s.copied < at {
		s.out = append(s.out, s.x.data[s.copied:at])
	}
	s.copied = at
}

// write writes an entry: its fixed part, and its name in the form of the index's version.
func (s *splice) write(fixed, name []byte) {
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

// invalidateRacy makes git read a file again if it may have changed without a visible change of its
// stat data.
func (s *splice) invalidateRacy(e Entry) {
	raw := s.x.data[e.start:e.end]
	modified := binary.BigEndian.Uint32(raw[8:])
	if s.second != 0 && modified >= s.second && s.x.Mode(e) != filemode.Submodule {
		clear(raw[sizeAt : sizeAt+4])
	}
}

// encode returns the fixed part of an entry.
func encode(e Edit, flags, extended uint16) ([]byte, error) {
	hash, err := hex.DecodeString(e.To.Hash)
	if err != nil || len(hash) != flagsAt-hashAt {
		return nil, fault.New(fault.Unsupported, "%q is not a SHA-1 object name", e.To.Hash)
	}
	mode := filemode.Regular
	switch e.To.Mode {
	case filemode.Executable, filemode.Symlink, filemode.Submodule:
		mode = e.To.Mode
	}
	b := make([]byte, fixedSize, fixedSize+2)
	copy(b, e.Stat[:])
	binary.BigEndian.PutUint32(b[modeAt:], uint32(mode))
	copy(b[hashAt:], hash)
	flags |= uint16(min(len(e.Path), flagNameLength))
	if extended != 0 {
		b = binary.BigEndian.AppendUint16(b, extended)
		flags |= flagExtended
	}
	binary.BigEndian.PutUint16(b[flagsAt:], flags)
	return b, nil
}

// writeExtensions keeps the extensions that are still valid. A program that writes an index must
// understand those with a lower-case name; the others are caches that git can build again.
func (s *splice) writeExtensions(extensions []extension, edits []Edit) error {
	for _, x := range extensions {
		switch {
		case x.tag == "TREE":
			x.data = invalidateTree(x.data, edits)
		case x.tag == "REUC":
		case x.tag == "UNTR" || x.tag == "FSMN":
			if s.inserted+s.removed > 0 { // these extensions have numbers of entries, or names of files
				continue
			}
		case x.tag == "link":
			return Unsupported{"is split"}
		case x.tag == "sdir":
			return Unsupported{"is sparse"}
		case x.tag[0] < 'A' || x.tag[0] > 'Z':
			return Unsupported{"has the unknown extension " + x.tag}
		default: // EOIE and IEOT contain offsets; other extensions are unknown
			continue
		}
		if x.data != nil {
			head := binary.BigEndian.AppendUint32([]byte(x.tag), uint32(len(x.data)))
			s.out = append(s.out, head, x.data)
		}
	}
	return nil
}

// WriteTo writes the index. For a large index the checksum takes as long as the writing, so both
// run concurrently.
func (e *Edited) WriteTo(w io.Writer) (n int64, err error) {
	trailer := make(chan []byte, 1)
	go func() {
		if e.noSum {
			trailer <- make([]byte, trailerSize)
			return
		}
		sum := sha1.New()
		for _, p := range e.pieces {
			sum.Write(p)
		}
		trailer <- sum.Sum(nil)
	}()
	write := func(p []byte) {
		if err == nil {
			var written int
			written, err = w.Write(p)
			n += int64(written)
		}
	}
	for _, p := range e.pieces {
		write(p)
	}
	write(<-trailer)
	return n, err
}

// invalidateTree marks the folders above the edited paths in a cache tree, the extension TREE with
// the name of each folder's tree. The other folders stay valid, which keeps `git diff --cached` and
// `git commit` fast. For a cache tree that cannot be parsed it returns nil, which drops the
// extension.
func invalidateTree(tree []byte, edits []Edit) []byte {
	changed := map[string]bool{"": true}
	for _, e := range edits {
		for dir := range folders(e.Path) {
			changed[dir] = true
		}
	}
	out, rest, ok := invalidateFolder(make([]byte, 0, len(tree)), tree, "", changed)
	if !ok || len(rest) > 0 {
		return nil
	}
	return out
}

// invalidateFolder copies the record of one folder and of those below it. A record is the name,
// NUL, the number of entries in the folder or -1, the number of subfolders, a line feed, and unless
// the number is -1 the tree's hash.
func invalidateFolder(out, in []byte, parent string, changed map[string]bool) (_, rest []byte, ok bool) {
	name, rest, ok1 := bytes.Cut(in, []byte{0})
	line, rest, ok2 := bytes.Cut(rest, []byte{'\n'})
	count, folders, ok3 := strings.Cut(string(line), " ")
	n, err := strconv.Atoi(folders)
	if whole := ok1 && ok2 && ok3; !whole || err != nil {
		return nil, nil, false
	}
	path := string(name)
	if parent != "" {
		path = parent + "/" + path
	}
	hash := flagsAt - hashAt
	if strings.HasPrefix(count, "-") {
		hash = 0
	}
	if len(rest) < hash {
		return nil, nil, false
	}
	out = append(append(out, name...), 0)
	if changed[path] && hash > 0 {
		out = append(out, "-1 "+folders+"\n"...)
	} else {
		out = append(append(out, line...), '\n')
		out = append(out, rest[:hash]...)
	}
	rest = rest[hash:]
	for range n {
		out, rest, ok = invalidateFolder(out, rest, path, changed)
		if !ok {
			return nil, nil, false
		}
	}
	return out, rest, true
}

// addedPaths finds index entries that conflict with an added path: an entry for a file where the
// path needs a folder, or the reverse.
type addedPaths struct {
	paths   map[string]bool
	folders map[string]string // by each folder above an added path, that path
	top     string            // the common beginning of all paths
}

func newAddedPaths(edits []Edit) addedPaths {
	a := addedPaths{paths: map[string]bool{}, folders: map[string]string{}}
	for _, e := range edits {
		if e.To.IsZero() {
			continue
		}
		first, _, _ := strings.Cut(e.Path, "/")
		if len(a.paths) == 0 {
			a.top = first
		} else if a.top != first {
			a.top = ""
		}
		a.paths[e.Path] = true
		for dir := range folders(e.Path) {
			a.folders[dir] = e.Path
		}
	}
	return a
}

// conflict returns the added path that conflicts with the entry name, or "".
func (a addedPaths) conflict(name []byte) string {
	if len(a.paths) == 0 || !bytes.HasPrefix(name, []byte(a.top)) {
		return ""
	}
	if path, ok := a.folders[string(name)]; ok {
		return path
	}
	for i, b := range name {
		if b == '/' && a.paths[string(name[:i])] {
			return string(name[:i])
		}
	}
	return ""
}

// folders yields the folders above a path, except the root.
func folders(path string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i, c := range path {
			if c == '/' && !yield(path[:i]) {
				return
			}
		}
	}
}
