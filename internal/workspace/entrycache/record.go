package entrycache

import (
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/result"
)

// record is an entry as the file has it.
type record struct {
	stamp  disk.Stamp
	blob   string // the hash of the content
	at     int64  // when a commit last changed the file, in Unix seconds
	fields string // of the entry, encoded
	used   bool   // the entry was returned
}

func newRecord(stamp disk.Stamp, blob string, at time.Time, e *result.Entry) *record {
	var fields []byte
	for _, text := range texts(e) {
		fields = appendText(fields, *text)
	}
	for _, at := range []time.Time{e.Created.Time, e.Told} {
		encoded, err := at.MarshalBinary()
		if err != nil {
			encoded = nil // [record.entry] refuses it
		}
		fields = appendText(fields, string(encoded))
	}
	return &record{
		stamp: stamp, blob: blob, at: at.Unix(), fields: string(binary.AppendUvarint(fields, uint64(e.Deltas))),
	}
}

// isPlain reports whether a record has all that the file of an entry states.
func isPlain(e *result.Entry) bool { return !e.MarkedCurrent && e.Mark == nil && len(e.Replaced) == 0 }

// texts returns the fields of an entry that are texts of the file.
func texts(e *result.Entry) []*string {
	return []*string{
		&e.ID, &e.Status, &e.Problem, &e.Next, &e.Outcome, &e.Parent, &e.Anchor,
		&e.Name, &e.Workflow, &e.Phase, &e.Step, &e.Agent, &e.Session, &e.Trigger, &e.Progress,
	}
}

// entry returns a new entry with the fields.
func (r *record) entry() (*result.Entry, bool) {
	e, d := new(result.Entry), decoder{text: r.fields}
	for _, text := range texts(e) {
		*text = d.string()
	}
	created := e.Created.UnmarshalBinary([]byte(d.string()))
	told := e.Told.UnmarshalBinary([]byte(d.string()))
	e.Deltas = int(d.number())
	return e, !d.failed && created == nil && told == nil
}

// encode returns records as the file has them: their number, and then each of them, sorted by path.
func encode(all map[string]*record) []byte {
	out := binary.AppendUvarint(nil, uint64(len(all)))
	for _, path := range slices.Sorted(maps.Keys(all)) {
		r := all[path]
		out = appendText(out, path)
		for _, n := range []int64{r.stamp.Size, r.stamp.Modified, r.stamp.Changed, r.at} {
			out = binary.AppendVarint(out, n)
		}
		out = binary.AppendUvarint(binary.AppendUvarint(out, r.stamp.Inode), r.stamp.Device)
		out = appendText(appendText(out, r.blob), r.fields)
	}
	return out
}

func appendText(out []byte, text string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}

// decode returns the records of a file. It returns none if one of them is damaged.
func decode(text string) map[string]*record {
	const smallest = 9 // bytes of a record
	d := decoder{text: text}
	n := min(d.number(), uint64(len(text)/smallest))
	all, records := make(map[string]*record, n), make([]record, n)
	for i := range records {
		r, path := &records[i], d.string()
		r.stamp.Size, r.stamp.Modified, r.stamp.Changed, r.at = d.signed(), d.signed(), d.signed(), d.signed()
		r.stamp.Inode, r.stamp.Device = d.number(), d.number()
		r.blob, r.fields = d.string(), d.string()
		all[path] = r
	}
	if d.failed || d.text != "" {
		return nil
	}
	return all
}

// decoder reads values from the start of a text. What it returns after a failure means nothing.
type decoder struct {
	text   string
	failed bool
}

func (d *decoder) number() uint64 {
	var n uint64
	for i := range min(len(d.text), binary.MaxVarintLen64) {
		n |= uint64(d.text[i]&0x7f) << (7 * i)
		if d.text[i] < 0x80 {
			d.text = d.text[i+1:]
			return n
		}
	}
	d.text, d.failed = "", true
	return 0
}

// signed reads a number as [binary.AppendVarint] writes it.
func (d *decoder) signed() int64 {
	n := d.number()
	return int64(n>>1) ^ -int64(n&1)
}

func (d *decoder) string() string {
	n := d.number()
	if n > uint64(len(d.text)) {
		d.text, d.failed = "", true
		return ""
	}
	read := d.text[:n]
	d.text = d.text[n:]
	return read
}
