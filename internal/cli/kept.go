package cli

import (
	"errors"
	"os"
	"slices"

	"example.com/ckpt/internal/secrets"
)

// keepText saves the text of -F - to a temporary file if the command could not write to the
// repository. It returns the file's path, which is empty if there is nothing to save. The sandboxes
// of agents keep .git read-only and let only plain commands run outside, which a command with a
// here-document is not. With -F and the saved file it is plain.
func (e *Env) keepText(err error) string {
	i := slices.Index(e.args, "-F")
	if i < 0 || i+1 == len(e.args) || e.args[i+1] != "-" {
		return ""
	}
	if len(e.read) == 0 || !isReadOnly(err) {
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
	err = errors.Join(err, f.Close())
	if err != nil {
		_ = os.Remove(f.Name())
		return ""
	}
	return f.Name()
}
