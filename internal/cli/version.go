package cli

import (
	"context"
	"runtime"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/build"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/result"
)

func newVersion(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the versions of ckpt, of the format and of git",
		Example: "  ckpt version\n  ckpt version --json",
		Args:    atMost(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return printVersion(cmd.Context(), env)
		},
	}
}

func printVersion(ctx context.Context, env *Env) error {
	v := result.Build{
		Ckpt: build.Version(), Commit: build.Commit(),
		Spec: checkpoint.SpecVersion, Go: runtime.Version(), OldestGit: git.Oldest,
	}
	if repo, err := git.Open(env.start()); err == nil {
		v.Git, _ = repo.Version(ctx) // usually known without starting git
	}
	if v.Git == "" {
		v.Git, _ = git.Version(ctx) // if git is not installed, its version is left out
	}
	return printAnswer(env, "version", v, output.Version)
}
