//go:build !unix

package term

func replace(Streams, string, []string) error { return nil }
