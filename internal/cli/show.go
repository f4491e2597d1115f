package cli

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/query"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/text"
)

func newShow(env *Env) *cobra.Command {
	var raw, details bool
	var section, at string
	cmd := &cobra.Command{
		Use:        "show [ID]",
		SuggestFor: []string{"cat", "view", "details", "info"},
		Short:      "Show a checkpoint: rendered on a terminal, its bytes in a pipe",
		Long: "Show a checkpoint. On a terminal ckpt-view renders it; a pipe gets the bytes of the file.\n" +
			"--raw also shows a file that cannot be read. --at shows a former version: at a git\n" +
			"revision, on a day or at a time, or so many versions ago (--at @{1}, or -1; auth@{1};\n" +
			"ckpt log numbers them from 0). For a deleted checkpoint give the full id. With\n" +
			"commit: ref a revision of the code means the newest version that was made at that\n" +
			"commit or an ancestor of it.\n\n" +
			"--details shows all that is known about it, as Markdown: its frontmatter; what is\n" +
			"completed, in progress and pending, with a percentage; live decisions, numbered; its\n" +
			"files by folder; a snapshot of its state as JSON; parent and children; its size and that\n" +
			"of each section; its deltas and versions. The percentage is the progress in the file, or\n" +
			"else the share of completed items among next actions, status transitions, entries with a\n" +
			"checkbox, and steps.",
		Example: "  ckpt show\n  ckpt show auth --section decisions\n  ckpt show @ --json\n  ckpt show --at @{1}\n" +
			"  ckpt show auth@{2}\n  ckpt show auth --at 2026-01-02 --section next-actions\n  ckpt show auth --details",
		Args: atMost(1, "one ID"),
		RunE: env.open(func(c call) error {
			if raw && env.json {
				return fault.New(fault.Usage, "--raw is the bytes of the file, --json an answer of its own").
					WithHint("leave out one of them")
			}
			name := c.id
			if at == "" {
				name, at = history.Version(name)
			}
			var shown output.Shown
			var src []byte
			var err error
			h := history.New(c.project)
			switch {
			case raw && at != "":
				src, err = h.RawAt(c.ctx, name, at)
			case raw:
				src, _, err = h.Raw(c.ctx, name)
			case at != "":
				shown.At = new(revisions.Version)
				shown.Checkpoint, *shown.At, err = h.ShowAt(c.ctx, name, at)
			default:
				shown.Checkpoint, err = h.Show(c.ctx, name)
			}
			if err == nil && raw {
				return env.bytes(src)
			}
			if err == nil {
				shown.Only, err = sectionsNamed(shown.Checkpoint, section)
			}
			if err != nil {
				return err
			}
			if details {
				d, err := query.New(c.project).Inspect(c.ctx, shown.Checkpoint)
				if err != nil {
					return err
				}
				d.At = shown.At
				return drawn(env, "checkpoint", d, output.Details)
			}
			return drawn(env, "checkpoint", shown, output.Checkpoint)
		}),
		ValidArgsFunction: completer{env}.all,
	}
	cmd.Flags().BoolVar(&raw, "raw", false, "the bytes, not rendered")
	cmd.Flags().BoolVar(&details, "details", false, "all that is known about it")
	cmd.Flags().StringVar(&section, "section", "",
		"only the section `NAME`: decisions, next-actions, ..., or one of your own")
	cmd.Flags().StringVar(&at, "at", "", "as it was at `REV|DATE`: HEAD~3, v1.0, 2026-01-02, @{1} for the version before")
	cmd.MarkFlagsMutuallyExclusive("details", "raw", "section")
	complete(cmd, "section", cobra.FixedCompletions(sectionNames(nil), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// sectionsNamed returns the sections of c that --section names, or nil if the flag is not given.
func sectionsNamed(c *checkpoint.Checkpoint, name string) ([]checkpoint.Section, error) {
	if name == "" {
		return nil, nil
	}
	if sections := c.SectionsNamed(name); len(sections) > 0 {
		return sections, nil
	}
	all := sectionNames(c)
	hint := "one of " + strings.Join(all, ", ")
	if near := text.Similar(name, all); len(near) > 0 {
		hint = tryOne("ckpt show "+c.ID+" --section", near, "")
	}
	return nil, fault.New(fault.Usage, "%q is not a section of the format, nor of %s", name, c.ID).WithHint("%s", hint)
}

// sectionNames returns the names of the sections of the format. If c is not nil, it adds the names of the other
// sections of c, quoted for the shell.
func sectionNames(c *checkpoint.Checkpoint) []string {
	var names []string
	for _, k := range checkpoint.Kinds() {
		if k != checkpoint.Essential {
			names = append(names, k.Template().Name)
		}
	}
	if c != nil {
		for _, s := range c.OwnSections() {
			if name := text.ShellQuoted(s.Name()); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// drawn prints an answer that is Markdown. For a person on a terminal, ckpt-view renders it.
func drawn[T any](e *Env, kind string, answer T, text func(*output.Printer, T)) error {
	if e.json || !e.toPerson() {
		return printAnswer(e, kind, answer, text)
	}
	s := e.configured()
	var markdown, remarks bytes.Buffer
	if err := output.Print(e.printer(term.Streams{Out: &markdown, Err: &remarks}), answer, text); err != nil {
		return err
	}
	err := drawMarkdown(e, s, markdown.Bytes())
	_, _ = remarks.WriteTo(s.Err) // an error of standard error cannot be reported
	return err
}

// drawMarkdown shows Markdown without its empty sections: by ckpt-view, or as plain text if that is not installed.
func drawMarkdown(e *Env, s term.Streams, markdown []byte) error {
	if d, err := doc.Parse(markdown); err == nil {
		markdown = d.Filled()
	}
	if len(markdown) == 0 {
		return nil
	}
	viewer, ok := term.Companion(term.Viewer)
	if ok {
		return term.View(e.ctx, s, viewer, markdown)
	}
	if !e.quiet {
		fmt.Fprintln(s.Err, "ckpt: ckpt-view, which renders Markdown, is not installed: put it beside ckpt")
	}
	return term.Page(e.ctx, s, term.Plain(string(markdown)))
}

// bytes writes the content of a file: unchanged to a pipe, and without control characters to a
// terminal.
func (e *Env) bytes(src []byte) error {
	return e.paged(func(s term.Streams) error {
		if s.OutIsTerminal() {
			src = []byte(term.Plain(string(src)))
		}
		_, err := s.Out.Write(src)
		return err
	})
}
