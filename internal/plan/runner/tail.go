package runner

// tailSize is how much of a step's output is kept, in bytes: the end of it.
const tailSize = 1 << 20

// tail keeps the end of what is written to it.
type tail struct {
	buf []byte
	cut int64 // bytes that are gone
}

func (t *tail) Write(b []byte) (int, error) {
	t.buf = append(t.buf, b...)
	if over := len(t.buf) - tailSize; over > tailSize { // seldom, so that a long output is not moved again and again
		t.drop(over)
	}
	return len(b), nil
}

func (t *tail) drop(n int) {
	t.buf = append(t.buf[:0], t.buf[n:]...)
	t.cut += int64(n)
}

// kept is what is kept, and how many bytes came before it.
func (t *tail) kept() ([]byte, int64) {
	if over := len(t.buf) - tailSize; over > 0 {
		t.drop(over)
	}
	return t.buf, t.cut
}
