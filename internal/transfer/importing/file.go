package importing

import (
	"bytes"
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/text"
)

// file is a parsed file of a source.
type file struct {
	name  string // the name in the folder; empty if the source is a single file
	from  string // the name of the file in headings of the checkpoint
	front string // the frontmatter with its fences, even if it is not YAML
	doc   *doc.Doc
	given *doc.Doc // the whole file; nil if its frontmatter is not YAML

	home   checkpoint.Kind // the section of text below headings that name no section
	titled bool            // the first heading is the title of the file: no other heading has level 1
	title  *node           // the heading that is the title; nil if titled is false
	blocks []block         // the blocks of the file, which divide sets
	todo   bool            // the file is a list of things to do, by its name or title
}

// open parses a file. Frontmatter that is not YAML is an error if it has the key checkpoint, and otherwise text.
func open(name, text string) (file, error) {
	f := file{name: name, home: nowhere}
	whole, err := checkpoint.ParseDoc([]byte(text))
	if err == nil {
		f.given = whole
		f.front = whole.Slice(whole.Front.Span)
	} else { // the file begins with a rule (---), or with frontmatter that is not YAML
		front, _, _ := doc.FrontSpan([]byte(text))
		f.front = text[:front.End]
		isHeader := strings.Contains(cmp.Or(f.front, text), "\ncheckpoint:")
		if isHeader || errors.Is(err, checkpoint.ErrConflict) {
			return file{}, err
		}
	}
	f.front = strings.TrimRight(f.front, "\n")
	return f, f.parse(text[len(f.front):])
}

// parse parses the text of a file below its frontmatter. It sets home by the name of the file, and finds whether the
// file has a title.
func (f *file) parse(body string) error {
	// A blank line comes first so that text after the frontmatter is not read as frontmatter.
	d, err := doc.Parse([]byte("\n" + strings.TrimLeft(body, "\n")))
	if err != nil {
		return err
	}
	f.doc = d
	if i := rankOf(path.Base(f.name)); i < len(bank) {
		f.home = bank[i].home
	}
	isTop := func(s doc.Section) bool { return s.Level == 1 }
	top := slices.IndexFunc(d.Sections(), isTop)
	f.titled = top == 0 && d.Content(d.Preamble()).Len() == 0 && !slices.ContainsFunc(d.Sections()[1:], isTop)
	return nil
}

// isCheckpoint reports whether a file is in the format: it has the key `checkpoint`, or it has the section Essential
// Information and one of the sections Problem and Session Intent.
func (f *file) isCheckpoint() bool {
	if f.given == nil {
		return false
	}
	if id, ok := f.given.Front.Get("checkpoint"); ok && strings.TrimSpace(id) != "" {
		return true
	}
	have := map[checkpoint.Kind]bool{}
	for _, s := range f.doc.Sections() {
		k, known := checkpoint.KindNamed(s.Title)
		have[k] = have[k] || known
	}
	return have[checkpoint.Essential] && (have[checkpoint.Problem] || have[checkpoint.Intent])
}

// lineAt returns the span from an offset to the end of its line.
func (f *file) lineAt(offset int) doc.Span {
	src := f.doc.Bytes()
	line, _, _ := bytes.Cut(src[offset:], []byte("\n"))
	return span(offset, min(offset+len(line)+1, len(src)))
}

func span(start, end int) doc.Span { return doc.Span{Start: start, End: end} }

var (
	// banner matches a heading between equals signs: "===== Session 2 =====".
	banner    = text.Regexp(`^\s{0,3}={3,}\s+(\S.*?)\s+={3,}\s*$`)
	underline = text.Regexp(`^\s{0,3}(?:=+|-+)\s*$`)
	notTitle  = text.Regexp("^\\s*(?:[-*+>|]|\\d+[.)]\\s)|[.,;]\\s*$|`")
)

// reshape changes the text and parses it again. It makes "===== Session 2 =====" a heading. It adds a blank line before
// a rule, so that the paragraph above does not become a heading, and before a label, so that the label does not join
// the list above. The words do not change.
func (f *file) reshape() error {
	lines := strings.Split(f.doc.Slice(f.doc.Body()), "\n")
	prose := make([]string, len(lines)+2) // two empty lines, then all lines; those of code, tables, comments are empty
	inList := make([]bool, len(lines))
	mark := func(s doc.Span, isList bool) {
		for n := f.doc.Line(s.Start); n <= f.doc.Line(max(s.Start, s.End-1)); n++ {
			prose[n+1] = strings.TrimRight(lines[n-1], " \t")
			inList[n-1] = isList
		}
	}
	for _, s := range f.doc.Sections() {
		mark(s.Heading, false)
	}
	for _, b := range f.doc.Blocks(f.doc.Body()) {
		if b.Kind != doc.Other && b.Kind != doc.Comment {
			mark(b.Span, b.Kind == doc.List)
		}
	}
	level := 1
	if f.titled {
		level = 2
	}
	isBar := func(line string) bool { return strings.HasPrefix(line, "===") }
	var out []string
	for i, line := range lines {
		before, above, said := prose[i], prose[i+1], prose[i+2]
		if m := banner.Get().FindStringSubmatch(said); m != nil {
			line = "\n" + heading(level, m[1]) + "\n"
		}
		isTitle := isRule(before) && len(above) <= 80 && !notTitle.Get().MatchString(above)
		isTitle = isTitle || isBar(said) && slices.ContainsFunc(prose[max(i-2, 0):i+1], isBar)
		isUnderline := underline.Get().MatchString(said) && !isRule(above) && !isTitle
		if isUnderline || inList[i] && isLabelLine(line) {
			out = append(out, "")
		}
		out = append(out, line)
	}
	return f.parse(strings.Join(out, "\n"))
}

// bank lists the files of a memory bank in reading order.
var bank = []struct {
	stem string
	home checkpoint.Kind // the section of text below headings that name no section
}{
	{"projectbrief", checkpoint.Intent},
	{"productcontext", checkpoint.Problem},
	{"activecontext", nowhere},
	{"systempatterns", checkpoint.Context},
	{"techcontext", checkpoint.Context},
	{"progress", nowhere},
}

// rankOf returns the index of a file in bank. It returns len(bank) if bank does not have the file or the file is in a
// folder.
func rankOf(name string) int {
	stem := strings.ToLower(strings.TrimSuffix(name, path.Ext(name)))
	stem = strings.NewReplacer("_", "", "-", "", " ", "").Replace(stem)
	for i, b := range bank {
		if b.stem == stem {
			return i
		}
	}
	return len(bank)
}

// IsBank reports whether a folder with files of these names is a memory bank: it has at least two of the files in bank.
func IsBank(names []string) bool {
	usual := map[int]bool{len(bank): true}
	for _, name := range names {
		usual[rankOf(name)] = true
	}
	return len(usual) > 2
}

// InOrder sorts the files of a memory bank in reading order. Files that are not in bank come last.
func InOrder(files []File) {
	slices.SortFunc(files, func(a, b File) int {
		return cmp.Or(rankOf(a.Name)-rankOf(b.Name), strings.Compare(a.Name, b.Name))
	})
}
