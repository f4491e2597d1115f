package setup

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/agents/settings"
)

// attribute is a line of a file of git attributes, as a piece of a site.
type attribute struct{ where, line string }

// mergeAttribute returns the line of this clone's own attributes that names the driver.
func (at Place) mergeAttribute() attribute {
	pattern := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace("/"+at.Folder) + "/**/*.md"
	if strings.ContainsAny(pattern, " \t\"\\") {
		pattern = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(pattern) + `"`
	}
	return attribute{filepath.Join(at.Repo.CommonDir(), "info", "attributes"), pattern + " merge=ckpt"}
}

// generated is the line of the checkpoints folder's attributes by which hosts fold its
// files in a pull request. Patterns in that file are relative to the folder.
var generated = attribute{line: "** linguist-generated"}

// AddGenerated adds to the checkpoints folder's attributes that hosts fold its files in a
// pull request, and [DropGenerated] takes it out again.
func AddGenerated(src []byte) ([]byte, error) { return generated.Add(src) }

// DropGenerated gives back the bytes from before [AddGenerated].
func DropGenerated(src []byte) ([]byte, error) { return generated.Drop(src) }

// IsGenerated reports whether the attributes of checkpoint files already say that hosts
// fold them, or that they do not.
func IsGenerated(ctx context.Context, at Place) bool {
	out, err := at.Repo.Run(ctx, "check-attr", "linguist-generated", "--", at.Folder+"/active/chk-a.md")
	return err == nil && !strings.HasSuffix(strings.TrimSpace(string(out)), ": unspecified")
}

// Where implements [settings.Piece], as do the methods below.
func (a attribute) Where() string { return filepath.ToSlash(a.where) }

func (a attribute) Top() string { return filepath.ToSlash(filepath.Dir(a.where)) }

func (a attribute) What() string { return "attribute" }

func (a attribute) State(src []byte) (settings.State, string, error) {
	if bytes.Contains(append([]byte("\n"), src...), []byte("\n"+a.line)) {
		return settings.Present, "", nil
	}
	return settings.Absent, "", nil
}

func (a attribute) Add(src []byte) ([]byte, error) {
	src, _ = a.Drop(src)
	if len(src) > 0 && !bytes.HasSuffix(src, []byte("\n")) { // a line that does not end, and does not afterwards
		return []byte(string(src) + "\n" + a.line), nil
	}
	return []byte(string(src) + a.line + "\n"), nil
}

func (a attribute) Drop(src []byte) ([]byte, error) {
	text := string(src)
	switch line := a.line; {
	case text == line+"\n":
		return nil, nil
	case strings.HasSuffix(text, "\n"+line):
		return []byte(strings.TrimSuffix(text, "\n"+line)), nil
	case strings.HasPrefix(text, line+"\n"):
		return []byte(strings.TrimPrefix(text, line+"\n")), nil
	default:
		return bytes.Replace(src, []byte("\n"+line+"\n"), []byte("\n"), 1), nil
	}
}
