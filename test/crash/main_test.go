// Package crash tests what ckpt leaves behind when it is killed or a system call fails.
package crash

import (
	"testing"

	"example.com/ckpt/test/ckpttest"
)

func TestMain(m *testing.M) { ckpttest.Main(m) }
