//go:build !unix || solaris || aix

package view

import "io"

// backgroundColor asks nobody: here no terminal is known to answer.
func backgroundColor(io.Writer) (rgb, bool) { return rgb{}, false }
