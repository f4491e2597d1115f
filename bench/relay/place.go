package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/envtest"
)

// The arms differ in what a session after a cut can use. The names "ckpt-own", "ckpt-off" and "ckpt-ref"
// mean ckpt in that commit mode.
const (
	armCkpt    = "ckpt"    // what `ckpt setup` gives the agent
	armHandoff = "handoff" // HANDOFF.md, which the instructions of the project ask for
	armNone    = "none"    // only the repository
	armResume  = "resume"  // the agent's own command to resume its last session
)

// place is the folder of one run, with a fresh repository and a home folder for the agent.
type place struct {
	order *order
	arm   string
	dir   string    // the repository
	bin   string    // a folder on the PATH, with ckpt
	home  string    // the agent's home folder: its settings and its memory
	now   time.Time // the time of the commands that the scripted agent runs; zero for the real time

	graded map[string]grade // the grades so far, by the hash of the last commit of code
}

// newPlace makes the repository as it is before the order is given. The command ckpt is this program. The agent's home
// is a copy of the folder home, or empty if home is "". Setup is the agent's name for `ckpt setup`; empty if the agent
// is not known.
func newPlace(ctx context.Context, root, home string, o *order, arm, setup string, now time.Time) (*place, error) {
	p := &place{order: o, arm: arm, now: now, graded: map[string]grade{},
		dir: filepath.Join(root, "code"), bin: filepath.Join(root, "bin"), home: filepath.Join(root, "home")}
	for _, folder := range []string{p.dir, p.bin} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return nil, err
		}
	}
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(p.bin, "ckpt"))
	}
	if err == nil && home != "" {
		err = os.CopyFS(p.home, os.DirFS(home))
	} else if err == nil {
		err = os.Mkdir(p.home, 0o777)
	}
	if err == nil {
		err = p.write(o.seed())
	}
	if err != nil {
		return nil, err
	}
	commands := [][]string{{"git", "init", "-q", "-b", "main"}}
	instructions := "AGENTS.md"
	if setup == "claude" {
		instructions = "CLAUDE.md"
	}
	switch {
	case p.isCkpt() && setup == "":
		return nil, fmt.Errorf("the arm %s needs a known agent (-as %s)", arm, strings.Join(streamNames(), "|"))
	case p.isCkpt():
		if _, mode, ok := strings.Cut(arm, "-"); ok {
			commands = append(commands, []string{"ckpt", "init", "--commit", mode})
		}
		commands = append(commands, []string{"ckpt", "setup", setup})
	case arm == armHandoff:
		if err := p.write(map[string]string{instructions: handoffInstructions}); err != nil {
			return nil, err
		}
	case arm != armNone && arm != armResume:
		return nil, fmt.Errorf("unknown arm %q (want ckpt, handoff, none or resume)", arm)
	}
	for _, c := range append(commands, []string{"git", "add", "-A"}, []string{"git", "commit", "-q", "-m", "Start"}) {
		if _, err := p.run(ctx, "", nil, c[0], c[1:]...); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// handoffInstructions is the text of CLAUDE.md or AGENTS.md in the arm handoff.
const handoffInstructions = `# Handoff

Keep the file HANDOFF.md so that another session, which knows nothing of this one, can go on: what the user asked
for with all rules, word for word; what is decided; what is done and committed; what comes next. Write it at the
beginning, after every finished part, and before you stop.

A session begins with reading HANDOFF.md, if it is there.
`

func (p *place) isCkpt() bool { return p.arm == armCkpt || strings.HasPrefix(p.arm, armCkpt+"-") }

// write writes files to the repository. Their modification time is p.now, unless that is zero.
func (p *place) write(files map[string]string) error {
	if err := write(p.dir, files); err != nil || p.now.IsZero() {
		return err
	}
	for name := range files {
		if err := os.Chtimes(filepath.Join(p.dir, filepath.FromSlash(name)), p.now, p.now); err != nil {
			return err
		}
	}
	return nil
}

// env returns the environment of a process in the run. For the scripted agent it is the same on every
// machine. For a real agent it is the caller's environment, with another home folder.
func (p *place) env(vars ...string) []string {
	own := []string{
		"PATH=" + p.bin + string(os.PathListSeparator) + os.Getenv("PATH"),
		"PWD=" + p.dir, // OpenCode works in this folder
		"HOME=" + p.home, "XDG_CONFIG_HOME=" + filepath.Join(p.home, ".config"),
		"GIT_AUTHOR_NAME=Relay", "GIT_AUTHOR_EMAIL=relay@example.com",
		"GIT_COMMITTER_NAME=Relay", "GIT_COMMITTER_EMAIL=relay@example.com",
	}
	if !p.now.IsZero() {
		when := p.now.Format(time.RFC3339)
		own = append(own, clock+"="+when, "GIT_AUTHOR_DATE="+when, "GIT_COMMITTER_DATE="+when)
		return envtest.Env(slices.Concat(own, vars)...)
	}
	caller := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		begins := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		own := []string{"XDG_", "GIT_", "CKPT_", "CLAUDECODE", "CLAUDE_CONFIG", "CODEX_HOME", "COPILOT_HOME"}
		return slices.ContainsFunc(own, begins)
	})
	return slices.Concat(caller, own, []string{"GOCACHE=" + goCache()}, vars)
}

// run runs a command in the repository and returns its standard output.
func (p *place) run(ctx context.Context, stdin string, env []string, name string, args ...string) (string, error) {
	path := name
	if name == "ckpt" {
		path = filepath.Join(p.bin, name)
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Stdin, cmd.Env = p.dir, strings.NewReader(stdin), p.env(env...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, said.String())
	}
	return out.String(), nil
}

// sources describes the files in the program's language. The result changes when code is written.
func (p *place) sources() string {
	var all strings.Builder
	_ = filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil: // the agent may have removed a file meanwhile
			return nil
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != p.dir:
			return filepath.SkipDir
		case filepath.Ext(path) == filepath.Ext(p.order.Main):
			if info, err := d.Info(); err == nil {
				fmt.Fprintln(&all, path, info.Size(), info.ModTime().UnixNano())
			}
		}
		return nil
	})
	return all.String()
}

// ours are git pathspecs for all files but those of ckpt and the handoff.
var ours = []string{".", ":!checkpoints", ":!.ckpt", ":!HANDOFF.md"}

// grade grades the last commit. It copies the program, so that no agent sees the checks.
func (p *place) grade(ctx context.Context) (grade, error) {
	key, err := p.run(ctx, "", nil, "git", slices.Concat([]string{"log", "-1", "--format=%H", "--"}, ours)...)
	if g, ok := p.graded[key]; ok || err != nil {
		return g, err
	}
	dir, err := os.MkdirTemp("", "ckpt-relay-grade-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if _, err := p.run(ctx, "", nil, "git", "clone", "-q", p.dir, dir); err != nil {
		return nil, err
	}
	g, err := p.order.grade(ctx, dir, nil)
	p.graded[key] = g
	return g, err
}

// commits counts the commits of ckpt on the branch, and the other commits except the first.
func (p *place) commits(ctx context.Context) (ckpt, code int, err error) {
	out, err := p.run(ctx, "", nil, "git", "log", "--format=%s")
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "ckpt: ") {
			ckpt++
		} else {
			code++
		}
	}
	return ckpt, code - 1, err
}
