package cli_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pages returns the files of docs/commands by name.
func pages(t *testing.T) map[string]string {
	root := docsRoot()
	shown, kinds := examples(t, root), kindsOf(t, root)
	all := map[string]string{"README.md": index(t, root)}
	for _, cmd := range commands(root) {
		all[pageName(cmd)] = commandPage(cmd, shown[cmd.CommandPath()], kinds[cmd.CommandPath()])
	}
	return all
}

func pageName(cmd *cobra.Command) string {
	return strings.ReplaceAll(strings.TrimPrefix(cmd.CommandPath(), "ckpt "), " ", "-") + ".md"
}

const made = "<!-- made by go test ./internal/cli -update -->\n"

func commandPage(cmd *cobra.Command, shown []example, kinds []string) string {
	var b strings.Builder
	b.WriteString(made + "\n# " + cmd.CommandPath() + "\n\n" + prose(cmd.Short) + ".\n")
	use := strings.TrimSuffix(cmd.UseLine(), " [flags]")
	if cmd.HasAvailableLocalFlags() && cmd.LocalNonPersistentFlags().HasAvailableFlags() {
		use += " [flags]"
	}
	b.WriteString("\n```\n" + use + "\n```\n")
	if cmd.Long != "" {
		b.WriteString("\n" + described(cmd.Long) + "\n")
	}
	if subs := commands(cmd); len(subs) > 0 {
		b.WriteString("\n| Command | |\n|---------|---|\n")
		for _, sub := range subs {
			b.WriteString(commandRow(sub))
		}
	}
	b.WriteString("\n" + exampleSection(cmd, shown))
	if table := flagTable(cmd.LocalNonPersistentFlags(), cmd.Flags().SortFlags); table != "" {
		b.WriteString("\n## Flags\n\n" + table)
	}
	b.WriteString("\n[All commands](README.md) · [flags of every command](README.md#flags-of-every-command) · [exit codes](README.md#exit-codes)")
	b.WriteString(" · JSON: ")
	for _, kind := range kinds {
		b.WriteString("[" + kind + "](../json.md#" + kind + "), ")
	}
	b.WriteString("[all](../json.md)\n")
	return b.String()
}

func index(t *testing.T, root *cobra.Command) string {
	var b strings.Builder
	b.WriteString(made + "\n# Commands\n\n" + prose(root.Long) + "\n\n" +
		"The page of a command has the text of `ckpt COMMAND --help`, and the command with its output, which a test\n" +
		"compares. … is what is left out there, and remarks on standard error are not shown.\n\n" + about(t, root, "ID is") + "\n")
	for _, g := range helpGroups(t, root) {
		b.WriteString("\n## " + g.title + "\n\n| Command | |\n|---------|---|\n")
		for _, name := range g.names {
			cmd, _, err := root.Find([]string{name})
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString(commandRow(cmd))
		}
	}
	b.WriteString("\n## Flags of every command\n\n" + flagTable(root.PersistentFlags(), false))
	b.WriteString("\n## Exit codes\n\n| Code | Meaning |\n|-----:|---------|\n")
	for _, m := range exitCode.FindAllStringSubmatch(exitCodes(t, root), -1) {
		b.WriteString("| " + m[1] + " | " + m[2] + " |\n")
	}
	return b.String()
}

var exitCode = regexp.MustCompile(`(\d) ([^;.]+)[;.]`)

// exitCodes returns the last paragraph of `ckpt help all`.
func exitCodes(t *testing.T, root *cobra.Command) string {
	t.Helper()
	_, codes, ok := strings.Cut(strings.ReplaceAll(helpAll(t, root), "\n", " "), "Exit codes: ")
	if !ok {
		t.Fatal("ckpt help all does not end with the exit codes")
	}
	return codes
}

