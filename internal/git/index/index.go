// Package index replaces some entries of git's index file. It keeps the other entries and, as far as they stay valid,
// the parts that make git's own commands fast: the cache tree, the untracked cache, the file system monitor.
//
// It exists because an operation changes few entries of an index that may be large. At 10,000 files `git update-index`
// takes six times as long. go-git decodes the whole index, drops the extensions that it does not know and takes no
// lock. A less common index (version 4, split, sparse, with a required extension that is unknown) is refused with
// [Unsupported]; the caller then runs git.
//
// The package takes no lock and opens no file: the caller has index.lock.
package index

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/object"
)

// An index has a header, a sorted list of entries, extensions, and a checksum; see gitformat-index.
const (
	headerSize = 12

	// The offsets of the parts of an entry. The flags follow the hash, and precede the name.
	modifiedAt = 8
	modeAt     = 24
	sizeAt     = 36
	hashAt     = 40
	flagsSize  = 2

	flagAssumeUnchanged = 0x8000
	flagExtended        = 0x4000
	flagStage           = 0x3000
	flagNameLength      = 0x0fff

	extendedIntentToAdd = 0x2000
)

// ErrDamaged means that the file is not a valid index.
var ErrDamaged = errors.New("the index is damaged")

// Unsupported is the error for an index that only git itself can rewrite.
type Unsupported struct{ why string }

func (e Unsupported) Error() string { return "the index " + e.why }

// Edit is the new entry of one path in the index. The zero entry removes the path.
type Edit struct {
	Path string
	To   object.Entry
	Stat Stat // the stat data of the file; if zero, git reads the file to see whether it changed
}

// entry is one entry of the index.
type entry struct {
	start, end      int // offsets in the file
	name            []byte
	flags, extended uint16
}

// conflict reports whether the entry is one side of a merge conflict.
func (e entry) conflict() bool { return e.flags&flagStage != 0 }

// Rewrite returns the index file data with edits made. Empty data is an empty index. Second is the Unix time at which
// the index was written, and sum is the hash function of the repository. Rewrite refuses a path with a merge conflict,
// and a path that would be both a file and a folder. It overwrites parts of data.
func Rewrite(data []byte, edits []Edit, second uint32, sum hash.Hash) ([]byte, error) {
	size := sum.Size()
	if len(data) == 0 {
		data = append([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00"), make([]byte, size)...)
	}
	if len(data) < headerSize+size || string(data[:4]) != "DIRC" {
		return nil, ErrDamaged
	}
	if version := binary.BigEndian.Uint32(data[4:]); version < 2 || version > 3 {
		return nil, Unsupported{fmt.Sprintf("has version %d", version)}
	}
	body, trailer := data[:len(data)-size], data[len(data)-size:]
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b Edit) int { return strings.Compare(a.Path, b.Path) })
	s := &splice{data: body, edits: edits, second: second, copied: headerSize, clashes: clashesOf(edits), hashSize: size}
	s.out = append(make([]byte, 0, len(data)+1024*len(edits)), body[:headerSize]...)
	end, err := s.entries()
	if err != nil {
		return nil, err
	}
	if err := s.extensions(end, edits); err != nil {
		return nil, err
	}
	binary.BigEndian.PutUint32(s.out[8:], binary.BigEndian.Uint32(data[8:])+uint32(s.inserted-s.removed))
	if len(data) > headerSize+size && bytes.Equal(trailer, make([]byte, size)) {
		return append(s.out, trailer...), nil // index.skipHash is set: the checksum stays zero
	}
	sum.Write(s.out)
	return sum.Sum(s.out), nil
}

// splice is an index while its edits are made. Other entries stay byte for byte, with one exception. If a file may have
// changed in the second in which the old index was written, its entry gets size 0, so that git reads the file again.
// Without that, git would trust the entry, because the new index is newer than the file ("racy git").
type splice struct {
	data     []byte // the old index without its trailer
	edits    []Edit // the edits that are still to be made, sorted by path
	second   uint32
	clashes  clashes
	hashSize int // in bytes
	out      []byte
	copied   int // the old bytes before this offset are in out, or dropped
	inserted int
	removed  int
}

