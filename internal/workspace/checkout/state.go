package checkout

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/log"
)

// State is what a worktree remembers of the checkpoint ref.
type State struct {
	Worktree string // names the worktree in commits: a random number, made with the first state

	Branch string            // the branch that was checked out at the last command; empty for a detached HEAD
	Chosen map[string]string // by branch: the id that was last made current here, or [None]
	Last   string            // the id that was last chosen or shown here, whatever the branch; [None] if none was chosen
	Began  map[string]string // by branch: what Last was when the branch was first checked out here

	previous string // the id that was current before the present one, and until when; may be empty

	RemindedOn string // the day of the last reminder of prune; may be empty

	// For ref mode, where the files are in the folder Apart. These stay as they are while the files are on a branch.
	apart   string            // the commit that the files are from; empty before the first
	shown   string            // the id of the checkpoint that the files show as current; may be empty
	left    map[string]string // by path of an unreadable file: its blob from when it could last be read
	settled map[string]string // by folder of the archive: its modification time and tree when it had all files

	// For the other modes, where the files are on a branch; see [Branch].
	written string            // the commit whose files were last written
	at      string            // HEAD when the files were last written; see stamp
	older   map[string]string // by path of a file that ckpt last left alone: its blob without the mark; "" for no file
	marked  map[string]string // by branch: the ids that its commit marks as current, as last seen

	taken   map[string]string // by path: the blob, without the mark, of an edit by hand that only the ref has yet
	landing string            // while files are being written: the commit at HEAD, or [Nothing]

	announced string // a commit, and the id to choose once the ref has the commit; usually empty

	isNew bool // there was no state file
}

// None stands in place of an id for the choice that no checkpoint is current, as after `ckpt use --none`.
const None = "-"

// values returns the values of the state by their names in the file.
func (s *State) values() map[string]*string {
	return map[string]*string{
		"worktree": &s.Worktree, "tip": &s.apart, "branch": &s.Branch, "shown": &s.shown, "last": &s.Last,
		"previous": &s.previous, "reminded": &s.RemindedOn, "written": &s.written, "at": &s.at, "landing": &s.landing,
		"announced": &s.announced,
	}
}

// tables returns the maps of the state by their names in the file.
func (s *State) tables() map[string]*map[string]string {
	return map[string]*map[string]string{
		"chosen": &s.Chosen, "began": &s.Began, "marked": &s.marked, "taken": &s.taken, "left": &s.left,
		"settled": &s.settled, "older": &s.older,
	}
}

// Current returns the id of the checkpoint that is current in the worktree, or "".
func (s State) Current() string { return strings.TrimPrefix(s.Last, None) }

// Tip returns the commit of the ref that the files are from or, if none is recorded, the one for the other folder.
func (c *Checkout) Tip(s State) string {
	if c.apart && s.apart != "" || s.written == "" {
		return s.apart
	}
	return s.written
}

// headThen returns the commit at HEAD when ckpt last wrote the files.
func (s State) headThen() string { return strings.TrimPrefix(s.at, detached) }

// stateName is the name of a worktree's state file, in its [git.Repo.StateDir]. The file has a line for each value:
// its name, the value and, in a table, the branch or path.
const stateName = "checkout"

func (c *Checkout) stateFile() string { return filepath.Join(c.Repo.StateDir(), stateName) }

// Load reads the state of the worktree. It is empty before the first update.
func (c *Checkout) Load() (State, error) { return Read(c.Repo.StateDir()) }

// Read reads the state file in the [git.Repo.StateDir] of a worktree, this one or another.
func Read(dir string) (State, error) {
	var s State
	values, tables := s.values(), s.tables()
	for _, table := range tables {
		*table = map[string]string{}
	}
	src, err := os.ReadFile(filepath.Join(dir, stateName))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, fault.New(fault.Failed, "read the state of the worktree: %w", err)
	}
	for line := range strings.Lines(string(src)) {
		name, value, _ := strings.Cut(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\x00", "\n"), " ")
		if of := values[name]; of != nil {
			*of = value
		}
		if table := tables[name]; table != nil {
			value, key, _ := strings.Cut(value, " ")
			(*table)[key] = value
		}
	}
	return s, nil
}

// Save writes the state of the worktree.
func (c *Checkout) Save(s State) error {
	var lines []string
	for name, value := range s.values() {
		if *value != "" {
			lines = append(lines, name+" "+*value)
		}
	}
	for name, table := range s.tables() {
		for key, value := range *table {
			lines = append(lines, name+" "+value+" "+key)
		}
	}
	slices.Sort(lines)
	return disk.WriteFile(c.stateFile(), asLines(lines), false)
}

// Leave records that a checkpoint was current until now.
func (s *State) Leave(id string, now time.Time) { s.previous = id + " " + checkpoint.FormatTime(now) }

// Previous returns the id of the checkpoint that was current before the present one, and when it stopped being
// current. Both are empty if they are not known.
func (s State) Previous() (id string, left time.Time) {
	id, at, _ := strings.Cut(s.previous, " ")
	left, _ = checkpoint.ParseTime(at)
	return id, left
}

// choose makes a checkpoint, or [None], the current one on the branch.
func (s *State) choose(id string) { s.Last, s.Chosen[s.Branch] = id, id }

// complete makes the choice of an announced operation if the ref contains the operation's commit.
func (c *Checkout) complete(ctx context.Context, s *State, tip string) {
	commit, id, _ := strings.Cut(s.announced, " ")
	if done, _ := log.Of(c.Repo).Contains(ctx, tip, commit); done {
		s.choose(id)
	}
	s.announced = ""
}

// shows reports whether the files mark the current checkpoint. If one was chosen on the branch, it must be that one.
func (s State) shows() bool {
	id, chosen := s.Chosen[s.Branch]
	return s.shown == s.Current() && (!chosen || strings.TrimPrefix(id, None) == s.shown)
}

// forget drops the choices of checkpoints that are not active any more.
func (s *State) forget(isActive func(id string) bool) {
	gone := func(id string) bool { return id != None && !isActive(id) }
	maps.DeleteFunc(s.Chosen, func(_, id string) bool { return gone(id) })
	if gone(s.Last) {
		s.Last = ""
	}
}

// show sets Last to the checkpoint that is current on the branch, and returns its id; "" if none is. It takes the first
// of these that is active or [None]: the last choice on the branch in this worktree; shared, which is the last choice
// on the branch in any clone; the value of Last when the branch was first checked out here.
func (s *State) show(shared string, isActive func(id string) bool) string {
	if _, known := s.Began[s.Branch]; !known || s.Branch == "" {
		s.Began[s.Branch] = s.Last
	}
	s.Last = ""
	for _, id := range []string{s.Chosen[s.Branch], shared, s.Began[s.Branch]} {
		if id == None || isActive(id) {
			s.Last = id
			break
		}
	}
	return s.Current()
}
