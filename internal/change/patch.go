package change

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Patch returns the changes as a unified diff.
func Patch(files []File) string {
	var b strings.Builder
	for _, f := range files {
		from, to := "a/"+f.Path, "b/"+f.Path
		if f.Before == nil {
			from = "/dev/null"
		}
		if f.After == nil {
			to = "/dev/null"
		}
		fmt.Fprintf(&b, "%s", diff.Diff(from, f.Before, to, f.After))
	}
	return b.String()
}
