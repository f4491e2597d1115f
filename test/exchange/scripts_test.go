// Package exchange tests sync with a remote, import and export.
package exchange

import (
	"testing"

	"example.com/ckpt/test/ckpttest"
)

func TestMain(m *testing.M) { ckpttest.Main(m) }

func TestScripts(t *testing.T) { ckpttest.Scripts(t) }

func TestModes(t *testing.T) { ckpttest.Modes(t) }
