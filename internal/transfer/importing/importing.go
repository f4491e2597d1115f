// Package importing reads the files that people and other tools write instead of checkpoints
// (hand-offs, memory banks, lists of learnings, stores of other tools) and plans the
// checkpoint that each of them makes.
//
// It promises that nothing is lost: every line of a source that is not blank is in the resulting
// checkpoint, and [Draft.Checkpoint] checks that before it returns anything. It does not guess:
// text goes to a section of the format only if its heading clearly names one. All other text goes
// to the section Imported, in the order of the source.
package importing

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path"
	"sort"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
)

// Title is the heading of the section for text that belongs to no section of the format.
const Title = "Imported"

// Key is the frontmatter key that names the source of an imported checkpoint.
const Key = "imported"

// Source is a file, a folder of files that belong together, or a row of a store.
type Source struct {
	Name  string       // a slash path for messages
	Place result.Place // for a row, its place in the store
	Files []File
	Made  time.Time // the time of creation if the text does not state one
}

// File is one file of a source.
type File struct {
	Name string // a slash path below the source's folder; "" if the source is a single file
	Text []byte
}

// Form is the kind of a source.
type Form string

// The kinds of sources.
const (
	Notes      Form = "notes"       // Markdown with headings of its own
	Checkpoint Form = "checkpoint"  // a file with the format's header, or with its sections
	Bank       Form = "memory bank" // a folder with the files of a memory bank
	Learnings  Form = "learnings"   // a list that is added to LEARNINGS.md
	Row        Form = "stored"      // a row of a store: a JSON object
	Task       Form = "task"        // a task of Backlog.md
)

// Draft is the plan of a checkpoint.
type Draft struct {
	Form  Form
	From  string    // the name of the source, on one line
	ID    string    // the id that the source states; may be empty
	Made  time.Time // the time that the source states, or else Source.Made
	Dated bool      // the source states a time
	Mark  string    // the value for Key, which is unique for every source

	Lines    int            // the number of lines of the source that are not blank
	Shares   []result.Share // of notes, how many of them each section got
	Finished bool           // the source has a Completion, so the checkpoint is archived

	text   []byte   // the Markdown for checkpoint.Draft
	source string   // the text whose words the checkpoint must have
	given  *doc.Doc // a file in the format
	place  result.Place
}

// Read plans the checkpoint of a source. The error names the file and the line.
func Read(s Source, now time.Time) (*Draft, error) {
	d := &Draft{From: oneLine(s.Place.In(s.Name)), Made: s.Made, Mark: Mark(s), place: s.Place}
	if s.Place.Line == 0 {
		return d, d.readFiles(s, now)
	}
	if err := d.readRow(s.Files[0].Text); err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", d.From, err)
	}
	return d, nil
}

// readFiles plans the checkpoint of text files.
func (d *Draft) readFiles(s Source, now time.Time) error {
	files := make([]file, len(s.Files))
	for i, f := range s.Files {
		text, err := plainText(f.Text)
		if err == nil {
			files[i], err = open(f.Name, text)
		}
		if err != nil {
			return fault.New(fault.Invalid, "%s: %w", path.Join(s.Name, f.Name), err)
		}
		d.source += text + "\n"
	}
	if made, ok := dated(files, s.Name, now); ok {
		d.setMade(made)
	}
	f := &files[0]
	var err error
	switch {
	case len(files) == 1 && f.name == "" && f.isCheckpoint():
		d.Form = Checkpoint
		d.adopt(f)
	case len(files) == 1 && f.name == "" && isLedger(s.Name):
		d.Form = Learnings
		d.text, d.Shares = s.Files[0].Text, []result.Share{{Section: "Learnings", Lines: countLines(d.source)}}
	case len(files) == 1 && f.name == "" && f.isTask():
		d.Form = Task
		err = d.readTask(f)
	default:
		d.Form = Bank
		if len(files) == 1 && f.name == "" {
			d.Form = Notes
			f.todo = todoFile.MatchString(path.Base(s.Name))
			f.stages = planFile.MatchString(path.Base(s.Name))
		}
		for i := range files {
			err = errors.Join(err, files[i].reshape())
		}
		if err == nil {
			d.text, d.Shares = notes(files, d.From)
		}
	}
	if err != nil {
		return fault.New(fault.Invalid, "%s: %w", d.From, err)
	}
	for _, share := range d.Shares {
		d.Lines += share.Lines
	}
	return nil
}

// setMade sets the time of creation, if it is known.
func (d *Draft) setMade(made time.Time) {
	if !made.IsZero() {
		d.Made, d.Dated = made, true
	}
}

// Mark returns the name of a source and the hash of its bytes.
func Mark(s Source) string { return oneLine(s.Name) + " " + Hash(s) }

