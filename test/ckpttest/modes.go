package ckpttest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"example.com/ckpt/internal/git/gittest"
	"example.com/ckpt/internal/text"
)

// Modes runs again, in ref mode, the scripts of a package that are true in every commit mode. It does not compare
// hashes of commits. A script that calls git log gets the log of the checkpoint ref.
func Modes(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	t.Parallel()
	dir := t.TempDir()
	params := params()
	for _, name := range strings.Fields(inEveryMode + onRef) {
		src, err := os.ReadFile(filepath.Join(scriptFolder, name+".txtar"))
		if errors.Is(err, fs.ErrNotExist) {
			continue // the script is in another package
		}
		gittest.Must(t, err)
		file := filepath.Join(dir, name+".txtar")
		src = comparison.Get().ReplaceAll(src, []byte("alike $2 "))
		src = readsLog.Get().ReplaceAll(src, []byte("exec git log refs/ckpt/checkpoints "))
		src = inFolder.Get().ReplaceAll(src, []byte(".ckpt/$1"))
		gittest.Must(t, os.WriteFile(file, src, 0o666))
		params.Files = append(params.Files, file)
	}
	if len(params.Files) == 0 {
		t.Skip("no script of this package is run in ref mode")
	}
	setUp := params.Setup
	params.Setup = func(env *testscript.Env) error {
		env.Setenv(commitMode, "ref")
		return setUp(env)
	}
	testscript.Run(t, params)
}

// commitMode names the environment variable with the mode that the command repo configures.
const commitMode = "CKPT_TEST_COMMIT"

var (
	comparison = text.Regexp(`(?m)^cmp(env)? (stdout|stderr) `)
	readsLog   = text.Regexp(`(?m)^exec git log `)
	inFolder   = text.Regexp(`\bcheckpoints/(active|archive|LEARNINGS)`)
	anyHash    = text.Regexp(`\b([0-9a-f]{40}|[0-9a-f]{7})\b`)
)

// alike compares two files apart from the hashes of commits.
func alike(ts *testscript.TestScript, args []string) {
	a, b := ts.ReadFile(args[0]), ts.ReadFile(args[1])
	if anyHash.Get().ReplaceAllString(a, "HASH") != anyHash.Get().ReplaceAllString(b, "HASH") {
		ts.Fatalf("%s and %s differ:\n%s", args[0], args[1], a)
	}
}

// inEveryMode names scripts that commit operations and then check what depends on the mode: receipts,
// what changed since, which checkpoint is current, what a second operation finds. Scripts that only read,
// or that are about the meaning or the form of a text, do not belong here, because the packages for that do
// not know the mode. Neither do scripts that read the branch or the index with git.
const inEveryMode = `
archive_from_markdown archive_refused completion
defect_04_archive_overwrites defect_08_two_currents defect_12_duplicate_ids defect_13_fork_of_an_archived
delta_twice delta_without_base dry_run export import_again import_refused new_conflict new_duplicate new_id
note_supersedes note_twice paths_from_here quiet resume_facts resume_two_currents secret_usage stdin
validate which_checkpoint
`

// onRef names scripts that read commits, or have them in receipts, or run hooks, plans and tools of
// agents, which must find the commits. It also has some that read the folder, which this mode refreshes.
const onRef = `
agent_brief_late agent_died_compacted agent_nudge agent_opencode agent_remind agent_session_start
delta_others delta_recovered done exit_codes hand_edits_saved_first import_labels import_tools learnings log_session
mcp next plan_changed plan_jobs plan_mixed plan_refused plan_steps prune_apply recorder recorder_work replaced
resume resume_new resume_protocol saves show stats status_due status_due_phases status_incomplete subheadings tree
`
