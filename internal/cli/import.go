package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/transfer"
)

func newImport(env *Env) *cobra.Command {
	var req transfer.ImportRequest
	var bar *term.Progress
	cmd := &cobra.Command{
		Use:        "import FILE...",
		SuggestFor: []string{"migrate", "convert", "adopt", "load"},
		Short:      "Make checkpoints from hand-offs, to-do lists and the like",
		Long: `Make a checkpoint from each file: hand-offs (HANDOFF.md, CONTINUITY.md, STATE.md), progress
logs (claude-progress.txt), to-do lists, memory banks (the folder is one checkpoint),
checkpoints of another repository or of an older version of the format, rows of a store
(JSON lines or a list, in one of the schemas of ckpt export); - is standard input. The
entries of a LEARNINGS.md are added to yours. All of it is one commit, of at most 64 MiB;
the files themselves stay where they are.

No word is lost. A heading, or a label such as "Next:", that clearly names a section of
the format begins it: Goal is Session Intent, Done is Play-By-Play, TODO is Next Actions.
If no heading names the next actions, open checkboxes and tables of open tasks become
them, but not acceptance criteria. Text marked as done goes to Play-By-Play, and text
marked as open does not. In a log of sessions only the newest entry counts. Everything
else goes to a section Imported, in its order and with its headings. The output lists how
many lines each section has.

People write in many ways, and import does not understand what they write. Of 45 files
from public repositories, new to it, 42 had a next action: import put one that a careful
reader accepts first in 29 of them, and in 9 something else. So check the next action that
it prints; --dry-run shows the whole checkpoint.

The time of the checkpoint is the one in the file, else that of the file's first commit,
else that of the file. A source that was imported before is recognized by its content and
skipped without --force. New checkpoints are active, not current; those with a Completion
are archived.`,
		Example: `  ckpt import HANDOFF.md --current
  ckpt import memory-bank .claude/handoffs/*.md
  ckpt import checkpoints.jsonl             # mongoexport, or rows of SQLite as JSON
  sqlite3 -json ctx.db 'SELECT * FROM checkpoints' | ckpt import -
  ckpt import --dry-run docs/STATE.md       # what would become of it
  ckpt undo                                 # takes all of it back`,
		Args: cobra.MatchAll(atLeast(1, "a file"), noneEmpty),
		RunE: env.open(func(c call) error {
			req.Paths, req.Stdin = c.args, env.Streams.In
			if !env.quiet {
				bar = env.Streams.Progress(env.Now)
			}
			req.Progress = func(doing string, done, total int) {
				if total > 0 {
					doing += fmt.Sprintf(": %d of %d", done, total)
				}
				bar.Show(doing)
			}
			made, err := transfer.New(c.project).Import(c.ctx, req)
			bar.Done()
			return answer(env, "import", output.Import)(made, err)
		}),
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Var(name{&req.ID}, "id", "take this `ID` for the one checkpoint")
	f.BoolVar(&req.Current, "current", false, "make the one checkpoint current")
	f.BoolVar(&req.Force, "force", false, "also import what was imported before")
	return cmd
}
