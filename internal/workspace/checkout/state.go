package checkout

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/log"
)

// State is what a worktree remembers of the checkpoint ref.
type State struct {
	Worktree string // names the worktree in commits: a random number, made with the first state

	Tip    string            // the commit that the files are from; empty before the first
	Branch string            // the branch that was checked out then; empty for a detached HEAD
	Shown  string            // the id of the checkpoint that the files show as current; may be empty
	Chosen map[string]string // by branch: the id that was last made current here, or [None]
	Last   string            // the id that was last chosen or shown here, whatever the branch; [None] if none was chosen
	Began  map[string]string // by branch: what Last was when the branch was first checked out here

	written   string            // the commit whose files were last written to the folder of a branch; see [Branch]
	marked    map[string]string // by branch: the ids that its commit marks as current, as last seen
	published map[string]string // by branch: the commit of the ref up to which it has what began on it

	at      string            // the commit of HEAD then
	taken   map[string]string // by path: the blob of an edit by hand that the store has, and the branch not yet
	begun   bool              // a commit of the branch is being made
	landing string            // its parent; "" for none

	left    map[string]string // by path: the blob of Tip that a file was from when it became unreadable
	settled map[string]int64  // by folder of the archive that had every file of Tip: when it was last modified

	announced, announcedID string // see [Checkout.Announce]; usually empty

	isNew bool // there was no state file
}

// None is chosen by `ckpt use --none`. Before a first choice there is no entry instead.
const None = "-"

// stateFile returns the state file: a line for each value, its name first.
func (c *Checkout) stateFile() string { return StateFile(c.Repo.StateDir()) }

// StateFile returns the state file of a worktree, below its [git.Repo.StateDir].
func StateFile(dir string) string { return filepath.Join(dir, "checkout") }

// Load reads the state of the worktree. It is empty before the first update.
func (c *Checkout) Load() (State, error) { return Read(c.stateFile()) }

// Read reads the state file of a worktree, this one or another.
func Read(file string) (State, error) {
	s := State{Chosen: map[string]string{}, Began: map[string]string{}, settled: map[string]int64{},
		left: map[string]string{}, taken: map[string]string{}, marked: map[string]string{}, published: map[string]string{}}
	src, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fault.New(fault.Failed, "read the state of the worktree: %w", err)
	}
	for line := range strings.Lines(string(src)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "worktree":
			s.Worktree = value
		case "tip":
			s.Tip = value
		case "branch":
			s.Branch = value
		case "shown":
			s.Shown = value
		case "last":
			s.Last = value
		case "landing":
			s.begun, s.landing = true, value
		case "written":
			s.written, s.at, _ = strings.Cut(value, " ")
		case "taken":
			blob, rel, _ := strings.Cut(value, " ")
			s.taken[rel] = blob
		case "left":
			blob, rel, _ := strings.Cut(value, " ")
			s.left[rel] = blob
		case "marked":
			ids, branch, _ := strings.Cut(value, " ")
			s.marked[branch] = ids
		case "published":
			commit, branch, _ := strings.Cut(value, " ")
			s.published[branch] = commit
		case "announced":
			s.announced, s.announcedID, _ = strings.Cut(value, " ")
		case "settled":
			modified, folder, _ := strings.Cut(value, " ")
			at, err := strconv.ParseInt(modified, 10, 64)
			if err == nil {
				s.settled[folder] = at
			}
		case "chosen":
			if id, branch, ok := strings.Cut(value, " "); ok {
				s.Chosen[branch] = id
			}
		case "began":
			id, branch, _ := strings.Cut(value, " ")
			s.Began[branch] = id
		}
	}
	return s, nil
}

