//lint:file-ignore SA1019 Clients of today name their folders by roots; a later protocol that has none asks for nothing here.

package mcp

import (
	"bytes"
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

// rootsWait is how long a client may take to say which folders it is about.
const rootsWait = 2 * time.Second

// open opens the repository for one call: where the client works, and signed with
// its name unless the environment says who works here.
func (s *server) open(ctx context.Context, session *sdk.ServerSession) (*workspace.Workspace, error) {
	settings := s.settings
	client := session.InitializeParams()
	if client != nil && client.ClientInfo != nil && settings.Agent == "" {
		settings.Agent = protocol.Called(client.ClientInfo.Name)
	}
	if client != nil && client.Capabilities != nil && client.Capabilities.RootsV2 != nil && !s.fixed {
		settings.Dir = rooted(ctx, session, settings.Dir)
	}
	return workspace.Open(ctx, settings)
}

// rooted is the folder to work in: the one of the process where it lies in one of the
// client's roots, else the first of them.
func rooted(ctx context.Context, session *sdk.ServerSession, dir string) string {
	ctx, cancel := context.WithTimeout(ctx, rootsWait)
	defer cancel()
	said, err := session.ListRoots(ctx, nil)
	if err != nil {
		return dir
	}
	here, _ := filepath.Abs(dir)
	first := ""
	for _, r := range said.Roots {
		root := folder(r.URI)
		if root == "" {
			continue
		}
		if rel, err := filepath.Rel(root, here); err == nil && rel != ".." && !strings.HasPrefix(rel,
			".."+string(filepath.Separator)) {
			return dir
		}
		if first == "" {
			first = root
		}
	}
	if first == "" {
		return dir
	}
	return first
}

// folder is the folder that a file: URI names, "" for another URI.
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
