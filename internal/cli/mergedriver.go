package cli

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git/mergefile"
	"example.com/ckpt/internal/resolve"
	"example.com/ckpt/internal/term"
)

// The exit codes that tell git the result of a merge driver.
const (
	driverConflict = 1
	driverFailed   = 129 // git stops the merge and ignores the result
)

func newMergeDriver(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "merge-driver BASE OURS THEIRS PATH [SIZE [LABEL LABEL LABEL]]",
		Short: "Merge a checkpoint file for git",
		Long: `The merge driver that git runs for a file of checkpoints/ after ckpt setup git. It writes
the result to OURS and exits 0, or 1 if the file has conflict markers for a person to
resolve. SIZE is the length of the markers, and the LABELs name base, ours and theirs in
them (git 2.44 and later).`,
		Example: "  git config merge.ckpt.driver 'ckpt merge-driver %O %A %B %P %L %S %X %Y'",
		Hidden:  true,
		Args:    cobra.MatchAll(atLeast(4, "four files"), atMost(8, "four files, a size and three labels")),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := mergeForGit(cmd, env, args); err != nil {
				if _, said := err.(answered); said {
					return err
				}
				fmt.Fprintf(env.Streams.Err, "ckpt: %s: %s\n", term.Plain(args[3]), term.Plain(err.Error()))
				return answered{driverFailed}
			}
			return nil
		},
	}
}

func mergeForGit(cmd *cobra.Command, env *Env, args []string) error {
	req := resolve.DriverRequest{Path: args[3]}
	for i, to := range []*[]byte{&req.Base, &req.Ours, &req.Theirs} {
		src, err := env.file(args[i])
		if err != nil {
			return err
		}
		*to = src
	}
	if len(args) > 4 {
		req.MarkerSize, _ = strconv.Atoi(args[4]) // 0 means git's default
	}
	if len(args) == 8 {
		req.Labels = mergefile.Labels{Base: label(args[5]), Ours: label(args[6]), Theirs: label(args[7])}
	}
	merged, err := resolve.MergeFile(cmd.Context(), env.start(), req)
	if err != nil {
		return err
	}
	if err := disk.WriteFile(env.path(args[1]), merged.Bytes, false); err != nil {
		return err
	}
	for _, said := range merged.Remarks {
		fmt.Fprintf(env.Streams.Err, "ckpt: %s: %s\n", term.Plain(req.Path), term.Plain(said))
	}
	if len(merged.Markers) == 0 {
		return nil
	}
	for _, c := range merged.Markers {
		fmt.Fprintf(env.Streams.Err, "ckpt: %s:%d: both sides changed %s (ckpt resolve)\n", term.Plain(req.Path), c.Line,
			term.Plain(cmp.Or(c.Section, "the beginning")))
	}
	return answered{driverConflict}
}

// label returns the name that git gives a version. It returns "" for a placeholder that an old
// version of git has not replaced.
func label(text string) string {
	if strings.HasPrefix(text, "%") && len(text) == 2 {
		return ""
	}
	return text
}
