package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/workspace"
)

const (
	currentURI    = "ckpt://current"
	learningsURI  = "ckpt://learnings"
	checkpointURI = "ckpt://checkpoint/"
	markdown      = "text/markdown"
)

func (s *server) addResources(to *sdk.Server) {
	to.AddResource(&sdk.Resource{URI: currentURI, Name: "current", Title: "The current checkpoint", MIMEType: markdown,
		Description: "The file of the current checkpoint, as it is."},
		s.resource(func(ctx context.Context, p *workspace.Workspace, _ string) ([]byte, error) { return file(ctx, p, "") }))
	to.AddResource(&sdk.Resource{URI: learningsURI, Name: "learnings", Title: "Learnings", MIMEType: markdown,
		Description: "LEARNINGS.md: what archived checkpoints taught."},
		s.resource(func(ctx context.Context, p *workspace.Workspace, _ string) ([]byte, error) {
			return p.LearningsFile(ctx)
		}))
	to.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: checkpointURI + "{id}", Name: "checkpoint",
		Title: "A checkpoint", MIMEType: markdown, Description: "The file of a checkpoint, active or archived, by its id."},
		s.resource(func(ctx context.Context, p *workspace.Workspace, uri string) ([]byte, error) {
			return file(ctx, p, strings.TrimPrefix(uri, checkpointURI))
		}))
}

// file returns the file of a checkpoint, even if it cannot be parsed.
func file(ctx context.Context, p *workspace.Workspace, name string) ([]byte, error) {
	src, _, err := history.New(p).Raw(ctx, name)
	return src, err
}

// resource returns a handler that answers with the bytes from read.
func (s *server) resource(read func(context.Context, *workspace.Workspace, string) ([]byte,
	error)) sdk.ResourceHandler {
	return func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		p, err := s.open(ctx, req.Session)
		if err != nil {
			return nil, err
		}
		src, err := read(ctx, p, req.Params.URI)
		if fault.KindOf(err) == fault.NotFound || err == nil && src == nil {
			return nil, sdk.ResourceNotFoundError(req.Params.URI)
		}
		if err != nil {
			return nil, err
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: req.Params.URI, MIMEType: markdown,
			Text: string(src)}}}, nil
	}
}
