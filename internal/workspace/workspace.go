// Package workspace opens a repository, reads its checkpoints as they are at one moment, and
// changes them by transactions.
//
// It promises that a [View] never changes; that a transaction is applied whole or not at all, wherever the process is
// killed; and that files, staged changes and hooks of the user are not touched. A transaction is one commit on the
// checkpoint ref. Afterwards it is published in files and on the branch: at once or, if git is in the middle of a
// rebase, a merge or the like, by a later command. The package refuses a checkpoint that could not be read
// afterwards, what looks like a secret, and a hand edit with an error that the last commit does not have.
//
// Package checkout knows how the files and the branch relate to the ref. An operation need not know:
// it gets a view and returns a transaction.
package workspace

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/agents/recorder"
	"example.com/ckpt/internal/agents/trust"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/workspace/base"
	"example.com/ckpt/internal/workspace/checkout"
	"example.com/ckpt/internal/workspace/figures"
	"example.com/ckpt/internal/workspace/folder"
	"example.com/ckpt/internal/workspace/store"
)

// DefaultFolder is the checkpoints folder if none is configured.
const DefaultFolder = "checkpoints"

// Settings are the options of a caller.
type Settings struct {
	Dir string // the folder to start in; required
	// the checkpoints folder, from the repository's root; if empty, Open sets it from git config ckpt.dir
	Folder string
	Pinned string // the checkpoint that @ means, from -c or $CKPT_ID; "" means the current one
	// Shared is true if $CKPT_ID is set: several agents share this working tree, so a new or undeleted
	// checkpoint does not become current.
	Shared   bool
	Agent    string           // the agent at work, such as "claude"; may be empty
	Session  string           // the agent's session
	Subagent bool             // the agent was started by another agent ($CKPT_SUBAGENT)
	NoCommit bool             // write the files but do not commit them
	DryRun   bool             // show the change and write nothing
	Now      func() time.Time // required

	AllowSecret bool // allow text that looks like a secret
	NoFlags     bool // the caller has no flags, so hints must not name any

	Getenv func(string) string // returns a variable of the environment; required for the user's own settings
}

// Pins reports whether $CKPT_ID names the checkpoint with this id.
func (s Settings) Pins(id string) bool { return s.Shared && (s.Pinned == id || "chk-"+s.Pinned == id) }

// Env returns a variable of the environment, or "" if Getenv is nil.
func (s Settings) Env(name string) string {
	if s.Getenv == nil {
		return ""
	}
	return s.Getenv(name)
}

// Workspace is a git repository with a checkpoints folder. Checkpoints are read from a [View]
// of it, and changed by a transaction; see [Workspace.Change].
type Workspace struct {
	Settings
	Repo   *git.Repo
	Prefix string       // the checkpoints folder in commits, as a slash path from the root
	Disk   *store.Store // the files as they are on disk, even if the ref has newer versions

	Commits *git.Repo       // the repository with the checkpoint ref in place of HEAD; see [folder.Folder]
	mode    policy.Commit   // the commit mode
	files   checkout.Branch // the files of this worktree

	Trust    trust.Record
	Recorder *recorder.Recorder
	Base     base.Finder
	Figures  figures.File

	InHook bool // the caller is an agent's hook, not a person
}

// Open finds the repository that contains s.Dir. It does not read any checkpoint.
func Open(ctx context.Context, s Settings) (*Workspace, error) {
	repo, err := git.Open(s.Dir)
	if err != nil {
		return nil, err
	}
	return In(ctx, repo, s)
}

// In is Open for a repository that is open already.
func In(ctx context.Context, repo *git.Repo, s Settings) (*Workspace, error) {
	name := s.Folder
	if name == "" {
		set, err := repo.Config().Setting(ctx, "ckpt.dir", "")
		if err != nil {
			return nil, err
		}
		name = cmp.Or(set, DefaultFolder)
	}
	if rel, err := filepath.Rel(repo.Root(), name); err == nil && filepath.IsLocal(rel) {
		name = rel
	}
	prefix, err := CleanFolder(name)
	if err != nil {
		return nil, err
	}
	s.Folder = prefix
	p := &Workspace{Settings: s, Repo: repo, Prefix: prefix, Trust: trust.Record{Repo: repo, Env: s.Env}}
	p.Figures = figures.File{Path: filepath.Join(repo.CommonDir(), "ckpt", "figures"), Now: s.Now}
	return p, p.findRef(ctx)
}

// folder returns the checkpoints folder with the files as they are on disk.
func (p *Workspace) folder(repo *git.Repo) *folder.Folder {
	at := &folder.Folder{Repo: repo, Store: p.Disk, Prefix: p.Prefix, FilesDir: p.FilesDir(), Commits: repo}
	if p.Commits != p.Repo {
		at.Commits = p.Commits
	}
	return at
}

// Previous returns the id of the checkpoint that was current in this worktree before the present one, and when it
// stopped being current. Both are empty if they are not known.
func (p *Workspace) Previous() (id string, left time.Time) {
	s, _ := p.files.Load() // a command that needs the state reports the error
	return s.Previous()
}

// FilesDir returns the worktree's folder of checkpoint files, relative to the root. In ref mode this is .ckpt.
func (p *Workspace) FilesDir() string { return p.files.Folder() }

// FromRoot converts a path in the folder of checkpoint files to a slash path from the worktree's root.
func (p *Workspace) FromRoot(rel string) string { return p.FilesDir() + "/" + rel }

// CleanFolder returns the checkpoints folder as a slash path from the repository's root. It must be inside of the
// repository, but not .git.
func CleanFolder(folder string) (string, error) {
	prefix := path.Clean(filepath.ToSlash(folder))
	outside := filepath.IsAbs(folder) || prefix == ".." || strings.HasPrefix(prefix, "../")
	internal := prefix == "." || prefix == ".git" || strings.HasPrefix(prefix, ".git/")
	if outside || internal {
		return "", fault.New(fault.Usage, "the checkpoints folder %q is not a folder inside the repository", folder).
			WithHint("a path from the repository's root, such as checkpoints")
	}
	return prefix, nil
}

// maxCandidates is the maximum number of checkpoints that Candidates lists.
const maxCandidates = 20

// Candidates returns the ids of the checkpoints that could be current, the last changed first. If there are too many,
// the last element tells how many more there are. All reports whether the list is complete.
func Candidates(set *checkpoint.Set) (named []string, all bool) {
	active := set.Active()
	slices.SortFunc(active, checkpoint.LatestFirst)
	more := len(active) - maxCandidates
	if more <= 0 {
		return IDs(active), true
	}
	return append(IDs(active[:maxCandidates]), fmt.Sprintf("%d more", more)), false
}

// IDs returns the ids of checkpoints.
func IDs(list []*checkpoint.Checkpoint) []string {
	all := make([]string, len(list))
	for i, c := range list {
		all[i] = c.ID
	}
	return all
}
