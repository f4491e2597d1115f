package record

import (
	"strings"

	"example.com/ckpt/internal/text"
)

// maxCommand is how many characters of a command line are recorded. The first maxLooked bytes of the line are
// searched for secrets before the line is cut, because a cut can make a secret unrecognizable.
const (
	maxCommand = 200
	maxLooked  = 8 << 10
)

// CommandLine returns a command as it is recorded: on one line of at most 200 characters,
// without here-documents, which have the content of files, and without the secrets that hide removes.
func CommandLine(command string, hide func(string) string) string {
	line := unfold(command)
	return text.Shorten(hide(strings.ToValidUTF8(line[:min(len(line), maxLooked)], "")), maxCommand)
}

// LastLine returns the last line that a command printed, in the form that is recorded: at most 200 characters, without
// the secrets that hide removes. It returns "" if the command only reads, or if it neither failed nor runs tests.
func LastLine(command string, exit *int, end string, hide func(string) string) string {
	test, look, _ := classify(command)
	failed := exit != nil && *exit != 0
	wanted := failed || test
	if look || !wanted || end == "" {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(hide(end)), "\n")
	return text.Shorten(text.OneLine(lines[len(lines)-1]), maxCommand)
}

// OnlyCkpt reports whether a command line runs ckpt, and all its other commands change nothing.
func OnlyCkpt(command string) bool {
	found := false
	for _, p := range commands(unfold(command)) {
		words := programWords(p.words)
		switch {
		case len(words) > 0 && words[0] == "ckpt":
			found = true
		case p.writes || !p.changesNothing():
			return false
		}
	}
	return found
}

// parser reads a command line as a POSIX shell does, but only its quotes, comments and
// here-documents.
type parser struct {
	src   string
	at    int
	quote byte // the quote that is open, or 0
	docs  []hereDoc
	line  []byte
}

// hereDoc is a here-document that begins on the next line.
type hereDoc struct {
	end  string // the line that ends it
	tabs bool   // whether tabs may precede that line
}

// unfold returns a command on one line, without comments and the text of here-documents.
func unfold(src string) string {
	p := parser{src: strings.ToValidUTF8(src, "")}
	for p.at < len(p.src) {
		p.step()
	}
	return strings.TrimRight(string(p.line), " ;")
}

// step reads the next token at p.at.
func (p *parser) step() {
	c, rest := p.src[p.at], p.src[p.at:]
	p.at++
	switch {
	case c == '\\' && p.quote != '\'' && len(rest) > 1:
		p.at++
		switch {
		case rest[1] == '\n': // a backslash before a line feed continues the line, and perhaps a word
		case rest[1] < ' ' || rest[1] == 0x7f:
			p.blank()
		default:
			p.line = append(p.line, c, rest[1])
		}
	case c == '\n':
		p.newline()
	case c <= ' ' || c == 0x7f:
		p.blank()
	case c == '\'' && p.quote != '"', c == '"' && p.quote != '\'':
		if p.quote == c {
			p.quote = 0
		} else {
			p.quote = c
		}
		p.line = append(p.line, c)
	case p.quote == 0 && c == '#' && p.wordBegins():
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			p.at += n - 1
		} else {
			p.at = len(p.src)
		}
	case p.quote != '\'' && strings.HasPrefix(rest, "<<"):
		p.here(rest)
	default:
		p.line = append(p.line, c)
	}
}

// here reads the operator of a here-document, and the word that ends the document.
func (p *parser) here(rest string) {
	operator := "<<"
	if strings.HasPrefix(rest, "<<<") { // <<< is followed by a string, not by a document
		operator = "<<<"
	}
	p.line = append(p.line, operator...)
	p.at += len(operator) - 1
	if operator == "<<<" {
		return
	}
	word, tabs := strings.CutPrefix(rest[2:], "-")
	word = strings.TrimLeft(word, " ")
	if i := strings.IndexAny(word, "\n;&|()<> "); i >= 0 && word[:1] != "'" && word[:1] != `"` {
		word = word[:i]
	} else if i > 0 { // the end word is in quotes
		word, _, _ = strings.Cut(word[1:], word[:1])
	}
	word = strings.Trim(word, `'"\`)
	if word != "" && (word[0] < '0' || word[0] > '9') { // before a digit, << is a shift
		p.docs = append(p.docs, hereDoc{word, tabs})
	}
}

// newline ends a line, and skips the here-documents that begin after it.
func (p *parser) newline() {
	for _, doc := range p.docs {
		for p.at < len(p.src) {
			line, _, _ := strings.Cut(p.src[p.at:], "\n")
			p.at = min(p.at+len(line)+1, len(p.src))
			line = strings.TrimSuffix(line, "\r")
			if doc.tabs {
				line = strings.TrimLeft(line, "\t")
			}
			if line == doc.end {
				break
			}
		}
	}
	p.docs = nil
	if p.quote != 0 {
		p.blank()
		return
	}
	if line := strings.TrimRight(string(p.line), " "); line != "" && !goesOn(line) {
		p.line = append([]byte(line), ';')
	}
	p.blank()
}

// goesOn reports whether a command continues on the next line: the line ends with an operator or
// with a keyword such as do.
func goesOn(line string) bool {
	word := line[strings.LastIndexByte(line, ' ')+1:]
	return strings.ContainsRune(";&|({", rune(line[len(line)-1])) || word == "do" || word == "then" || word == "else"
}

// blank adds a space, unless the last character is one.
func (p *parser) blank() {
	if n := len(p.line); n > 0 && p.line[n-1] != ' ' {
		p.line = append(p.line, ' ')
	}
}

// wordBegins reports whether the next character begins a word.
func (p *parser) wordBegins() bool {
	n := len(p.line)
	return n == 0 || strings.IndexByte(" ;&|(", p.line[n-1]) >= 0
}
