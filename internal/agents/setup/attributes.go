package setup

import (
	"context"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/agents/settings"
)

// mergeAttribute returns the line of this clone's own attributes that names the driver.
func (at Place) mergeAttribute() settings.Piece {
	pattern := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace("/"+at.Folder) + "/**/*.md"
	if strings.ContainsAny(pattern, " \t\"\\") {
		pattern = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(pattern) + `"`
	}
	return settings.NewAttribute(filepath.ToSlash(at.Repo.CommonDir())+"/info/attributes", pattern+" merge=ckpt")
}

// generated is the line of the checkpoints folder's attributes by which hosts fold its
// files in a pull request. Patterns in that file are relative to the folder.
var generated = settings.NewAttribute("", "** linguist-generated")

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
