//go:build !unix

package envtest

func setUmask() {}
