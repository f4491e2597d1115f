// Package commit tests how ckpt commits beside what git and people do.
package commit

import (
	"testing"

	"example.com/ckpt/test/ckpttest"
)

func TestMain(m *testing.M) { ckpttest.Main(m) }

func TestScripts(t *testing.T) { ckpttest.Scripts(t) }

func TestModes(t *testing.T) { ckpttest.Modes(t) }
