package cli

import (
	"cmp"
	"context"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/result"
)

// Version is the release, set at build time.
var Version = ""

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
	v := result.Build{Spec: checkpoint.SpecVersion, Go: runtime.Version(), OldestGit: git.Oldest}
	v.Ckpt, v.Commit = build()
	if repo, err := git.Open(env.start()); err == nil {
		v.Git, _ = repo.Version(ctx) // usually known without starting git
	}
	if v.Git == "" {
		v.Git, _ = git.Version(ctx) // without git the version is left out
	}
	return printAnswer(env, "version", v, output.Version)
}

// build returns the version and the commit that the binary was built from.
func build() (version, commit string) {
	version = Version
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return cmp.Or(version, "devel"), ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 7 {
			commit = s.Value[:7]
		}
	}
	if version == "" && info.Main.Version != "(devel)" {
		version = info.Main.Version
	}
	return cmp.Or(version, "devel"), commit
}
