// Package load tests ckpt while other processes work in the same repository.
package load

import (
	"testing"

	"example.com/ckpt/test/ckpttest"
)

func TestMain(m *testing.M) { ckpttest.Main(m) }
