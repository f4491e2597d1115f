// Command releasefiles writes the files of a release that are made from the commands themselves: man
// pages (man/*.1) and completions for bash, zsh, fish and PowerShell (completions/).
//
//	go run ./scripts/releasefiles DIR
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra/doc"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/term"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: go run ./scripts/releasefiles DIR")
	}
	err := write(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
}

// completions are the files of the completions, by the name of the shell.
var completions = map[string]string{"bash": "ckpt.bash", "zsh": "_ckpt", "fish": "ckpt.fish", "powershell": "ckpt.ps1"}

// write writes all files below dir.
func write(dir string) error {
	for _, folder := range []string{"man", "completions"} {
		err := os.MkdirAll(filepath.Join(dir, folder), 0o777)
		if err != nil {
			return err
		}
	}
	root := cli.NewRoot(cli.World{Streams: streams(nil)})
	root.DisableAutoGenTag = true // the same commit gives the same files
	epoch := time.Unix(0, 0).UTC()
	header := doc.GenManHeader{Section: "1", Source: "ckpt", Manual: "ckpt", Date: &epoch}
	err := doc.GenManTree(root, &header, filepath.Join(dir, "man"))
	if err != nil {
		return err
	}
	for shell, name := range completions {
		var script bytes.Buffer
		code := cli.Main(context.Background(), []string{"completion", shell}, cli.World{Streams: streams(&script)})
		if code != 0 {
			return fmt.Errorf("ckpt completion %s: exit code %d", shell, code)
		}
		err := os.WriteFile(filepath.Join(dir, "completions", name), script.Bytes(), 0o666)
		if err != nil {
			return err
		}
	}
	return nil
}

// streams returns streams that write the answer to out.
func streams(out *bytes.Buffer) term.Streams {
	s := term.Streams{In: strings.NewReader(""), Out: os.Stdout, Err: os.Stderr}
	if out != nil {
		s.Out = out
	}
	return s
}
