package phrase

import (
	"strings"
	"unicode"
)

// longestPerson bounds a name, and an address, in characters.
const longestPerson = 50

// Person is how an author is named in a sentence: "Ann <ann@example.com>". Name and
// address are whatever somebody wrote into a commit, and the sentence may be read by
// a model: only letters, digits and the punctuation of names are kept.
func Person(name, email string) string {
	name, email = plainName(name), plainName(email)
	switch {
	case email == "":
		return name
	case name == "":
		return "<" + email + ">"
	}
	return name + " <" + email + ">"
}

func plainName(s string) string {
	kept := strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case unicode.IsLetter(c), unicode.IsDigit(c), unicode.IsMark(c), strings.ContainsRune(".,'’-_+@()[]", c):
			return c
		}
		return -1
	}, strings.ToValidUTF8(s, ""))
	all := []rune(OneLine(kept))
	if len(all) > longestPerson {
		all = append(all[:longestPerson-1], '…')
	}
	return string(all)
}
