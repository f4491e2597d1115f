package ckpttest

import (
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// typed writes the commands in the file TEXT, a text for agents, to the shell script SCRIPT. Each line `PLACEHOLDER =
// text` of the file FILL has the text that replaces a placeholder.
func typed(ts *testscript.TestScript, args []string) {
	fill := map[string]string{}
	var names []string
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		name, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
		if !ok {
			ts.Fatalf("%s: %q says nothing of a placeholder", args[1], line)
		}
		fill[name], names = text, append(names, regexp.QuoteMeta(name))
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	named := regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)

	code := regexp.MustCompile("(?s)```sh\n(.*?)```|`(ckpt [^`\n]+)`")
	placeholder := regexp.MustCompile(`\b[A-Z]{2,}\b`)
	var script strings.Builder
	for _, block := range code.FindAllStringSubmatch(ts.ReadFile(args[0]), -1) {
		commands := block[1] + block[2]
		for _, left := range placeholder.FindAllString(named.ReplaceAllString(commands, ""), -1) {
			if left != "EOF" {
				ts.Fatalf("%s does not say what to write for %s in\n%s", args[1], left, commands)
			}
		}
		script.WriteString(named.ReplaceAllStringFunc(commands, func(name string) string { return fill[name] }) + "\n")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(script.String()), 0o666))
}