func helpAll(t *testing.T, root *cobra.Command) string {
	t.Helper()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetArgs([]string{"help", "all"})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func commandRow(cmd *cobra.Command) string {
	return "| [" + strings.TrimPrefix(cmd.CommandPath(), "ckpt ") + "](" + pageName(cmd) + ") | " + prose(cmd.Short) + " |\n"
}

// helpGroup is a paragraph of `ckpt help all`.
type helpGroup struct {
	title string
	names []string
}

// helpGroups reads the groups from the help, so that they are defined only once.
func helpGroups(t *testing.T, root *cobra.Command) []helpGroup {
	t.Helper()
	var groups []helpGroup
	for line := range strings.Lines(helpAll(t, root)) {
		line = strings.TrimRight(line, "\n")
		switch name, isCommand := strings.CutPrefix(line, "  ckpt "); {
		case line == "Global flags":
			return groups
		case isCommand && len(groups) > 0:
			g := &groups[len(groups)-1]
			name, _, _ = strings.Cut(name, " ")
			cmd, _, err := root.Find([]string{name})
			if err != nil {
				t.Fatal(err)
			}
			if cmd.IsAvailableCommand() && !slices.Contains(g.names, name) {
				g.names = append(g.names, name)
			}
		case line != "" && line[0] != ' ':
			groups = append(groups, helpGroup{title: line})
		}
	}
	t.Fatal("ckpt help all does not end with the global flags")
	return nil
}

// about returns the paragraph of the help that begins with a word.
func about(t *testing.T, root *cobra.Command, begin string) string {
	t.Helper()
	for _, paragraph := range help(t, root) {
		if strings.HasPrefix(paragraph, begin) {
			return prose(paragraph)
		}
	}
	t.Fatalf("ckpt --help has no paragraph that begins with %q", begin)
	return ""
}

func help(t *testing.T, root *cobra.Command) []string {
	t.Helper()
	var out bytes.Buffer
	root.SetOut(&out)
	if err := root.Help(); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimRight(out.String(), "\n"), "\n\n")
}

func flagTable(flags *pflag.FlagSet, sorted bool) string {
	var b strings.Builder
	flags.SortFlags = sorted
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		takes, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		switch takes {
		case "":
		case "string", "stringArray", "strings":
			name += " TEXT"
		case "int":
			name += " N"
		default:
			name += " " + takes
		}
		if takes != "" && f.DefValue != "" && f.DefValue != "0" && f.DefValue != "[]" {
			usage += " (default " + f.DefValue + ")"
		}
		b.WriteString("| `" + strings.ReplaceAll(name, "|", `\|`) + "` | " + strings.ReplaceAll(prose(usage), "|", `\|`) + " |\n")
	})
	if b.Len() == 0 {
		return ""
	}
	return "| Flag | Meaning |\n|------|---------|\n" + b.String()
}

// inCode matches the words of a help text that Markdown shows as code: flags, files,
// folders, variables, and patterns of arguments.
var inCode = regexp.MustCompile(`(^|[\s(])(` + strings.Join([]string{
	`'[#A-Z][^']*'`, `[A-Z]+\[:[A-Z:\[\]]*\]`, // 'WHAT: WHY', PATH[:ACTION]
	`--?[A-Za-z][\w-]*`, `-`, `#{2,}`, `@`, // --flag, ###
	`[\w./-]*\w\.(?:md|yaml)`, `\.git[a-z]+`, `[a-z][\w./-]*/`, // LEARNINGS.md, active/
	`[A-Z]+\\_[A-Z]+`, `git config [\w.]+`, // CKPT_DIR
}, "|") + `)([,.;:)\s]|$)`)

// described returns a help text as Markdown. Indented lines, such as a table of keys,
// become code: otherwise they would be one paragraph.
func described(text string) string {
	var blocks []string
	code := false
	var lines []string
	end := func() {
		block := strings.Trim(strings.Join(lines, "\n"), "\n")
		switch {
		case block == "":
		case code:
			blocks = append(blocks, "```\n"+unindent(block)+"\n```")
		default:
			blocks = append(blocks, prose(block))
		}
		lines = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if indented := strings.HasPrefix(line, "  "); line != "" && indented != code {
			end()
			code = indented
		}
		lines = append(lines, line)
	}
	end()
	return strings.Join(blocks, "\n\n")
}

// prose returns a help text without indented lines as Markdown.
func prose(text string) string {
	text = strings.NewReplacer("<", "&lt;", "*", `\*`, "_", `\_`).Replace(text)
	for range 2 { // words side by side share the space between them
		parts := strings.Split(text, "`")
		for i := 0; i < len(parts); i += 2 { // the other parts are code already
			parts[i] = inCode.ReplaceAllStringFunc(parts[i], func(s string) string {
				m := inCode.FindStringSubmatch(s)
				return m[1] + "`" + strings.ReplaceAll(m[2], `\_`, "_") + "`" + m[3]
			})
		}
		text = strings.Join(parts, "`")
	}
	return text
}

func unindent(example string) string {
	var lines []string
	for line := range strings.Lines(example) {
		lines = append(lines, strings.TrimPrefix(strings.TrimRight(line, "\n"), "  "))
	}
	return strings.Join(lines, "\n")
}
