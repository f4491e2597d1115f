// Package start tests setting up, checking, and what a new user meets.
package start

import (
	"testing"

	"example.com/ckpt/test/ckpttest"
)

func TestMain(m *testing.M) { ckpttest.Main(m) }

func TestScripts(t *testing.T) { ckpttest.Scripts(t) }

func TestModes(t *testing.T) { ckpttest.Modes(t) }
