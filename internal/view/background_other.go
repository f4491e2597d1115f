//go:build !unix || solaris || aix

package view

import "io"

// backgroundColor returns false, since no terminal of this system is known to answer.
func backgroundColor(io.Writer) (rgb, bool) { return rgb{}, false }
