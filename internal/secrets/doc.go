// Package secrets finds credentials in a text. It has the rules of gitleaks' default configuration,
// word for word (gitleaks.go). The tests compare its findings with gitleaks' own.
//
// Rules of our own find secrets that gitleaks misses (own.go, ownkeys.go): passwords in URLs and command
// lines, headers, connection strings, keys with a newer prefix. The characters of a value tell a
// password from a placeholder and from a word (fits.go).
//
// A [Finding] has the rule and the position, and never the secret.
//
// Most texts have no secret. A scan first searches for the words of the rules. A rule can only match a
// text that contains one of its words, and is compiled when the first such text is found.
//
// Unlike gitleaks, the package does not decode base64 and hex in general, has no rules about the names
// of files, and does not skip images and lock files.
package secrets

//go:generate go -C ../../test/gitleaks run .
//go:generate go -C ../../test/gitleaks test -run TestVerdicts -update .
