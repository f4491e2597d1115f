// Package companions tests ckpt-mcp and ckpt-view, and the terminal.
package companions

import (
	"testing"

	"example.com/ckpt/test/ckpttest"
)

func TestMain(m *testing.M) { ckpttest.MainWithCompanions(m) }

func TestScripts(t *testing.T) { ckpttest.Scripts(t) }

func TestModes(t *testing.T) { ckpttest.Modes(t) }