// save writes the state of the worktree.
func (c *Checkout) save(s State) error {
	text := ""
	for _, line := range [...][2]string{
		{"worktree", s.Worktree}, {"tip", s.Tip}, {"branch", s.Branch}, {"shown", s.Shown}, {"last", s.Last},
	} {
		text += line[0] + " " + line[1] + "\n"
	}
	for _, folder := range slices.Sorted(maps.Keys(s.settled)) {
		text += fmt.Sprintf("settled %d %s\n", s.settled[folder], folder)
	}
	for _, branch := range slices.Sorted(maps.Keys(s.Chosen)) {
		text += "chosen " + s.Chosen[branch] + " " + branch + "\n"
	}
	for _, branch := range slices.Sorted(maps.Keys(s.Began)) {
		text += "began " + s.Began[branch] + " " + branch + "\n"
	}
	if s.written != "" {
		text += "written " + s.written + " " + s.at + "\n"
	}
	if s.begun {
		text += "landing " + s.landing + "\n"
	}
	for _, branch := range slices.Sorted(maps.Keys(s.marked)) {
		text += "marked " + s.marked[branch] + " " + branch + "\n"
	}
	for _, rel := range slices.Sorted(maps.Keys(s.taken)) {
		text += "taken " + s.taken[rel] + " " + rel + "\n"
	}
	for _, rel := range slices.Sorted(maps.Keys(s.left)) {
		text += "left " + s.left[rel] + " " + rel + "\n"
	}
	for _, branch := range slices.Sorted(maps.Keys(s.published)) {
		text += "published " + s.published[branch] + " " + branch + "\n"
	}
	if s.announced != "" {
		text += "announced " + s.announced + " " + s.announcedID + "\n"
	}
	return disk.WriteFile(c.stateFile(), []byte(text), false)
}

// name gives the worktree a name, unless it has one.
func (s *State) name() {
	if s.Worktree == "" {
		s.isNew = true
		s.Worktree = fmt.Sprintf("%016x", rand.Uint64())
	}
}

// choose makes a checkpoint, or [None], the current one on the branch.
func (s *State) choose(id string) { s.Last, s.Chosen[s.Branch] = id, id }

// complete makes the choice of an announced operation if a commit of the ref contains it.
func (c *Checkout) complete(ctx context.Context, s *State, tip string) {
	done := s.announced == tip
	if !done && tip != "" {
		_, err := c.Repo.Git(ctx, nil, "merge-base", "--is-ancestor", s.announced, tip)
		done = err == nil
	}
	if done {
		s.choose(s.announcedID)
	}
	s.announced, s.announcedID = "", ""
}

// shows reports whether the files show what was chosen on the branch.
func (s State) shows() bool {
	id, chosen := s.Chosen[s.Branch]
	return !chosen || strings.TrimPrefix(id, None) == s.Shown
}

// forgetGone forgets the commit that the files are from if git has removed it, as after a gc of a ref that
// was deleted: then all files count as edited.
func (c *Checkout) forgetGone(ctx context.Context, s *State) {
	if s.Tip != "" && !log.Of(c.Repo).HasCommit(ctx, s.Tip) {
		s.Tip = ""
		clear(s.left)
	}
}

// forget drops the choices of checkpoints that are not active any more.
func (s *State) forget(active []string) {
	gone := func(id string) bool { return id != None && !slices.Contains(active, id) }
	maps.DeleteFunc(s.Chosen, func(_, id string) bool { return gone(id) })
	if gone(s.Last) {
		s.Last = ""
	}
}

// show makes the checkpoint that is current on the branch the last one, and returns its id, or "". It
// takes the first that there is of: the one that was made current in this worktree on the branch;
// shared, the one that was last made current on it in any clone; the last one when the branch was new
// here. A worktree without an earlier commit of the ref begins with the only active checkpoint.
func (s *State) show(shared string, active []string, first bool) string {
	_, known := s.Began[s.Branch]
	if first && !known && len(active) == 1 {
		s.Last = active[0]
	}
	if !known || s.Branch == "" {
		s.Began[s.Branch] = s.Last
	}
	s.Last = ""
	for _, id := range []string{s.Chosen[s.Branch], shared, s.Began[s.Branch]} {
		if id == None || slices.Contains(active, id) {
			s.Last = id
			break
		}
	}
	return strings.TrimPrefix(s.Last, None)
}
