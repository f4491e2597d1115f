// Command ckpt keeps the state of long work as Markdown in a git repository.
//
// The directives stop the Go runtime from reading the CPU limits of a container. Reading them takes longer
// than all the work of a hook, and a command ends before the limits matter.
//
//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0
package main

import (
	"os"

	"example.com/ckpt/internal/cli"
)

func main() { os.Exit(cli.Run(cli.World{})) }
