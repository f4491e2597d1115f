package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// history compares commands that read the history of a checkpoint with git commands for its file. In the repository, n
// commits change the checkpoint and n commits change code.
func (b *bench) history(n int) {
	dir := filepath.Join(b.dir, fmt.Sprintf("history-%d", n))
	check(os.MkdirAll(dir, 0o777))
	pipe, done := importer(dir)
	const file = "checkpoints/active/chk-000.md"
	var deltas []string
	for i := range n {
		text := strings.Replace(checkpoint(0, true), "Half of it works.", fmt.Sprintf("Step %d of it works.", i), 1)
		text = strings.Replace(text, "1. Do the other half", fmt.Sprintf("1. Do part %d of the other half", i/3), 1)
		text = strings.Replace(text, fmt.Sprintf("- **Decision %d**: because", i%12),
			fmt.Sprintf("- **Decision %d**: for the reason %d, because", i%12, i), 1)
		if i%5 == 0 {
			deltas = append(deltas, fmt.Sprintf("\n## Delta: 2026-01-02T%02d:%02d:00Z\n\n### What Changed\n\nStep %d is done.\n",
				i/60%24, i%60, i))
			deltas = deltas[max(0, len(deltas)-30):]
		}
		text += strings.Join(deltas, "")
		message := fmt.Sprintf("ckpt: delta chk-000: step %d\n\nCheckpoint: chk-000\nCheckpoint-Op: delta\n", i)
		fmt.Fprintf(pipe, "commit refs/heads/main\ncommitter Bench <bench@example.com> %d +0000\ndata %d\n%s\n",
			1767225600+120*i, len(message), message)
		fmt.Fprintf(pipe, "M 100644 inline %s\ndata %d\n%s\n", file, len(text), text)
		fmt.Fprintf(pipe, "commit refs/heads/main\ncommitter Bench <bench@example.com> %d +0000\ndata 4\ncode\n",
			1767225660+120*i)
		fmt.Fprintf(pipe, "M 100644 inline src/%d.txt\ndata 2\nx\n\n", i)
	}
	fmt.Fprint(pipe, "done\n")
	done()

	follow := []string{"git", "log", "--follow", "-p", file}
	old := fmt.Sprintf("HEAD~%d", n)
	b.pair("`log`", "`git log --follow -p FILE`", dir, b.ckpt("log"), follow)
	b.pair("`log --limit 10`", "`git log --follow -p FILE`", dir, b.ckpt("log", "--limit", "10"), follow)
	b.pair("`show --at "+old+"`", "`git show "+old+":FILE`", dir, b.ckpt("show", "--at", old),
		[]string{"git", "show", old + ":" + file})
	b.pair("`show --at @{"+fmt.Sprint(n/2)+"}`", "`git log --follow -p FILE`", dir,
		b.ckpt("show", "--at", fmt.Sprintf("@{%d}", n/2)), follow)
	b.pair("`diff "+old+"`", "`git diff "+old+" -- FILE`", dir, b.ckpt("diff", old),
		[]string{"git", "diff", old, "--", file})
}
