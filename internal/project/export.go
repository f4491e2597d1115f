package project

import (
	"context"

	"example.com/ckpt/internal/core/schema"
)

// Export is a checkpoint in the words of another schema.
func (p *Project) Export(ctx context.Context, name string, as schema.Name) (*schema.Export, error) {
	c, err := p.Show(ctx, name)
	if err != nil {
		return nil, err
	}
	return schema.Write(c, as)
}
