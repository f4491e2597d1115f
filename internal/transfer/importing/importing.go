// Package importing reads the files that people and other tools write instead of checkpoints (hand-offs, memory
// banks, lists of learnings, stores of other tools) and drafts a checkpoint for each of them.
//
// It promises that no word of a text file is lost: [Draft.Checkpoint] checks that the checkpoint has them all. A row of
// a store is stored as JSON. Text goes to a section of the format only if its heading clearly names one. All other
// text goes to the section Imported, in the order of the source.
package importing

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/text"
)

// Title is the heading of the section for text that belongs to no section of the format.
const Title = "Imported"

// Key is the frontmatter key that names the source of an imported checkpoint.
const Key = "imported"

// Source is a file, a folder of files that belong together, or a row of a store: a JSON object.
type Source struct {
	Name  string       // a slash path for messages
	Place result.Place // the place of a row in its store
	Files []File
}

// File is one file of a source.
type File struct {
	Name string // a slash path below the source's folder; "" if the source is a single file
	Text []byte
}

// The kinds of sources.
const (
	Notes      = "notes"       // Markdown with headings of its own
	Checkpoint = "checkpoint"  // a file with the frontmatter or the sections of a checkpoint
	Bank       = "memory bank" // a folder with the files of a memory bank
	Learnings  = "learnings"   // a list that is added to LEARNINGS.md
	Row        = "stored"      // a row of a store: a JSON object
)

// Draft is the content of a source, from which a checkpoint can be made.
type Draft struct {
	Form string    // the kind of the source
	From string    // the name of the source, on one line
	ID   string    // the id that the source states; may be empty
	Made time.Time // the time that the source states; may be zero
	Mark string    // the value for Key: the name of the source and the hash of its bytes

	Lines    int            // the number of lines of the source that are neither blank nor rules
	Shares   []result.Share // how many lines go to each section; only for notes and learnings
	Finished bool           // the checkpoint is to be archived, since it has a Completion or was in an archive

	text   []byte      // the Markdown for revise.Create
	source string      // the text whose words the checkpoint must have
	header []doc.Field // the frontmatter of a source of the kind Checkpoint
	place  result.Place
}

// Read drafts the checkpoint of a source. The error names the file and the line.
func Read(s Source, now time.Time) (*Draft, error) {
	d := &Draft{From: oneLine(s.Place.In(s.Name)), Mark: oneLine(s.Name) + " " + Hash(s), place: s.Place}
	if s.Place.Line == 0 {
		return d, d.readFiles(s, now)
	}
	if err := d.readRow(s.Files[0].Text); err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", d.From, err)
	}
	return d, nil
}

// readFiles drafts the checkpoint of a source of text files.
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
		files[i].from = oneLine(cmp.Or(f.Name, path.Base(s.Name)))
		d.source += text + "\n"
	}
	d.Made = dated(files, s.Name, now)
	d.Lines = countLines(d.source)
	f := &files[0]
	switch {
	case f.name != "":
		d.Form = Bank
	case f.isCheckpoint():
		return d.adopt(f)
	case ledgerFile.Get().MatchString(path.Base(s.Name)):
		d.Form = Learnings
		d.Shares = []result.Share{{Section: "Learnings", Lines: d.Lines}}
		return nil
	default:
		d.Form = Notes
		f.todo = todoFile.Get().MatchString(path.Base(s.Name))
	}
	for i := range files {
		if err := files[i].reshape(); err != nil {
			return fault.New(fault.Invalid, "%s: %w", d.From, err)
		}
	}
	d.text, d.Shares = notes(files)
	return nil
}

// Hash returns a hash of the names and texts of a source's files. [Draft.Mark] ends with the hash.
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

// Checkpoint makes the checkpoint with an id and a status. It returns an error if the result lacks a word of the
// source. If a frontmatter field of the source must change, the old value goes to the field imported_NAME.
func (d *Draft) Checkpoint(id string, status checkpoint.Status) (*checkpoint.Checkpoint, error) {
	fields := map[string]string{Key: d.Mark, "status": string(status)}
	for _, f := range d.header {
		_, isTime := checkpoint.ParseTime(f.Value)
		isStatus := f.Value == string(checkpoint.Current) || f.Value == string(checkpoint.Active)
		same := map[string]bool{"checkpoint": d.ID == id, "created": isTime, "status": isStatus}
		if stays, known := same[f.Key]; known && !stays {
			fields[Key+"_"+f.Key] = f.Value
		}
	}
	c, err := revise.Create(revise.Spec{ID: id, Fields: fields}, d.text, d.Made)
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
	// Later commands parse the file, so a file that cannot be parsed must not be written.
	c, err = checkpoint.Parse(c.Path, c.Doc.Bytes())
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", d.From, err)
	}
	if d.Form == Row { // the checkpoint has the row as JSON, so nothing can be lost
		return c, nil
	}
	if word := lost(d.source, c.Doc); word != "" {
		return nil, fault.New(fault.Failed, "%s: %q would be lost", d.From, word)
	}
	return c, nil
}

