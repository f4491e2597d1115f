package output

import (
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/transfer/schema"
)

// Export writes the JSON of the schema and nothing else. It holds no character that
// a terminal obeys: they are escaped.
func (p Text) Export(e *schema.Export) error {
	src, err := value.Indented(e.Object)
	if err != nil {
		return fault.New(fault.Failed, "%s as JSON: %w", e.ID, err)
	}
	p.printf("%s", ink(src))
	return p.done()
}
