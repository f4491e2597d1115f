package cli

import (
	"context"
	"fmt"
	"slices"

	"example.com/ckpt/internal/agents/hooks"
	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/workspace"
)

// gitHook answers a hook of git. Only pre-commit can fail, and only because of a problem in a
// staged file: an error of ckpt itself must not prevent a commit.
func gitHook(ctx context.Context, env *Env, args []string) error {
	if len(args) == 0 || !slices.Contains(settings.GitEvents, settings.GitEvent(args[0])) {
		remark(env, fmt.Sprintf("EVENT of git is one of %v", settings.GitEvents))
		return nil
	}
	p, err := env.Project(ctx)
	if err != nil {
		if fault.KindOf(err) != fault.NotFound {
			remark(env, err.Error())
		}
		return nil
	}
	switch settings.GitEvent(args[0]) {
	case settings.PreCommit:
		return beforeCommit(ctx, env, p)
	case settings.PostCheckout, settings.PostMerge:
		if len(args) == 4 && (args[3] != "1" || args[1] == args[2]) { // HEAD is the same commit as before
			return nil
		}
		var line string
		line, err = hooks.New(p).CurrentLine(ctx)
		if line != "" && !env.quiet {
			fmt.Fprintf(env.Streams.Err, "ckpt: %s\n", term.Plain(line))
		}
	}
	if err != nil {
		remark(env, err.Error())
	}
	return nil
}

// beforeCommit refuses a commit of checkpoint files that have errors.
func beforeCommit(ctx context.Context, env *Env, p *workspace.Workspace) error {
	found, err := hooks.New(p).BeforeCommit(ctx)
	if err != nil {
		remark(env, err.Error())
		return nil
	}
	if len(found.Findings) == 0 {
		return nil
	}
	said := env.Streams
	said.Out = env.Streams.Err
	if err := output.Print(output.New(said, true, env.Now()), found, output.Report); err != nil {
		return err
	}
	fmt.Fprintf(env.Streams.Err,
		"ckpt: the commit is refused because of its files in %s/\n"+
			"hint: fix it and git add it, or commit anyway: git commit --no-verify\n", p.Prefix)
	return answered{fault.Failed.ExitCode()}
}
