package token_test

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

//go:embed words.txt
var wordList string

// TestWords checks that every word of the list is one token in both vocabularies, in
// the forms that its part of the list requires.
func TestWords(t *testing.T) {
	cl100k, _ := tokenizer.Get(tokenizer.Cl100kBase)
	o200k, _ := tokenizer.Get(tokenizer.O200kBase)
	total := 0
	for part, text := range strings.Split(wordList, "\n\n") {
		for word := range strings.FieldsSeq(text) {
			total++
			small := strings.ToLower(word)
			forms := []string{" " + word}
			if part < 2 && word != small {
				forms = append(forms, " "+small)
			}
			if part != 1 {
				for _, form := range forms {
					forms = append(forms, form[1:])
				}
			}
			for _, form := range forms {
				a, _ := cl100k.Count(form)
				b, _ := o200k.Count(form)
				if a != 1 || b != 1 {
					t.Errorf("%q: %d and %d tokens", form, a, b)
				}
			}
		}
	}
	if total < 20_000 {
		t.Errorf("%d words", total)
	}
}
