package git

import (
	"bytes"
	"compress/zlib"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
)

// What we store uncompressed is a zlib stream to everybody, and read back without a
// decompressor; one that is damaged is left to it, which says so.
func TestStoredStream(t *testing.T) {
	for _, n := range []int{0, 1, 11, 4096, smallObject, 65535} {
		data := bytes.Repeat([]byte("0123456789abcdef"), n/16+1)[:n]
		stream := storedStream(data)
		z, err := zlib.NewReader(bytes.NewReader(stream))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(z); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: zlib reads %d, %v", n, len(got), err)
		}
		if got, ok := unstored(stream); !ok || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: read back as %d, %v", n, len(got), ok)
		}
		for _, at := range []int{0, 2, 3, 5, len(stream) / 2, len(stream) - 1} {
			bad := bytes.Clone(stream)
			bad[at] ^= 0x10
			if _, ok := unstored(bad); ok {
				t.Errorf("%d bytes: damage at %d was not seen", n, at)
			}
		}
		if _, ok := unstored(stream[:len(stream)-1]); ok {
			t.Errorf("%d bytes: a stream that was cut was not seen", n)
		}
	}
}

// A `git gc` removes folders of objects that are empty, also one that we have just made
// for an object.
func TestObjectBesideGC(t *testing.T) {
	path := filepath.Join(t.TempDir(), "aa", "object")
	var over atomic.Bool
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for !over.Load() {
			_ = os.Remove(filepath.Dir(path))
		}
	}()
	for range 5000 {
		f, err := createObject(path)
		if err != nil {
			t.Error(err)
			break
		}
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
	over.Store(true)
	<-gone
}
