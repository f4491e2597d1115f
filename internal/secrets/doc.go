// Package secrets finds in a text what looks like a credential: bytes in, findings
// out. The rules are those of gitleaks' default configuration, word for word
// (gitleaks.go), and so are the verdicts, which the tests hold against its own.
//
// Beside them are rules of our own for what these miss (own.go, ownkeys.go): passwords
// in URLs and command lines, headers, connection strings, keys with a newer prefix. A
// password is told from a placeholder and from a word by what it is made of (fits.go).
//
// It refuses to say what it has found. A [Finding] tells the rule and the place.
//
// Nearly every text is none of its business, and costs one look for the words
// without which no rule can match. A rule is compiled when its word is there.
//
// Of gitleaks it leaves out the decoding of base64 and hex, rules that only look at
// a file's name, and the list of files (images, lock files) that are never looked into.
package secrets

//go:generate go -C ../../test/gitleaks run .
