// Package merging tests merging checkpoints after git has, and what other branches have.
package merging

import (
	"testing"

	"example.com/ckpt/test/ckpttest"
)

func TestMain(m *testing.M) { ckpttest.Main(m) }

func TestScripts(t *testing.T) { ckpttest.Scripts(t) }

func TestModes(t *testing.T) { ckpttest.Modes(t) }
