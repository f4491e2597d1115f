package pages

import (
	"testing"
	"time"

	"example.com/ckpt/internal/envtest"
)

// TestTutorial runs all commands of docs/tutorial.md, from an empty folder on.
func TestTutorial(t *testing.T) {
	envtest.Set(t)
	p := openPage(t, "docs/tutorial.md", t.TempDir())
	p.pause = time.Minute
	p.section("")
}
