package project

import (
	"time"

	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/importing"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/disk"
)

// row is where a row of a store stands. A store may be larger than memory, so its rows
// are read when they are looked at, and again when they become checkpoints.
type row struct {
	file string
	held *disk.File // in place of a file
	at   int64
	size int
	made time.Time // of its store, where it does not say itself
}

// text reads it.
func (r *row) text() ([]byte, error) {
	text := make([]byte, r.size)
	if r.held != nil {
		n, _ := r.held.ReadAt(text, r.at) // what is missing shows in the hash
		return text[:n], nil
	}
	f, err := disk.Open(r.file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	n, _ := f.ReadAt(text, r.at) // likewise
	return text[:n], nil
}

// rows are the rows of a store.
func (p *Project) rows(f *disk.File, place row, shown string, progress progressFunc) []source {
	if place.made = f.Changed; place.made.After(p.Now()) {
		place.made = p.Now()
	}
	var all []source
	err := importing.Each(f.Reader(), func(in result.Place, at int64, text []byte) {
		progress("Reading "+shown, int(at>>20), int(f.Size>>20))
		s := importing.Source{Name: shown, Files: []importing.File{{Text: text}}, Made: place.made}
		one := source{name: shown, place: in, hash: importing.Hash(s), size: int64(len(text)), row: &row{place.file, place.held, at, len(text), place.made}}
		_, one.bad = importing.ReadRow(s, in)
		all = append(all, one)
	})
	if err != nil { // a file that is cut off is one that somebody wants to know of
		return []source{{name: shown, bad: fault.New(fault.Invalid, "%s: %w", shown, err)}}
	}
	return all
}
