package phrase

import "testing"

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n          int
		what, want string
	}{
		{0, "delta", "0 deltas"},
		{1, "delta", "1 delta"},
		{2, "delta", "2 deltas"},
		{1, "line of prose", "1 line of prose"},
		{3, "line of prose", "3 lines of prose"},
	} {
		if got := Count(c.n, c.what); got != c.want {
			t.Errorf("%d %s: %q, want %q", c.n, c.what, got, c.want)
		}
	}
}

func TestFirstLine(t *testing.T) {
	for text, want := range map[string]string{"": "", "one": "one", "\n\n  one \r\ntwo\n": "one", " \n": ""} {
		if got := FirstLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
