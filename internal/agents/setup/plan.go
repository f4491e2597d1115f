package setup

import (
	"bytes"
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/agents/settings"
	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
)

// Repository is what setup needs of a git repository.
type Repository interface {
	Root() string
	CommonDir() string
	Sharing() disk.Sharing // Sharing returns what files in CommonDir grant to other users
	Lock(ctx context.Context, mode disk.Mode) (unlock func(), err error)
}

// Place is where setup writes: a repository, or, if Repo is nil, a person's own settings.
type Place struct {
	Repo   Repository          // nil for the user's own settings
	Folder string              // the checkpoints folder in commits, as a path from the repository's root
	Files  string              // the folder of the files, which agents are told; it differs from Folder only in ref mode
	Getenv func(string) string // required
	DryRun bool                // show the change and write nothing
}

// Plan has the edits of a setup. They are written together, or not at all.
type Plan struct {
	Place
	request Request
	agents  []settings.Agent
	root    string // the folder that paths of pieces are relative to; empty if they are absolute
	files   change.Set
	tops    map[string]string // by the path of a file, a folder above it, which is never removed
	remarks []string
	granted []result.Grant
}

// plan returns an empty plan for the scope of a request. The user's own settings need no
// repository.
func (at Place) plan(req Request) *Plan {
	p := &Plan{Place: at, request: req, tops: map[string]string{}}
	if req.Scope == settings.User {
		p.Repo = nil
	} else {
		p.root = at.Repo.Root()
	}
	return p
}

func (p *Plan) path(name string) string {
	if p.root == "" {
		return filepath.FromSlash(name)
	}
	return filepath.Join(p.root, filepath.FromSlash(name))
}

// pathIn returns the path of a piece of the given scope, which may be another scope than the plan's.
func (p *Plan) pathIn(scope settings.Scope, piece settings.Piece) string {
	if scope == settings.User {
		return filepath.FromSlash(piece.Path)
	}
	return p.path(piece.Path)
}

func (p *Plan) realPath(piece settings.Piece) string { return disk.Real(p.path(piece.Path)) }

func (p *Plan) remark(all ...string) {
	for _, text := range all {
		if text != "" && !slices.Contains(p.remarks, text) {
			p.remarks = append(p.remarks, text)
		}
	}
}

// read returns a file with the edits that are planned so far.
func (p *Plan) read(name string) ([]byte, error) {
	for _, f := range p.files.Files {
		if f.Path == name {
			return f.After, nil
		}
	}
	src, err := disk.ReadFile(p.path(name))
	if err != nil {
		return nil, fault.New(fault.Failed, "read %q: %w", name, disk.Pathless(err))
	}
	return src, nil
}

// state returns the state of a piece after the planned edits, and a remark on it.
func (p *Plan) state(piece settings.Piece) (settings.State, string, error) {
	src, err := p.read(piece.Path)
	if err != nil {
		return settings.Absent, "", err
	}
	state, remark, err := piece.State(src)
	if err != nil {
		return state, "", inFile(piece.Path, err)
	}
	return state, remark, nil
}

// edit plans an edit of a piece's file, on top of the edits that are planned already.
func (p *Plan) edit(piece settings.Piece, edit func([]byte) ([]byte, error)) error {
	name := piece.Path
	for _, f := range p.files.Files { // the plan may have the same file under another name
		if f.Path != name && disk.Real(p.path(f.Path)) == p.realPath(piece) {
			name = f.Path
		}
	}
	before, err := p.read(name)
	if err != nil {
		return err
	}
	after, err := edit(before)
	if err != nil {
		return inFile(name, err)
	}
	if !bytes.Equal(before, after) || (before == nil) != (after == nil) {
		if err := p.refuseLink(name); err != nil {
			return err
		}
	}
	p.files.Add(change.File{Path: name, Before: before, After: after})
	p.tops[name] = piece.Top
	return nil
}

// inFile adds the name of a file to an error.
func inFile(name string, err error) error {
	named := fault.New(fault.KindOf(err), "%s: %w", name, err)
	if fault.KindOf(err) == fault.Invalid {
		return named.WithHint("fix %s by hand, then repeat the command: nothing was written", name)
	}
	return named
}

// refuseLink returns an error for a path that leads through a symbolic link out of the repository, or into
// its git folder: the link may come from the author of the clone, who must not write to other files. In
// their own settings users make the links themselves, so these are followed.
func (p *Plan) refuseLink(name string) error {
	if p.Repo == nil {
		return nil
	}
	path, root, gitDir := p.path(name), p.Repo.Root(), p.Repo.CommonDir()
	target, isGits := disk.Real(path), disk.Within(path, gitDir)
	allowed, top := root, root
	if disk.Within(target, disk.Real(gitDir)) {
		allowed = gitDir
	}
	if isGits {
		top = gitDir
	}
	if disk.Within(target, disk.Real(allowed)) && (allowed == root || isGits) {
		return nil
	}
	link := disk.FirstLink(top, path)
	if rel, err := filepath.Rel(root, link); err == nil {
		link = filepath.ToSlash(rel)
	}
	return fault.New(fault.Refused, "%q is a symbolic link that leads out of the repository's files, to %q: nothing "+
		"is written through it", link, target).
		WithHint("remove the link, or edit that file by hand")
}

// Apply writes the planned edits, and returns the receipt of an operation.
func (p *Plan) Apply(op string) (*result.Receipt, error) {
	receipt := &result.Receipt{Op: op, Remarks: p.remarks, Granted: p.granted}
	var names []string
	for _, a := range p.agents {
		names = append(names, a.Name)
	}
	receipt.Summary = strings.Join(names, ", ")
	for _, f := range p.files.Files {
		receipt.Files = append(receipt.Files, f.Path)
	}
	switch {
	case p.files.Empty():
		receipt.Unchanged = true
		return receipt, nil
	case p.DryRun:
		receipt.DryRun = true
		receipt.Diff = change.Patch(p.files.Files)
		return receipt, nil
	}
	receipt.Pending = "not committed: these files are yours"
	if p.request.Scope != settings.Project {
		receipt.Pending = "for you alone"
	}
	return receipt, p.write()
}

// write writes all files. If one fails, it restores those that were written.
func (p *Plan) write() error {
	for i, f := range p.files.Files {
		err := p.replace(f.Path, f.Before, f.After)
		if err == nil {
			continue
		}
		for _, done := range slices.Backward(p.files.Files[:i]) {
			if back := p.replace(done.Path, done.After, done.Before); back != nil {
				return fault.New(fault.KindOf(err), "%w; restoring %q: %w", err, done.Path, back)
			}
		}
		return err
	}
	return nil
}

// replace changes the content of a file and reads it again. It refuses if the file has changed
// since the edit was planned.
func (p *Plan) replace(name string, before, after []byte) error {
	path := p.path(name)
	has := func(want []byte) bool {
		src, err := disk.ReadFile(path)
		return err == nil && (src == nil) == (want == nil) && bytes.Equal(src, want)
	}
	if !has(before) {
		return fault.New(fault.Busy, "%q was changed by another program just now", name).WithHint("try again")
	}
	var err error
	if after == nil {
		err = disk.Unwrite(path, cmp.Or(filepath.FromSlash(p.tops[name]), p.root))
	} else {
		err = disk.WriteFile(path, after, true)
	}
	if err == nil && !has(after) {
		err = fault.New(fault.Failed, "%q has other content than was written to it", name)
	}
	return err
}
