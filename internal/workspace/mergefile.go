package workspace

import (
	"example.com/ckpt/internal/checkpoint"
)

// idIn returns the id of the checkpoint in src, or an empty string if it is not one.
func IdIn(src []byte) string {
	if c, err := checkpoint.Parse("", src); err == nil {
		return c.ID
	}
	return ""
}
