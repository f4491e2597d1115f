package cli

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/term"
)

func newDemo(env *Env) *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the main workflow in a temporary repository",
		Long: "Make a temporary repository with some code, and run the main workflow there with real\n" +
			"commands, showing each command and its answer. The repository is removed at the end\n" +
			"unless --keep is given. Your configuration is not read.",
		Example: "  ckpt demo\n  ckpt demo --keep",
		Args:    atMost(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if env.json || env.dryRun || env.noCommit {
				return fault.New(fault.Usage, "the demo is for reading: it takes no --json, --dry-run or --no-commit").
					WithHint("ckpt demo")
			}
			dir, err := os.MkdirTemp("", "ckpt-demo-")
			if err != nil {
				return fault.New(fault.Failed, "make a folder for the demo: %w", err)
			}
			if !keep {
				defer os.RemoveAll(dir)
			}
			return env.paged(func(s term.Streams) error { return runDemo(cmd.Context(), env, s, dir, keep) })
		},
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "keep the repository")
	return cmd
}

// runDemo makes the repository in dir and plays the script there.
func runDemo(ctx context.Context, env *Env, s term.Streams, dir string, keep bool) error {
	d := &demo{env: env, streams: s, dir: dir}
	err := ignoreUser(filepath.Join(dir, ".git", "no-home"))
	if err != nil {
		return fault.New(fault.Failed, "prepare the environment of the demo: %w", err)
	}
	d.repo, err = git.Init(ctx, dir)
	if err != nil {
		return err
	}
	for _, setting := range [][2]string{{"user.name", "Demo"}, {"user.email", "demo@example.com"}} {
		if _, err := d.repo.Run(ctx, "config", setting[0], setting[1]); err != nil {
			return err
		}
	}
	if err := d.play(ctx); err != nil {
		return fault.New(fault.KindOf(err), "the demo: %w", err)
	}
	next := tryNext
	if keep {
		next += "\n# The repository of the demo is kept: " + dir
	}
	fmt.Fprintf(s.Out, "\n%s\n", s.Style().Green(next))
	return nil
}

// tryNext is the text at the end of the demo.
const tryNext = `# Now in a repository of yours:
#   ckpt new NAME --problem '...'    begin a checkpoint
#   ckpt setup claude                let your agent read and write it by itself
#   ckpt --help                      all commands on one page`

// ignoreUser hides the configuration of the user and of the system from this process and from git, so that the demo is
// the same on every machine. Their home folder becomes home, a path that does not exist.
func ignoreUser(home string) error {
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "GIT_") && name != "GIT_EXEC_PATH" || name == "XDG_CONFIG_HOME" {
			if err := os.Unsetenv(name); err != nil {
				return err
			}
		}
	}
	for name, value := range map[string]string{
		"HOME": home, "GIT_CONFIG_GLOBAL": filepath.Join(home, ".gitconfig"),
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1", "GIT_TEMPLATE_DIR": "",
	} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

// demo is one run of the demo.
type demo struct {
	env     *Env
	streams term.Streams
	dir     string
	repo    *git.Repo
}

// step is one step of the demo: the explanation, the files that are edited, and the command that is
// typed.
type step struct {
	say   string
	write map[string]string
	run   []string
}

