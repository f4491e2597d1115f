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
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/transfer/schema"
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

// Name is the id that a checkpoint gets: its own, else one made of the source's name,
// of its folder's and its own where that is taken, and a number where both are. Taken
// says whether an id is.
func (d *Draft) Name(source string, taken func(id string) bool) string {
	if d.ID != "" && !taken(d.ID) {
		return d.ID
	}
	stem := strings.TrimSuffix(path.Base(source), path.Ext(source))
	if d.ID != "" {
		stem = d.ID
	}
	if n := d.place.Number(); d.ID == "" && n > 0 {
		stem += "-" + strconv.Itoa(n)
	}
	names := []string{idOf(stem)}
	if folder := strings.TrimLeft(path.Base(path.Dir(path.Clean(source))), "."); d.ID == "" && folder != "" && folder != "/" {
		names = append(names, idOf(folder+"-"+stem))
	}
	for _, id := range names {
		if !taken(id) {
			return id
		}
	}
	numbered := func(n int) string { return names[0] + "-" + strconv.Itoa(n) }
	most := 2 // a store may have thousands of rows with one id: they are not counted through
	for taken(numbered(most)) {
		most *= 2
	}
	first := most/2 + sort.Search(most-most/2, func(i int) bool { return !taken(numbered(most/2 + i)) })
	return numbered(max(first, 2))
}

// idOf is an id made of a name: HANDOFF.auth is chk-handoff-auth.
func idOf(name string) string {
	if checkpoint.CheckID(name) == nil && strings.HasPrefix(name, "chk-") {
		return name
	}
	plain := strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' && r != '-'
	}), "-")
	plain = strings.Trim(plain, "-_")
	if plain = strings.Trim(plain[:min(len(plain), 80)], "-_"); plain == "" {
		plain = "imported"
	}
	if id, err := checkpoint.IDFor(plain); err == nil {
		return id
	}
	return "chk-imported"
}

// adopt plans a checkpoint of one that somebody wrote: its bytes stay as they are.
func (d *Draft) adopt(f file) {
	d.text = f.given.Bytes()
	if id, ok := f.given.Front.Get("checkpoint"); ok && checkpoint.CheckNewID(id) == nil {
		d.ID = id
	}
	if n := countLines(f.front); n > 0 {
		d.Shares = append(d.Shares, result.Share{Section: "Frontmatter", Lines: n})
	}
	if n := len(wordsIn(f.given, f.given.Preamble())); n > 0 {
		d.Shares = append(d.Shares, result.Share{Section: "Title", Lines: n})
	}
	end, name := 0, ""
	for _, s := range f.given.Sections() {
		k, known := checkpoint.KindNamed(s.Title)
		switch {
		case known:
			name = k.String()
			d.Finished = d.Finished || k == checkpoint.Completion
		case s.Heading.Start >= end || s.Level <= 2:
			name = s.Title
		}
		end = max(end, s.Whole.End)
		d.share(name, len(wordsIn(f.given, span(s.Heading.Start, s.Body.End))))
	}
	if status, _ := f.given.Front.Get("status"); status == string(checkpoint.Current) && !d.Finished {
		d.Remarks = append(d.Remarks, "it was current there")
	}
	d.source = slices.DeleteFunc(d.source, func(line string) bool {
		return strings.HasPrefix(line, "checkpoint:") || strings.HasPrefix(line, "status:") || strings.HasPrefix(line, "created:")
	})
}

// share counts lines to a section.
func (d *Draft) share(section string, lines int) {
	for i := range d.Shares {
		if d.Shares[i].Section == section {
			d.Shares[i].Lines += lines
			return
		}
	}
	d.Shares = append(d.Shares, result.Share{Section: section, Lines: lines})
}

// textFor is the Markdown to make a checkpoint of. Lines of a header that the
// checkpoint is to have otherwise are kept below Imported.
func (d *Draft) textFor(id string, status checkpoint.Status) ([]byte, error) {
	if d.row != nil && d.ID != "" && d.ID != id {
		d.row.Object = value.Set(d.row.Object, d.ID, "imported_id") // the id itself is taken
		return d.row.Markdown()
	}
	if d.Form != Checkpoint {
		return d.text, nil
	}
	var was []string
	text := string(d.text)
	head, _, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch _, isTime := checkpoint.ParseTime(value); {
		case !strings.HasPrefix(text, "---\n"):
		case key == "checkpoint" && d.ID != id,
			key == "created" && !isTime,
			key == "status" && value != string(status) && value != string(checkpoint.Current) && value != string(checkpoint.Active):
			was = append(was, line)
		}
	}
	if len(was) == 0 {
		return d.text, nil
	}
	return []byte(strings.TrimRight(text, "\n") + "\n\n## " + Title + "\n\n" + fence(strings.Join(was, "\n")) + "\n"), nil
}
