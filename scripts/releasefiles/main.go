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
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"example.com/ckpt/internal/cli"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/view"
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
	root.Use = "ckpt COMMAND"
	asMarkdown(root)
	epoch := time.Unix(0, 0).UTC()
	header := doc.GenManHeader{Section: "1", Source: "ckpt", Manual: "ckpt", Date: &epoch}
	err := doc.GenManTree(root, &header, filepath.Join(dir, "man"))
	if err != nil {
		return err
	}
	err = plainFlags(filepath.Join(dir, "man"))
	if err != nil {
		return err
	}
	err = os.WriteFile(filepath.Join(dir, "man", "ckpt-view.1"), viewPage(), 0o666)
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

// asMarkdown changes the texts of a command and its subcommands, which cobra reads as Markdown for the
// man pages, so that the pages show them as ckpt --help does.
func asMarkdown(cmd *cobra.Command) {
	name, args, _ := strings.Cut(cmd.Use, " ")
	cmd.Use = strings.TrimSpace(name + " " + plain.Replace(args))
	cmd.Short = plain.Replace(cmd.Short)
	cmd.Long = paragraphs(cmd.Long)
	cmd.Flags().VisitAll(flagAsMarkdown)
	cmd.PersistentFlags().VisitAll(flagAsMarkdown)
	cmd.InitDefaultHelpFlag() // only now: it adds the flags of the parents
	cmd.Flags().Lookup("help").Hidden = true
	for _, sub := range cmd.Commands() {
		asMarkdown(sub)
	}
}

// flagAsMarkdown escapes the text of a flag, and puts the name of its value where cobra shows its default.
func flagAsMarkdown(f *pflag.Flag) {
	value, usage := pflag.UnquoteUsage(f)
	f.Usage = plain.Replace(usage)
	switch value {
	case "":
		f.DefValue = "" // it has no value
	case "string", "stringArray":
		f.DefValue = "TEXT"
	default:
		f.DefValue = strings.Trim(value, "'")
	}
}

// plainFlags changes the flags in the man pages of a folder from cobra's --at="REV" and --back[=] to
// --at REV and --back.
func plainFlags(dir string) error {
	flag := regexp.MustCompile(`(?m)^(\\fB-.*\\fP)\[?="?(.*?)"?\]?$`)
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		return err
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		text = bytes.ReplaceAll(flag.ReplaceAll(text, []byte("$1 $2")), []byte("\\fP \n"), []byte("\\fP\n"))
		err = os.WriteFile(page, text, 0o666)
		if err != nil {
			return err
		}
	}
	return nil
}

// plain escapes the characters that Markdown gives a meaning.
var plain = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`)

// paragraphs escapes a help text. Its indented lines, which are tables and examples, become code.
func paragraphs(help string) string {
	var page []string
	code := false
	for line := range strings.Lines(help) {
		line = strings.TrimSuffix(line, "\n")
		if indented := strings.HasPrefix(line, " "); indented != code {
			code = indented
			page = append(page, "```")
		}
		if !code {
			line = plain.Replace(line)
		}
		page = append(page, line)
	}
	if code {
		page = append(page, "```")
	}
	return strings.Join(page, "\n")
}

// viewPage returns the man page of ckpt-view, which has the text of ckpt-view --help.
func viewPage() []byte {
	var help bytes.Buffer
	view.Main(context.Background(), []string{"--help"}, streams(&help))
	text := strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(help.String())
	return []byte(".TH \"CKPT\\-VIEW\" \"1\" \"\" \"ckpt\" \"ckpt\"\n.SH NAME\nckpt\\-view \\- draw a Markdown file on the terminal\n" +
		".SH DESCRIPTION\n.nf\n" + text + ".fi\n.SH SEE ALSO\n\\fBckpt\\-show(1)\\fP, \\fBckpt(1)\\fP\n")
}

// streams returns streams that write the answer to out.
func streams(out *bytes.Buffer) term.Streams {
	s := term.Streams{In: strings.NewReader(""), Out: os.Stdout, Err: os.Stderr}
	if out != nil {
		s.Out = out
	}
	return s
}