// Hash returns the hash of a source's bytes, which ends its mark.
func Hash(s Source) string {
	h := sha256.New()
	for _, f := range s.Files {
		h.Write([]byte(f.Name + "\x00"))
		h.Write(f.Text)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)[:10])
}

// Text returns the Markdown from which the checkpoint is made.
func (d *Draft) Text() string { return string(d.text) }

// Checkpoint makes the checkpoint with an id. It returns an error if the result lacks a line of the
// source.
func (d *Draft) Checkpoint(id string, status checkpoint.Status) (*checkpoint.Checkpoint, error) {
	fields := map[string]string{Key: d.Mark, "status": string(status)}
	c, err := revise.Create(revise.Spec{ID: id, Fields: fields}, d.textFor(id, status), d.Made)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", d.From, err)
	}
	if d.Finished && status != checkpoint.Current {
		c, err = revise.Begin(c).Drop("status").Apply()
		if err != nil {
			return nil, err
		}
		c.Path = "archive/" + id + ".md"
	}
	// Later commands parse the file, so it must not be written if that fails.
	c, err = checkpoint.Parse(c.Path, c.Doc.Bytes())
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", d.From, err)
	}
	if d.Form == Row { // it is kept as it came, as JSON
		return c, nil
	}
	if lost := Lost(d.source, c.Doc); len(lost) > 0 {
		return nil, fault.New(fault.Failed, "%s: %q would be lost", d.From, lost[0])
	}
	return c, nil
}

// Name returns the id for the checkpoint: the one that the source states, or else one made from the
// source's name, from the names of its folder and itself, or with a number. Taken reports whether
// an id is in use.
func (d *Draft) Name(source string, taken func(id string) bool) string {
	if d.ID != "" && !taken(d.ID) {
		return d.ID
	}
	stem := strings.TrimSuffix(path.Base(source), path.Ext(source))
	if d.ID != "" {
		stem = d.ID
	} else if n := d.place.Number(); n > 0 {
		stem += "-" + strconv.Itoa(n)
	}
	names := []string{idOf(stem)}
	folder := strings.TrimLeft(path.Base(path.Dir(path.Clean(source))), ".")
	if d.ID == "" && folder != "" && folder != "/" {
		names = append(names, idOf(folder+"-"+stem))
	}
	for _, id := range names {
		if !taken(id) {
			return id
		}
	}
	numbered := func(n int) string { return names[0] + "-" + strconv.Itoa(n) }
	beyond := 2 // a free number; a store may have many rows with one id
	for taken(numbered(beyond)) {
		beyond *= 2
	}
	return numbered(sort.Search(beyond, func(n int) bool { return n > 1 && !taken(numbered(n)) }))
}

// idOf makes an id from a name: chk-handoff-auth from HANDOFF.auth.
func idOf(name string) string {
	if checkpoint.CheckID(name) == nil && strings.HasPrefix(name, "chk-") {
		return name
	}
	plain := strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' && r != '-'
	}), "-")
	plain = strings.Trim(plain, "-_")
	plain = strings.Trim(plain[:min(len(plain), 80)], "-_")
	if plain == "" {
		plain = "imported"
	}
	if id, err := checkpoint.IDFor(plain); err == nil {
		return id
	}
	return "chk-imported"
}

// adopt plans the checkpoint of a file in the format, whose bytes do not change.
func (d *Draft) adopt(f *file) {
	d.source = f.doc.Slice(f.doc.Body())
	d.given, d.text = f.given, f.given.Bytes()
	if id, ok := f.given.Front.Get("checkpoint"); ok && checkpoint.CheckNewID(id) == nil {
		d.ID = id
	}
	for _, s := range f.given.Sections() {
		k, known := checkpoint.KindNamed(s.Title)
		d.Finished = d.Finished || known && k == checkpoint.Completion
	}
	d.Lines = countLines(f.front) + f.count(f.doc.Body())
}

// textFor returns the Markdown for the checkpoint with an id. If the checkpoint's header replaces
// lines of the source's header, these are put under Imported.
func (d *Draft) textFor(id string, status checkpoint.Status) []byte {
	if d.Form != Checkpoint {
		return d.text
	}
	var was []string
	for _, f := range d.given.Front.Fields {
		_, isTime := checkpoint.ParseTime(f.Value)
		kept := checkpoint.Status(f.Value) == status || f.Value == string(checkpoint.Current) ||
			f.Value == string(checkpoint.Active)
		switch {
		case f.Key == "checkpoint" && d.ID != id, f.Key == "created" && !isTime, f.Key == "status" && !kept:
			was = append(was, strings.TrimRight(d.given.Slice(f.Span), "\r\n"))
		}
	}
	if len(was) == 0 {
		return d.text
	}
	header := "\n\n## " + Title + "\n\n" + fence(strings.Join(was, "\n")) + "\n"
	return []byte(strings.TrimRight(string(d.text), "\n") + header)
}
