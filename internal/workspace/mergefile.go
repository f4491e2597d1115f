package workspace

import (
	"example.com/ckpt/internal/checkpoint"
)

// IDIn returns the id of the checkpoint in src, or an empty string if it is not one.
func IDIn(src []byte) string {
	if c, err := checkpoint.Parse("", src); err == nil {
		return c.ID
	}
	return ""
}