// script shows the main workflow, from an empty project to the learnings.
var script = []step{
	{say: "A small project, as somebody left it:", write: map[string]string{
		"README.md":     "# shop\n\nA web shop that forgets who you are.\n",
		"login/sso.py":  "def check(token, now):\n    return token.expires > now\n",
		"login/test.py": "def test_nothing():\n    pass\n",
	}},
	{run: []string{"git", "add", "."}},
	{run: []string{"git", "commit", "-q", "-m", "The shop as we found it"}},
	{say: "Begin. What must survive goes into a checkpoint, which is a Markdown file in this repository:",
		run: []string{"ckpt", "new", "sso", "--problem",
			"Logins over SSO fail for one user in twenty since release 2.3; support gets ten calls a day.",
			"--intent", "SSO logins work for everybody again, and a test keeps it so.",
			"--next", "Reproduce it with a test in login/test.py", "--next", "Fix the check in login/sso.py",
			"--rule", "Do not touch the session format"}},
	{say: "A decision, the moment it is made, so that nobody asks again:",
		run: []string{"ckpt", "note", "decision", "Allow 60 s of clock drift", "--why",
			"the servers of the identity provider are up to 40 s ahead"}},
	{say: "Work on the code. One change is committed, one is not:", write: map[string]string{
		"login/test.py": "from sso import check\n\ndef test_clock_drift():\n    assert check(token(expires=100), now=130)\n",
	}},
	{run: []string{"git", "commit", "-q", "-a", "-m", "Test: a token from a clock that is ahead"}},
	{write: map[string]string{
		"login/sso.py": "DRIFT = 60  # seconds\n\ndef check(token, now):\n    return token.expires + DRIFT > now\n",
	}},
	{say: "Before you stop: one command. Which files changed, git knows:",
		run: []string{"ckpt", "delta", "-m", "A token from a clock that is ahead is accepted, up to 60 s.", "--done", "#1",
			"--done", "Fix the check",
			"--state", "The check allows for drift and its test passes. It is not yet committed, and " +
				"the docs say nothing of it.",
			"--next", "Commit login/sso.py", "--next", "Describe the drift in README.md"}},
	{say: "That was one commit. This is what it did to the checkpoint:",
		run: []string{"git", "show", "--format=%s%n%n%b", "--unified=0"}},
	{say: "Something else turns up. It gets a fork of its own; rules and decisions go along:",
		run: []string{"ckpt", "new", "sso-log", "--parent", "sso", "--problem",
			"A refused token leaves no line in the log, so nobody saw the drift coming.",
			"--next", "Log the refusal in login/sso.py"}},
	{run: []string{"ckpt", "tree"}},
	{run: []string{"ckpt", "archive", "--outcome", "Refusals are logged with the drift in seconds", "--learning",
		"Log why a login is refused: drift showed at once", "--back"}},
	{say: "The next morning, another agent, an empty context. This is what it reads:", run: []string{"ckpt", "resume"}},
	{say: "It goes on, and ends the work. What was learned is kept for every session to come:",
		run: []string{"ckpt", "archive", "--outcome", "SSO logins work again; a test covers clock drift", "--learning",
			"Identity providers' clocks run ahead: allow 60 s"}},
	{run: []string{"ckpt", "learnings"}},
	{run: []string{"ckpt", "tree"}},
	{say: "Every change was one commit with checkpoint files only. The edit of login/sso.py is " +
		"as it was, not committed:",
		run: []string{"git", "log", "--oneline", "--stat=60"}},
	{run: []string{"git", "status", "--short"}},
}

// play shows the steps of the script.
func (d *demo) play(ctx context.Context) error {
	style := d.streams.Style()
	for _, s := range script {
		if s.say != "" {
			fmt.Fprintf(d.streams.Out, "\n%s\n", style.Green("# "+s.say))
		}
		for _, path := range slices.Sorted(maps.Keys(s.write)) {
			if err := d.write(path, s.write[path]); err != nil {
				return err
			}
		}
		if s.run == nil {
			continue
		}
		fmt.Fprintf(d.streams.Out, "\n%s\n", style.Bold("$ "+shellLine(s.run)))
		if err := d.run(ctx, s.run); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (d *demo) write(path, content string) error {
	fmt.Fprintf(d.streams.Out, "  (write %s)\n", path)
	return disk.WriteFile(filepath.Join(d.dir, filepath.FromSlash(path)), []byte(content), false)
}

// run runs a command of the demo: ckpt in this process, git as a child process.
func (d *demo) run(ctx context.Context, command []string) error {
	if command[0] == "ckpt" {
		streams := d.streams
		streams.Err = streams.Out // so that messages and answers stay in order
		streams.Env = slices.DeleteFunc(slices.Clone(streams.Env),
			func(v string) bool { return strings.HasPrefix(v, "CKPT_") })
		streams.Env = append(streams.Env, "GIT_PAGER=cat", "PAGER=cat") // the whole demo is paged, not each command
		if code := Main(ctx, command[1:], World{Streams: streams, Dir: d.dir, Now: d.env.Now}); code != 0 {
			return fault.New(fault.Failed, "%s: exit code %d", shellLine(command), code)
		}
		return nil
	}
	color := "color.ui=never"
	if d.streams.Color() {
		color = "color.ui=always"
	}
	out, err := d.repo.Run(ctx, append([]string{"-c", color}, command[1:]...)...)
	fmt.Fprint(d.streams.Out, string(out)) // the demo wrote all files: the only escape sequences are git's
	return err
}