// entries makes the edits, and returns the offset at which the old entries end.
func (s *splice) entries() (end int, err error) {
	end = headerSize
	var last []byte
	for range binary.BigEndian.Uint32(s.data[8:]) {
		e, err := entryAt(s.data, end, s.hashSize)
		if err != nil {
			return 0, err
		}
		if order := bytes.Compare(last, e.name); order > 0 || order == 0 && !e.conflict() {
			return 0, ErrDamaged
		}
		for len(s.edits) > 0 && s.edits[0].Path < string(e.name) {
			s.copyTo(e.start)
			if err := s.insert(); err != nil {
				return 0, err
			}
		}
		if len(s.edits) > 0 && s.edits[0].Path == string(e.name) {
			err = s.replace(e)
		} else {
			err = s.keep(e)
		}
		if err != nil {
			return 0, err
		}
		last, end = e.name, e.end
	}
	s.copyTo(end)
	for len(s.edits) > 0 {
		if err := s.insert(); err != nil {
			return 0, err
		}
	}
	return end, nil
}

// entryAt parses the entry at an offset.
func entryAt(data []byte, start, hashSize int) (entry, error) {
	e := entry{start: start}
	at := start + hashAt + hashSize + flagsSize
	if at > len(data) {
		return e, ErrDamaged
	}
	e.flags = binary.BigEndian.Uint16(data[at-flagsSize:])
	if e.flags&flagExtended != 0 {
		if at+2 > len(data) {
			return e, ErrDamaged
		}
		e.extended = binary.BigEndian.Uint16(data[at:])
		at += 2
	}
	n := int(e.flags & flagNameLength)
	if n == 0 { // in a split index, an entry without a name replaces one of the shared index
		return e, Unsupported{"is split"}
	}
	if n == flagNameLength { // the length is too large for the field: the name ends at the NUL
		n = bytes.IndexByte(data[at:], 0)
		if n < flagNameLength {
			return e, ErrDamaged
		}
	}
	e.end = start + (at-start+n+8)&^7 // the padding is one to eight NULs
	if e.end > len(data) || data[at+n] != 0 {
		return e, ErrDamaged
	}
	e.name = data[at : at+n]
	return e, nil
}

// copyTo appends to out the old bytes up to an offset.
func (s *splice) copyTo(at int) {
	s.out = append(s.out, s.data[s.copied:at]...)
	s.copied = at
}

// keep checks that an entry without an edit does not clash with the edits, and sets its size to 0 if its file may have
// changed; see [splice].
func (s *splice) keep(e entry) error {
	if path := s.clashes.with(e.name); path != "" {
		return fault.New(fault.Refused, "%q and %q cannot both be in the index", e.name, path)
	}
	raw := s.data[e.start:e.end]
	isModule := filemode.FileMode(binary.BigEndian.Uint32(raw[modeAt:])) == filemode.Submodule
	if s.second != 0 && binary.BigEndian.Uint32(raw[modifiedAt:]) >= s.second && !isModule {
		clear(raw[sizeAt : sizeAt+4])
	}
	return nil
}

// replace makes the next edit, which replaces or removes the entry e.
func (s *splice) replace(e entry) error {
	if e.conflict() {
		return fault.New(fault.Refused, "%q has a merge conflict", e.name).WithHint("ckpt resolve")
	}
	s.copyTo(e.start)
	s.copied = e.end
	edit := s.edits[0]
	s.edits = s.edits[1:]
	if edit.To.IsZero() {
		s.removed++
		return nil
	}
	begin := len(s.out)
	if err := s.write(edit, e.flags&flagAssumeUnchanged, e.extended&^extendedIntentToAdd); err != nil {
		return err
	}
	was, now := s.data[e.start+modeAt:e.start+modeAt+4], s.out[begin+modeAt:begin+modeAt+4]
	if was[2]>>4 == 0o10 && now[2]>>4 == 0o10 {
		copy(now, was) // if a file stays a file, keep the executable bit that the user chose
	}
	return nil
}

// insert makes the next edit, for a path that has no entry.
func (s *splice) insert() error {
	edit := s.edits[0]
	s.edits = s.edits[1:]
	if edit.To.IsZero() {
		return nil
	}
	s.inserted++
	return s.write(edit, 0, 0)
}

