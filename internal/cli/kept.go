package cli

import (
	"errors"
	"os"
	"slices"

	"example.com/ckpt/internal/secrets"
)

// keepText saves the text of -F - to a temporary file if the command could not write to
// the repository. It returns the file's path, empty if there is nothing to save. Agents'
// sandboxes keep .git read-only and let only plain commands run outside, none with a
// here-document: with -F and the file the command is plain.
func (e *Env) keepText(err error) string {
	i := slices.Index(e.args, "-F")
	if !isReadOnly(err) || len(e.read) == 0 || i < 0 || i+1 == len(e.args) || e.args[i+1] != "-" {
		return ""
	}
	if len((&secrets.Scanner{}).Scan("", string(e.read))) > 0 {
		return ""
	}
	f, err := os.CreateTemp("", "ckpt-*.md")
	if err != nil {
		return ""
	}
	_, err = f.Write(e.read)
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(f.Name())
		return ""
	}
	return f.Name()
}
