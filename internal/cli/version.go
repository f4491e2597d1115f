package cli

import (
	"cmp"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Version is the release, set when one is built.
var Version = ""

func newVersion(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of ckpt and of the format",
		Example: "  ckpt version\n  ckpt version --json",
		Args:    atMost(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return printVersion(env)
		},
	}
}

func printVersion(env *Env) error {
	version, commit := build()
	return env.Present().Version(version, commit, runtime.Version())
}

// build is the version and the commit that the binary was made of.
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
