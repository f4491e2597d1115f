// Command releasefiles writes the files of a release that are generated from ckpt's commands: man pages
// (man/*.1) and completions for bash, zsh, fish and PowerShell (completions/).
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

	"github.com/spf13/cobra"

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
	files := map[string]string{}
	for shell, name := range completions {
		script, err := printed("completion", shell)
		if err != nil {
			return err
		}
		files["completions/"+name] = script
	}
	if err := addPages(files, cli.NewRoot(cli.World{Streams: streams(&bytes.Buffer{})})); err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// addPages adds the man pages of a command and its subcommands, which have the text of their --help.
func addPages(files map[string]string, cmd *cobra.Command) error {
	path := strings.Fields(cmd.CommandPath())
	help, err := printed(append(path[1:], "--help")...)
	if err != nil {
		return err
	}
	name := strings.Join(path, "-")
	files["man/"+name+".1"] = manPage(name, cmd.Short, help)
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if err := addPages(files, sub); err != nil {
			return err
		}
	}
	return nil
}

// manPage returns a man page in troff.
func manPage(name, about, help string) string {
	text := strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'")
	return fmt.Sprintf(".TH \"%s\" \"1\" \"\" \"ckpt\" \"ckpt\"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n%s.fi\n"+
		".SH SEE ALSO\n\\fBckpt(1)\\fP\n", strings.ToUpper(name), text.Replace(name), text.Replace(about), text.Replace(help))
}

// printed returns what a command of ckpt prints.
func printed(args ...string) (string, error) {
	var out bytes.Buffer
	if code := cli.Main(context.Background(), args, cli.World{Streams: streams(&out)}); code != 0 {
		return "", fmt.Errorf("ckpt %s: exit code %d", strings.Join(args, " "), code)
	}
	return out.String(), nil
}

// streams returns streams that write the answer to out.
func streams(out *bytes.Buffer) term.Streams {
	return term.Streams{In: strings.NewReader(""), Out: out, Err: os.Stderr}
}
