//go:build unix

package envtest

import "syscall"

func setUmask() { syscall.Umask(0o022) }
