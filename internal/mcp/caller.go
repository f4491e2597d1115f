//lint:file-ignore SA1019 Today's clients list their folders as roots.

package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/ckpt/internal/agents/protocol"
	"example.com/ckpt/internal/workspace"
)

// rootsWait is how long a client may take to list its folders.
const rootsWait = 2 * time.Second

// open opens the repository for one call, in the folder of the client. The client is the
// author of changes unless the environment names another agent.
func (s *server) open(ctx context.Context, session *sdk.ServerSession) (*workspace.Workspace, error) {
	settings := s.settings
	client := session.InitializeParams()
	if client == nil {
		return workspace.Open(ctx, settings)
	}
	if client.ClientInfo != nil && settings.Agent == "" {
		settings.Agent = protocol.Called(client.ClientInfo.Name)
	}
	hasRoots := client.Capabilities != nil && client.Capabilities.RootsV2 != nil
	if hasRoots && !s.fixed {
		settings.Dir = rooted(ctx, session, settings.Dir)
	}
	return workspace.Open(ctx, settings)
}

// rooted returns the folder to work in: that of the process if it is below one of the client's
// roots, or else the first root.
func rooted(ctx context.Context, session *sdk.ServerSession, dir string) string {
	ctx, cancel := context.WithTimeout(ctx, rootsWait)
	defer cancel()
	listed, err := session.ListRoots(ctx, nil)
	if err != nil {
		return dir
	}
	here, _ := filepath.Abs(dir)
	first := ""
	for _, r := range listed.Roots {
		root := folder(r.URI)
		if root == "" {
			continue
		}
		if rel, err := filepath.Rel(root, here); err == nil && filepath.IsLocal(rel) {
			return dir
		}
		first = cmp.Or(first, root)
	}
	return cmp.Or(first, dir)
}

// folder returns the folder that a file: URI names. It is empty for another URI.
func folder(uri string) string {
	rest, ok := strings.CutPrefix(uri, "file://")
	slash := strings.IndexByte(rest, '/')
	if !ok || slash < 0 {
		return ""
	}
	var path []byte
	for rest = rest[slash:]; rest != ""; rest = rest[1:] {
		if rest[0] == '%' && len(rest) > 2 {
			if b, err := hex.DecodeString(rest[1:3]); err == nil {
				path, rest = append(path, b[0]), rest[2:]
				continue
			}
		}
		path = append(path, rest[0])
	}
	if runtime.GOOS == "windows" {
		path = bytes.TrimPrefix(path, []byte("/"))
	}
	return filepath.FromSlash(string(path))
}
