package workspace

import (
	"path"
	"strings"
)

// Stem is what a file is called, without folder and ending.
func Stem(rel string) string { return strings.TrimSuffix(path.Base(rel), ".md") }
