package drift

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"example.com/ckpt/internal/text"
)

// Symbols gives each finding that is a symbol a verdict. It is OK if the symbol is in its file, or,
// without a file, in any file. It is Moved or Gone if the symbol existed at base. A symbol that
// never existed gets no verdict, unless the finding certainly is a symbol. Files has the findings
// that [Check.Files] completed; exclude is a folder that is not searched.
func (c *Check) Symbols(ctx context.Context, files, symbols []Finding, exclude string) error {
	moved := map[string]string{}
	for _, f := range files {
		moved[f.Path] = f.To
	}
	var lost []*Finding
	for i := range symbols {
		f := &symbols[i]
		to := moved[f.Path]
		switch {
		case c.contains(f.Path, f.Symbol):
			f.Verdict = OK
		case c.contains(to, f.Symbol):
			f.Verdict, f.To = Moved, to
		case f.Path != "" || !c.inNamedFile(files, f):
			lost = append(lost, f)
		}
	}
	now, err := c.searchNow(ctx, lost, exclude)
	if err != nil {
		return c.unsearchable(ctx, lost, err)
	}
	var words []string
	for _, f := range lost {
		if len(now[f.Symbol]) == 0 && f.Path == "" && c.Base != "" {
			words = append(words, f.Symbol)
		}
	}
	was, err := c.Repo.Grep(ctx, c.Base, words, exclude)
	if err != nil {
		return c.unsearchable(ctx, lost, err)
	}
	for _, f := range lost {
		found := now[f.Symbol]
		existed := len(was[f.Symbol]) > 0 || c.contained(ctx, f)
		switch {
		case len(found) > 0 && f.Path != "" && existed:
			f.Verdict, f.To = Moved, found[0]
		case len(found) == 1:
			f.Verdict, f.Note = OK, "in "+found[0]
		case len(found) > 1:
			f.Verdict, f.Note = OK, "in "+found[0]+" and "+text.Count(len(found)-1, "other file")
		case existed:
			f.Verdict = Gone
		case f.Sure:
			f.Verdict, f.Note = Unknown, "git finds it nowhere, now or then"
		}
	}
	return nil
}

// inNamedFile looks for a symbol in the files that the checkpoint names, since most symbols are
// there.
func (c *Check) inNamedFile(files []Finding, f *Finding) bool {
	for _, file := range files {
		if (file.Verdict == OK || file.Verdict == Changed) && c.contains(file.Path, f.Symbol) {
			f.Verdict, f.Note = OK, "in "+file.Path
			return true
		}
	}
	return false
}

// searchNow returns the files of the working tree that contain symbols. It first searches the index
// and checks what it finds; for the other symbols it searches the working tree.
func (c *Check) searchNow(ctx context.Context, symbols []*Finding, exclude string) (map[string][]string, error) {
	var words []string
	for _, f := range symbols {
		if !slices.Contains(words, f.Symbol) {
			words = append(words, f.Symbol)
		}
	}
	found := map[string][]string{}
	staged, err := c.Repo.Grep(ctx, inIndex, words, exclude)
	if err == nil {
		words = slices.DeleteFunc(words, func(w string) bool {
			found[w] = slices.DeleteFunc(staged[w], func(file string) bool { return !c.contains(file, w) })
			return len(found[w]) > 0
		})
	}
	rest, err := c.Repo.Grep(ctx, "", words, exclude)
	maps.Copy(found, rest)
	return found, err
}

// unsearchable gives the verdict Unknown if git cannot read all files.
func (c *Check) unsearchable(ctx context.Context, lost []*Finding, err error) error {
	if ctx.Err() != nil || !c.Repo.Unsearchable(err) {
		return err
	}
	for _, f := range lost {
		if f.Sure {
			f.Verdict, f.Note = Unknown, "git cannot look through all files here"
		}
	}
	return nil
}

// contains reports whether a file of the working tree contains a symbol.
func (c *Check) contains(path, symbol string) bool {
	if path == "" {
		return false
	}
	src, err := c.Repo.ReadFile(path)
	return err == nil && Contains(src, symbol)
}

// contained reports whether the file of f contained its symbol at base.
func (c *Check) contained(ctx context.Context, f *Finding) bool {
	if c.Base == "" || f.Path == "" {
		return false
	}
	src, err := c.Repo.FileAt(ctx, c.Base, f.Path)
	return err == nil && Contains(src, f.Symbol)
}

// Contains reports whether a text contains an identifier as a whole word.
func Contains(src []byte, symbol string) bool {
	for at := 0; symbol != ""; {
		i := bytes.Index(src[at:], []byte(symbol))
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRune(src[:at])
		at += len(symbol)
		after, _ := utf8.DecodeRune(src[at:])
		if !isWord(before) && !isWord(after) {
			return true
		}
	}
	return false
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r))
}
