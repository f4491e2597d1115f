package wire

import (
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/transfer/schema"
)

// Export is the answer of `ckpt export`.
type Export struct {
	Head
	Schema     string       `json:"schema"`
	ID         string       `json:"id"`
	Checkpoint value.Object `json:"checkpoint"`
}

// FromExport is the answer that holds a checkpoint in the words of a schema.
func FromExport(e *schema.Export) Export {
	return Export{head("export"), string(e.Schema), e.ID, e.Object}
}
