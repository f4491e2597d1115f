package cli

import (
	"bytes"
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/history"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/query"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/checkout"
)

func newBrowse(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:        "browse [ID]",
		SuggestFor: []string{"tui", "ui", "tig"},
		Short:      "Look through the checkpoints and work on them, on a full screen",
		Long: `Show the checkpoints on a full screen: a list at the left, the selected one at the
right. The current one comes first; a file that cannot be read is listed with the reason.
The list is updated while agents write the files.

  u         use: make the selected one current
  e         edit it in your editor, then save it
  a         archive it; the outcome is asked for
  z         undo the last change
  y  Y      copy the id, the brief
  enter     read; esc goes back
  l  D  d   log, last change, details
  /  n  N   search everything; go to the next hit, the one before
  t         in the order of the tree, or the last changed first
  ?         all keys
  q         quit

Each change runs the command of that name, and is one commit. ckpt-view draws the screen;
it is installed beside ckpt. In a pipe use ckpt tree, ckpt list and ckpt show.`,
		Example: "  ckpt browse\n  ckpt browse auth",
		Args:    atMost(1, "one ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case env.json:
				return fault.New(fault.Usage, "browse is for people: it has no --json").
					WithHint("ckpt tree --json, or ckpt list --all --json")
			case !env.Streams.InIsTerminal() || !env.Streams.OutIsTerminal() || env.Streams.Getenv("TERM") == "dumb":
				return fault.New(fault.Unsupported, "browse needs a terminal").WithHint("ckpt tree, ckpt list --all or ckpt show")
			case env.Browse != nil:
				b, err := env.browsing(cmd.Context(), firstArg(args))
				if err != nil {
					return err
				}
				return env.Browse(cmd.Context(), env.Streams, b)
			}
			viewer, ok := term.Companion(term.Viewer)
			if !ok {
				return fault.New(fault.Unsupported, "ckpt-view is not installed").
					WithHint("put it beside ckpt, or run go install ./cmd/... in a clone of ckpt; else ckpt tree or ckpt show")
			}
			return term.Become(cmd.Context(), env.Streams, viewer, append([]string{BrowseFlag}, env.args...)...)
		},
		ValidArgsFunction: completer{env}.all,
	}
}

// BrowseFlag is the first argument that makes ckpt-view run a command line of ckpt with the browser
// included.
const BrowseFlag = "--browse"

// Browsing gives a browser the checkpoints of a repository, and runs commands of ckpt for it. Its
// methods may be called concurrently.
type Browsing struct {
	env     *Env
	project *workspace.Workspace
	first   string
}

// browsing opens the repository for a browser. The browser begins with the checkpoint that name names, or with the
// current one if name is empty.
func (e *Env) browsing(ctx context.Context, name string) (*Browsing, error) {
	p, err := e.Project(ctx)
	if err != nil {
		return nil, err
	}
	b := &Browsing{env: e, project: p}
	if name != "" {
		c, err := history.New(p).Show(ctx, name)
		if err != nil {
			return nil, err
		}
		b.first = c.Path
	}
	return b, nil
}

// First returns the path of the checkpoint to begin with. Empty means the current one.
func (b *Browsing) First() string { return b.first }

// Now returns the time.
func (b *Browsing) Now() time.Time { return b.env.Now() }

// Folders returns the checkpoints folders of all worktrees. A folder need not exist.
func (b *Browsing) Folders() []string {
	all, names := []string{b.project.Disk.Dir}, []string{b.project.Prefix}
	if b.project.Commits != b.project.Repo {
		names = append(names, checkout.Apart(b.project.Prefix))
	}
	if folders, err := b.project.Repo.Branches().OtherFolders(); err == nil {
		for _, f := range folders {
			for _, name := range names {
				all = append(all, filepath.Join(f.Root, filepath.FromSlash(name)))
			}
		}
	}
	return all
}

// Forest returns the checkpoints of this worktree.
func (b *Browsing) Forest(ctx context.Context) (*lineage.Forest, error) {
	return query.New(b.project).Tree(ctx, query.TreeRequest{})
}

// Command runs a command line of ckpt and returns its standard output and its standard error. Width
// is the width of the terminal in columns; 0 means that the output is a pipe. The first argument is
// the name of the command. Global flags of this run apply.
func (b *Browsing) Command(ctx context.Context, width int, args ...string) (answer, remarks string, err error) {
	var out, said bytes.Buffer
	s := b.env.Streams
	s.In, s.Out, s.Err = strings.NewReader(""), &out, &said
	if width > 0 {
		s.Out = term.Screen(&out)
		s.Env = append(slices.Clip(s.Env), "COLUMNS="+strconv.Itoa(width), "GIT_PAGER=cat", "PAGER=cat")
	}
	run := &Env{
		World: World{Streams: s, Dir: b.env.start(), Now: b.env.Now},
		args:  slices.Insert(args, 1, b.env.globalFlags()...),
		ctx:   ctx,
	}
	_, err = run.execute()
	return out.String(), said.String(), err
}

// Edit runs the user's editor on a checkpoint in this terminal, saves it and returns a line about the result.
func (b *Browsing) Edit(ctx context.Context, id string) (answer string, err error) {
	receipt, err := openEditor(ctx, b.env.Streams, b.project, id, "")
	if err != nil {
		return "", err
	}
	return strings.TrimSpace("save "+receipt.ID) + ": " + cmp.Or(receipt.Summary, "unchanged"), nil
}

// globalFlags returns the global flags of this run that the commands of a browser inherit.
func (e *Env) globalFlags() []string {
	var flags []string
	if e.folder != "" {
		flags = append(flags, "--dir", e.folder)
	}
	for flag, on := range map[string]bool{"--no-commit": e.noCommit, "--dry-run": e.dryRun, "--allow-secret": e.secret} {
		if on {
			flags = append(flags, flag)
		}
	}
	return flags
}
