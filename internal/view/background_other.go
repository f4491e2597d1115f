//go:build !unix || solaris || aix

package view

import "io"

// hasLightBackground returns false, since no terminal of this system is known to answer.
func hasLightBackground(io.Writer) bool { return false }
