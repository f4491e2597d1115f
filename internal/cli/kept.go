package cli

import (
	"errors"
	"os"
	"slices"

	"example.com/ckpt/internal/core/secrets"
)

// keepText writes the text of -F - to a file, where the command could not write to the
// repository, and returns its path; "" where there is nothing to keep. The sandboxes of
// agents keep .git read-only and let only plain commands out, which a here-document is
// not: with the file the same command is one.
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
