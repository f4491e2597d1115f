package setup

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/result"
)

// Place is a repository, or, without one, a person's own settings.
type Place struct {
	Repo   *git.Repo           // nil for the user's own settings
	Folder string              // the checkpoints folder, from the repository's root
	Getenv func(string) string // required
	DryRun bool                // write nothing, show the change
}

// Site is where agents are set up, and what is planned there.
type Site struct {
	Place
	root    string // that paths of pieces are from; "" where they are whole
	scope   settings.Scope
	server  bool // the server is wanted, too
	status  bool // so is a status line
	permit  Permit
	files   change.Set
	tops    map[string]string // by path: the folder above it that is never removed
	remarks []string
	granted []result.Grant
	folders []string // from the root: see [Site.keepFolders]
}

// open is the site of a scope; the user's own settings need no repository.
func (at Place) open(scope settings.Scope) *Site {
	t := &Site{Place: at, scope: scope, tops: map[string]string{}}
	if scope == settings.User {
		t.Repo = nil
		return t
	}
	t.root = at.Repo.Root()
	return t
}

// pieces are what is to be there for an agent, or why nothing is to be.
func (t *Site) pieces(a settings.Agent) (all []settings.Piece, why string, err error) {
	if a.Name == "copilot" && t.scope == settings.Project {
		claude, _ := settings.Find("claude")
		hooks, err := claude.Pieces(t.ground(settings.Memories()[0]))
		if err != nil {
			return nil, "", err
		}
		if state, _, err := t.state(hooks[0]); err == nil && state != settings.Absent {
			return nil, a.Title + " reads " + hooks[0].Path + " and what goes with it: it needs nothing of its own", nil
		}
	}
	memories := settings.Memories()
	same := t.root != "" && disk.Real(t.path(memories[0])) == disk.Real(t.path(memories[1]))
	read := func(name string) []byte {
		src, _ := t.now(name) // unreadable: whoever edits it says so
		return src
	}
	memory := memories[1]
	if t.root != "" {
		memory = a.Memory(read, same)
	}
	all, err = a.Pieces(t.ground(memory))
	if err == nil && (t.server || slices.ContainsFunc(all, t.isServed)) {
		ground := t.ground(memory)
		ground.Tools = true
		all, err = a.Pieces(ground)
	}
	return all, "", err
}

// isServed reports whether a piece is the entry of `ckpt mcp`, and there.
func (t *Site) isServed(piece settings.Piece) bool {
	if !piece.IsOptional() || piece.What == settings.StatusPiece {
		return false
	}
	state, _, err := t.state(piece)
	return err == nil && state == settings.Present
}

func (t *Site) ground(memory string) settings.Place {
	return settings.Place{Scope: t.scope, Folder: t.Folder, Memory: memory, Getenv: t.Getenv}
}

// plan edits a file, on top of what is planned for it already.
func (t *Site) plan(piece settings.Piece, edit func([]byte) ([]byte, error)) error {
	name := piece.Path
	for _, f := range t.files.Files { // the same file under another name
		if f.Path != name && disk.Real(t.path(f.Path)) == t.real(piece) {
			name = f.Path
		}
	}
	before, err := t.now(name)
	if err != nil {
		return err
	}
	after, err := edit(before)
	if err != nil {
		return inFile(name, err)
	}
	if !bytes.Equal(before, after) || (before == nil) != (after == nil) {
		if err := t.stays(name); err != nil {
			return err
		}
	}
	t.files.Add(change.File{Path: name, Before: before, After: after})
	t.tops[name] = piece.Top
	return nil
}

// stays refuses a file that a symbolic link leads out of the repository, or into its
// git folder: a clone brings links, and its author has no say over other files. The
// user's own settings are where the user has linked them.
func (t *Site) stays(name string) error {
	if t.Repo == nil {
		return nil
	}
	path, root, gitDir := t.path(name), t.Repo.Root(), t.Repo.CommonDir()
	real, inGit := disk.Real(path), disk.Within(path, gitDir)
	if disk.Within(real, disk.Real(gitDir)) {
		if inGit {
			return nil
		}
	} else if disk.Within(real, disk.Real(root)) {
		return nil
	}
	top := root
	if inGit {
		top = gitDir
	}
	link := disk.FirstLink(top, path)
	if rel, err := filepath.Rel(root, link); err == nil {
		link = filepath.ToSlash(rel)
	}
	return fault.New(fault.Refused, "%q is a symbolic link that leads out of the repository's files, to %q: nothing is written through it", link, real).
		WithHint("remove the link, or edit that file by hand")
}

// state says how a piece stands, with what is planned.
func (t *Site) state(piece settings.Piece) (settings.State, string, error) {
	src, err := t.now(piece.Path)
	if err != nil {
		return settings.Absent, "", err
	}
	state, said, err := piece.State(src)
	if err != nil {
		return state, "", inFile(piece.Path, err)
	}
	return state, said, nil
}

// now is a file as it is planned, else as it is.
func (t *Site) now(name string) ([]byte, error) {
	for _, f := range t.files.Files {
		if f.Path == name {
			return f.After, nil
		}
	}
	src, err := disk.ReadFile(t.path(name))
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err
		}
		return nil, fault.New(fault.Failed, "read %q: %w", name, err)
	}
	return src, nil
}

func (t *Site) path(name string) string {
	if t.root == "" {
		return filepath.FromSlash(name)
	}
	return filepath.Join(t.root, filepath.FromSlash(name))
}

func (t *Site) real(piece settings.Piece) string { return disk.Real(t.path(piece.Path)) }

func (t *Site) remark(all ...string) {
	for _, text := range all {
		if text != "" && !slices.Contains(t.remarks, text) {
			t.remarks = append(t.remarks, text)
		}
	}
}

// write writes all files, or puts back those that were written.
func (t *Site) write() error {
	t.keepFolders()
	for i, f := range t.files.Files {
		err := t.put(f.Path, f.Before, f.After)
		if err == nil {
			continue
		}
		for _, done := range slices.Backward(t.files.Files[:i]) {
			if back := t.put(done.Path, done.After, done.Before); back != nil {
				return fault.New(fault.KindOf(err), "%w; putting back %q: %w", err, done.Path, back)
			}
		}
		return err
	}
	return t.noteFolders()
}

// put makes a file hold what it is to hold, unless somebody has changed it since, and
// reads it again.
func (t *Site) put(name string, before, after []byte) error {
	path := t.path(name)
	holds := func(want []byte) bool {
		src, err := disk.ReadFile(path)
		return err == nil && (src == nil) == (want == nil) && bytes.Equal(src, want)
	}
	if !holds(before) {
		return fault.New(fault.Busy, "%q was changed by somebody else just now", name).WithHint("try again")
	}
	var err error
	if after == nil {
		err = disk.Unwrite(path, t.top(name))
	} else {
		err = disk.WriteFile(path, after, true)
	}
	if err == nil && !holds(after) {
		err = fault.New(fault.Failed, "%q does not hold what was written to it", name)
	}
	return err
}

// inFile puts the name of a file, and the line, before what is wrong with it.
func inFile(name string, err error) error {
	if broken, ok := err.(*settings.Broken); ok {
		return fault.New(fault.Invalid, "%s:%d: %w", name, broken.Line, broken.Err).
			WithHint("mend line %d of %s by hand, then type the same again: nothing was written", broken.Line, name)
	}
	return fault.New(fault.KindOf(err), "%s: %w", name, err)
}
