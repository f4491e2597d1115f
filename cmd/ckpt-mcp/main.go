// Command ckpt-mcp is ckpt with a server of the Model Context Protocol. `ckpt mcp` starts it. It
// is a separate program, since the libraries of the server would slow down every start of ckpt.
package main

import (
	"os"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/mcp"
)

func main() { os.Exit(cli.Run(cli.World{Serve: mcp.Serve})) }
