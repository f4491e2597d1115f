// Package secrets finds credentials in a text. The rules are those of gitleaks' default
// configuration, word for word (gitleaks.go), and so are the results, which the tests compare
// with those of gitleaks.
//
// Rules of our own find secrets that those miss (own.go, ownkeys.go): passwords in URLs and command
// lines, headers, connection strings, keys with a newer prefix. The characters of a value tell a
// password from a placeholder and from a word (fits.go).
//
// A [Finding] has the rule and the position, and never the secret.
//
// Nearly every text has no secret, and costs one search for the words without which no rule
// can match. A rule is compiled when a text has one of its words.
//
// Not taken from gitleaks are the decoding of base64 and hex, rules about the name of a file,
// and the list of files (images, lock files) that it does not read.
package secrets

//go:generate go -C ../../test/gitleaks run .
//go:generate go -C ../../test/gitleaks test -run TestVerdicts -update .
