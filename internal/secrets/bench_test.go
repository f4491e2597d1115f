package secrets

import (
	"fmt"
	"strings"
	"testing"
)

const (
	quiet = "- Found that the pool hands out closed sockets after a fail-over; see `db/pool.go`, line 40.\n"
	prose = "- The login fails since the auth token expires: access tokens live 60 s, `auth/token.go` says why.\n"
	alike = "- api_key = \"AAAAAAAAAAAAAAAAAAAAAAAAA\"; secret: none; password = unknownunknown; token=deadbeefdeadbeef\n"
)

// BenchmarkAddedTo scans one more line in a file about authentication.
func BenchmarkAddedTo(b *testing.B) {
	for name, n := range map[string]int{"20 KB": 200, "1 MB": 10_000} {
		var before strings.Builder
		for i := range n {
			fmt.Fprintf(&before, "%d%s", i, prose)
		}
		text := before.String() + quiet
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				(&Scanner{}).Added("note.md", text, before.String())
			}
		})
	}
}

func BenchmarkAdded(b *testing.B) {
	for name, text := range map[string]string{
		"a quiet delta, 2 KB":       strings.Repeat(quiet, 20),
		"a quiet file, 100 KB":      strings.Repeat(quiet, 1000),
		"a delta about auth, 2 KB":  strings.Repeat(prose, 20),
		"a file about auth, 100 KB": strings.Repeat(prose, 1000),
		"nearly secrets, 100 KB":    strings.Repeat(alike, 1000),
		"auth, one line of 5 MB":    strings.Repeat(strings.TrimSpace(prose), 50_000),
		"auth, 5 MB":                strings.Repeat(prose, 50_000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				(&Scanner{}).Added("note.md", text, "# Old\n")
			}
		})
	}
}
