// Package importing reads the files that people and other tools keep instead of
// checkpoints (hand-offs, memory banks, lists of learnings, checkpoints of other
// places) and says what checkpoint each of them makes.
//
// It promises that nothing is lost: every line of a source that is not blank is in
// what is made of it, and [Draft.Checkpoint] looks before it gives anything back. It
// refuses to guess: what is under no heading that clearly means a section of the
// format goes to a section of its own, Imported, in the order of the source.
package importing

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
	"time"

	"example.com/ckpt/internal/core/checkpoint"
	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/core/schema"
)

// Title is the heading of what belongs to no section of the format.
const Title = "Imported"

// Key is the frontmatter key that says what a checkpoint was imported from.
const Key = "imported"

// Source is what one checkpoint is to be made of.
type Source struct {
	Name  string    // a slash path, as a person would name it
	Files []File    // one, or those of a folder that belong together
	Made  time.Time // when it came to be, where it does not say so itself
}

// File is one file of a source.
type File struct {
	Name string // a slash path below the source's folder; "" for a source that is a file
	Text []byte
}

// Form is what kind of thing a source is.
type Form string

// The forms.
const (
	Notes      Form = "notes"       // Markdown with headings of its own
	Checkpoint Form = "checkpoint"  // has the format's header, or its sections
	Bank       Form = "memory bank" // a folder
	Learnings  Form = "learnings"   // goes to LEARNINGS.md
	Row        Form = "stored"      // out of a store: a JSON object
	Issue      Form = "issue"       // of beads
	Task       Form = "task"        // of Backlog.md
)

// Draft is a checkpoint to be.
type Draft struct {
	Form  Form
	From  string    // the source, on one line
	ID    string    // its own; "" where it has none
	Made  time.Time // by what it says itself, else by the source
	Dated bool      // it says itself
	Mark  string    // tells this source from every other: what Key holds

	Lines    int            // of the source that are not blank
	Shares   []result.Share // where they went
	Finished bool           // it has a Completion: it belongs in the archive
	Remarks  []string

	text   []byte   // Markdown that checkpoint.Draft makes a checkpoint of
	source []string // the lines that must be in it
	fields map[string]string
	row    *schema.Import // of a store
	place  result.Place
}

// Read finds out what a source is and plans its checkpoint. The error names the file
// and the line.
func Read(s Source, now time.Time) (*Draft, error) {
	files := make([]file, len(s.Files))
	for i, f := range s.Files {
		text, err := plainText(f.Text)
		if err == nil {
			files[i], err = open(f.Name, text)
		}
		if err != nil {
			return nil, fault.New(fault.Invalid, "%s: %w", path.Join(s.Name, f.Name), err)
		}
	}
	d := &Draft{Form: Notes, From: oneLine(s.Name), Made: s.Made, Mark: Mark(s), fields: map[string]string{}}
	f := files[0]
	switch {
	case len(files) > 1 || f.name != "":
		d.Form = Bank
	case f.isCheckpoint():
		d.Form = Checkpoint
	case isLedger(s.Name):
		d.Form, d.text = Learnings, s.Files[0].Text
	case f.isTask():
		d.Form = Task
	}
	v := newVocabulary()
	for i := range files {
		if d.Form == Bank || d.Form == Notes {
			if err := files[i].reshape(v); err != nil {
				return nil, fault.New(fault.Invalid, "%s: %w", path.Join(s.Name, f.name), err)
			}
		}
		d.source = append(d.source, files[i].lines()...)
	}
	switch d.Lines = len(d.source); d.Form {
	case Checkpoint:
		d.adopt(f)
	case Task:
		if err := d.task(f); err != nil {
			return nil, fault.New(fault.Invalid, "%s: %w", d.From, err)
		}
	case Learnings:
		d.Shares = []result.Share{{Section: "Learnings", Lines: d.Lines}}
	default:
		d.made(notes(files, d.From))
	}
	if made, ok := dated(files, s.Name, now); ok {
		d.Made, d.Dated = made, true
	}
	return d, nil
}

// Mark is what tells a source from every other: its name and a hash of its bytes.
func Mark(s Source) string { return oneLine(s.Name) + " " + Hash(s) }

// Hash is that of a source's bytes, as a mark ends with it.
func Hash(s Source) string {
	h := sha256.New()
	for _, f := range s.Files {
		h.Write([]byte(f.Name + "\x00"))
		h.Write(f.Text)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)[:10])
}

// Text returns the Markdown that the checkpoint is made of.
func (d *Draft) Text() string { return string(d.text) }

// made takes what became of notes.
func (d *Draft) made(text string, shares []result.Share) {
	d.text, d.Shares = []byte(text), shares
}

// Checkpoint is the checkpoint of that id. It is refused where a line of the source
// would not be in it.
func (d *Draft) Checkpoint(id string, status checkpoint.Status) (*checkpoint.Checkpoint, error) {
	fields := map[string]string{Key: d.Mark, "status": string(status)}
	for key, value := range d.fields {
		fields[key] = value
	}
	text, err := d.textFor(id, status)
	if err != nil {
		return nil, err
	}
	c, err := checkpoint.Draft(checkpoint.Spec{Fields: fields}, text, id, d.Made)
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", d.From, err)
	}
	if d.Finished && status != checkpoint.Current {
		done, err := c.Revise().Drop("status").Apply()
		if err != nil {
			return nil, err
		}
		if c, err = checkpoint.Parse("archive/"+id+".md", done.Doc.Bytes()); err != nil {
			return nil, err
		}
	}
	// What is made is read again, as every command will: nobody is to find out
	// later that it cannot be.
	if _, err := checkpoint.Parse(c.Path, c.Doc.Bytes()); err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", d.From, err)
	}
	if d.row != nil {
		return c, d.checkRow(c)
	}
	if lost := Lost(d.source, c.Doc); len(lost) > 0 {
		return nil, fault.New(fault.Failed, "%s: %q would be lost", d.From, lost[0])
	}
	return c, nil
}

// plainText is a file as lines that end in a line feed. What is no text is refused.
func plainText(src []byte) (string, error) {
	if bytes.HasPrefix(src, []byte("SQLite format 3\x00")) {
		return "", fault.New(fault.Invalid, "this is a database of SQLite").WithHint("sqlite3 -json FILE 'SELECT * FROM checkpoints' | ckpt import -")
	}
	if line, what := NotText(src); what != "" {
		return "", fault.New(fault.Invalid, "line %d: %s; Markdown in UTF-8 is expected", line, what)
	}
	text := strings.TrimPrefix(string(src), byteOrderMark)
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if strings.TrimSpace(text) == "" {
		return "", fault.New(fault.Invalid, "there is nothing in it")
	}
	return text, nil
}

// oneLine is a name as it can stand in a line.
func oneLine(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '<' || r == '>' {
			return '_'
		}
		return r
	}, name)
	return strings.Join(strings.Fields(name), " ")
}

// span is what a draft reads of a document.
func span(start, end int) doc.Span { return doc.Span{Start: start, End: end} }