// Name returns an unused id for the checkpoint; taken reports whether an id is in use. It is the id that the source
// states, or else the name of the source, if necessary with the name of the folder. A number makes it unique.
func (d *Draft) Name(source string, taken func(id string) bool) string {
	stem := strings.TrimSuffix(path.Base(source), path.Ext(source))
	if n := d.place.Number(); n > 0 {
		stem += "-" + strconv.Itoa(n)
	}
	folder := strings.Trim(path.Base(path.Dir(path.Clean(source))), "./")
	names := []string{idOf(stem), idOf(folder + "-" + stem)}
	if d.ID != "" {
		names = []string{d.ID, idOf(d.ID)}
	}
	if i := slices.IndexFunc(names, func(id string) bool { return !taken(id) }); i >= 0 {
		return names[i]
	}
	numbered := func(n int) string { return idOf(cmp.Or(d.ID, stem)) + "-" + strconv.Itoa(n) }
	beyond := 2 // doubled until the id is free; a store may have many rows with one id
	for taken(numbered(beyond)) {
		beyond *= 2
	}
	return numbered(sort.Search(beyond, func(n int) bool { return n > 1 && !taken(numbered(n)) }))
}

// idOf returns an id made from a name: chk-handoff-auth for "HANDOFF auth".
func idOf(name string) string {
	if checkpoint.CheckID(name) == nil && strings.HasPrefix(name, "chk-") {
		return name
	}
	plain := strings.ReplaceAll(strings.ToLower(name), " - ", "-")
	if id, err := checkpoint.IDFor(plain); err == nil {
		return id
	}
	return "chk-imported"
}

// adopt drafts the checkpoint of a file that is in the format already. The draft has the file's bytes.
func (d *Draft) adopt(f *file) error {
	d.Form, d.header = Checkpoint, f.given.Front.Fields
	d.source = f.doc.Slice(f.doc.Body())
	d.text = f.given.Bytes()
	if id, ok := f.given.Front.Get("checkpoint"); ok && checkpoint.CheckNewID(id) == nil {
		d.ID = id
	}
	d.Finished = slices.ContainsFunc(f.given.Sections(), func(s doc.Section) bool {
		k, known := checkpoint.KindNamed(s.Title)
		return known && k == checkpoint.Completion
	})
	return nil
}

// ledgerFile matches the name of a file with learnings.
var ledgerFile = text.Regexp(`(?i)^(learnings|lessons)`)

// Ledger returns the new text of LEARNINGS.md: the present text in have, then the learnings of the draft, and then a
// comment with the mark of the draft.
func (d *Draft) Ledger(have []byte) ([]byte, error) {
	was, err := doc.Parse(have)
	if err != nil {
		return nil, fault.New(fault.Invalid, "LEARNINGS.md: %w", err).WithHint("ckpt validate")
	}
	before := doc.Closed(strings.TrimRight(string(have), " \t\r\n"))
	added := strings.Trim(d.source, "\n")
	if before == "" {
		added = doc.Closed(added)
	} else {
		added = "\n\n## Imported from " + d.From + "\n\n" + doc.Below(2, added)
	}
	added += "\n\n<!-- " + Key + ": " + d.Mark + " -->\n"
	made, err := doc.Parse([]byte(before + strings.ReplaceAll(added, "\n", was.EOL())))
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", d.From, err)
	}
	if word := lost(d.source, made); word != "" {
		return nil, fault.New(fault.Failed, "%s: %q would be lost", d.From, word)
	}
	return made.Bytes(), nil
}

var markPattern = text.Regexp(`<!-- ` + Key + `: [^<>\n]* (sha256:[0-9a-f]+) -->`)

// Marked returns the hashes of the sources that were imported to a LEARNINGS.md.
func Marked(ledger []byte) []string {
	var all []string
	for _, comment := range markPattern.Get().FindAllString(string(ledger), -1) {
		all = append(all, markPattern.Get().FindStringSubmatch(comment)[1])
	}
	return all
}
