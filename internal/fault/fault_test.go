package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestKindsHaveTheirExitCodes(t *testing.T) {
	want := map[Kind]int{Failed: 1, Usage: 2, NotFound: 3, Invalid: 4, Busy: 5, Refused: 6, Unsupported: 7} // docs/commands/README.md
	seen := map[string]bool{}
	for kind, code := range want {
		if kind.ExitCode() != code {
			t.Errorf("%s exits %d, want %d", kind, kind.ExitCode(), code)
		}
		seen[kind.String()] = true
	}
	if len(seen) != len(want) {
		t.Errorf("two kinds share a code word: %v", seen)
	}
}

func TestKindAndHintAreFoundThroughWrapping(t *testing.T) {
	inner := New(Busy, "the lock: %w", fs.ErrPermission).WithHint("try again in %d s", 5)
	err := fmt.Errorf("delta: %w", New(Invalid, "chk-a: %w", inner))
	if KindOf(err) != Invalid {
		t.Errorf("the outermost fault says the kind, got %s", KindOf(err))
	}
	if HintOf(err) != "try again in 5 s" {
		t.Errorf("the nearest hint counts, got %q", HintOf(err))
	}
	if !errors.Is(err, fs.ErrPermission) {
		t.Error("the cause is lost")
	}
	if want := "delta: chk-a: the lock: permission denied"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestAnyOtherErrorFailed(t *testing.T) {
	err := errors.New("disk on fire")
	if KindOf(err) != Failed || HintOf(err) != "" || KindOf(nil) != Failed {
		t.Errorf("got %s, %q", KindOf(err), HintOf(err))
	}
}