// write appends the new entry of an edit to out.
func (s *splice) write(e Edit, flags, extended uint16) error {
	hash, err := hex.DecodeString(e.To.Hash)
	if err != nil || len(hash) != s.hashSize {
		return fault.New(fault.Failed, "%q is not the name of an object", e.To.Hash)
	}
	mode := filemode.Regular
	switch e.To.Mode {
	case filemode.Executable, filemode.Symlink, filemode.Submodule:
		mode = e.To.Mode
	}
	b := make([]byte, hashAt, hashAt+len(hash)+2*flagsSize+len(e.Path)+8)
	copy(b, e.Stat[:])
	binary.BigEndian.PutUint32(b[modeAt:], uint32(mode))
	flags |= uint16(min(len(e.Path), flagNameLength))
	if extended != 0 {
		flags |= flagExtended
	}
	b = binary.BigEndian.AppendUint16(append(b, hash...), flags)
	if extended != 0 {
		b = binary.BigEndian.AppendUint16(b, extended)
	}
	b = append(b, e.Path...)
	s.out = append(append(s.out, b...), make([]byte, 8-len(b)%8)...)
	return nil
}

// extensions copies the extensions, which begin at an offset, as far as they are still valid. A program that writes an
// index must understand extensions with a lower-case name. The others are caches that git can build again.
func (s *splice) extensions(at int, edits []Edit) error {
	for at < len(s.data) {
		if at+8 > len(s.data) {
			return ErrDamaged
		}
		tag, size := string(s.data[at:at+4]), int(binary.BigEndian.Uint32(s.data[at+4:]))
		at += 8
		if size > len(s.data)-at {
			return ErrDamaged
		}
		data := s.data[at : at+size]
		at += size
		switch tag {
		case "TREE":
			data = s.invalidateTree(data, edits)
		case "REUC":
		case "UNTR", "FSMN":
			if s.inserted+s.removed > 0 { // FSMN refers to entries by number, UNTR lists untracked files
				data = nil
			}
		default: // EOIE and IEOT have old offsets, others are unknown: drop all that are optional
			if tag[0] < 'A' || tag[0] > 'Z' {
				return Unsupported{"has the extension " + tag}
			}
			data = nil
		}
		if data != nil {
			s.out = binary.BigEndian.AppendUint32(append(s.out, tag...), uint32(len(data)))
			s.out = append(s.out, data...)
		}
	}
	return nil
}

// invalidateTree returns a cache tree (the extension TREE, with the hash of each folder's tree) in which the folders
// above the edited paths are marked as invalid. The other folders stay valid, which keeps `git diff --cached` and `git
// commit` fast. If the cache tree cannot be parsed, the result is nil, which drops the extension.
func (s *splice) invalidateTree(tree []byte, edits []Edit) []byte {
	changed := map[string]bool{"": true}
	for _, e := range edits {
		for dir := range folders(e.Path) {
			changed[dir] = true
		}
	}
	out, rest, ok := s.invalidateFolder(make([]byte, 0, len(tree)), tree, "", changed)
	if !ok || len(rest) > 0 {
		return nil
	}
	return out
}

// invalidateFolder copies the record of one folder, and those of the folders below it, from in to out. Records of
// changed folders become invalid. A record is the folder's name, NUL, the number of entries (-1 if the record is
// invalid), a space, the number of subfolders, a line feed, and in a valid record the hash of the tree.
func (s *splice) invalidateFolder(out, in []byte, parent string, changed map[string]bool) (_, rest []byte, ok bool) {
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
	hash := s.hashSize
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
		out, rest, ok = s.invalidateFolder(out, rest, path, changed)
		if !ok {
			return nil, nil, false
		}
	}
	return out, rest, true
}

// clashes finds index entries that conflict with an added path: an entry for a file where the
// path needs a folder, or the reverse.
type clashes struct {
	top     string            // the first part of all added paths; "" if they differ in it
	paths   map[string]bool   // the added paths
	folders map[string]string // for each folder above an added path, that path
}

func clashesOf(edits []Edit) clashes {
	c := clashes{paths: map[string]bool{}, folders: map[string]string{}}
	for _, e := range edits {
		if e.To.IsZero() {
			continue
		}
		if first, _, _ := strings.Cut(e.Path, "/"); len(c.paths) == 0 {
			c.top = first
		} else if c.top != first {
			c.top = ""
		}
		c.paths[e.Path] = true
		for dir := range folders(e.Path) {
			c.folders[dir] = e.Path
		}
	}
	return c
}

// with returns the added path that conflicts with the entry called name, or "".
func (c clashes) with(name []byte) string {
	if len(c.paths) == 0 || !bytes.HasPrefix(name, []byte(c.top)) {
		return ""
	}
	if path, ok := c.folders[string(name)]; ok {
		return path
	}
	for i, b := range name {
		if b == '/' && c.paths[string(name[:i])] {
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
