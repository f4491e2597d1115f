// Package scan searches for secrets in the checkpoint files, in what is staged, and in history. It
// only reports: a finding has the place of a secret, and never its value.
package scan

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/secrets"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// Scanner searches for secrets in a workspace.
type Scanner struct{ *workspace.Workspace }

// New returns the Scanner of a workspace.
func New(w *workspace.Workspace) *Scanner { return &Scanner{w} }

// Request describes where to search for secrets.
type Request struct {
	Paths    []string              // files, folders or ids; empty means all checkpoint files
	History  bool                  // also every committed version
	Staged   bool                  // only lines that the index adds
	Progress func(done, total int) // called during long work; may be nil
}

// scan is one search for secrets, with its results.
type scan struct {
	*result.Report
	guard *secrets.Scanner
	seen  map[string]bool // the findings so far, by rule, file and value
}

// Scan searches for secrets in the checkpoint files, in what is staged, or in every version in history. Findings have
// paths from the root of the repository. A finding in history also names the commit that added the secret.
func (p *Scanner) Scan(ctx context.Context, req Request) (*result.Report, error) {
	cfg, err := p.Policy(ctx)
	if err != nil {
		return nil, err
	}
	s := &scan{Report: &result.Report{}, guard: workspace.GuardOf(cfg), seen: map[string]bool{}}
	if req.Staged {
		return s.Report, p.scanStaged(ctx, s, req.Paths)
	}
	err = p.ReadWith(ctx, func(view *workspace.View) error {
		files, lost, err := p.toScan(view, req.Paths)
		if err != nil || lost != nil && !req.History {
			return cmp.Or(err, lost)
		}
		scanned := map[string]bool{} // the hashes of versions
		if req.History {
			s.Counted = "version"
			scanned, err = p.scanHistory(ctx, s, req, files)
			if err != nil {
				return err
			}
			if len(scanned) == 0 && lost != nil {
				return lost
			}
		}
		return p.scanFiles(s, view, files, scanned)
	})
	return s.Report, err
}

// file is a file to scan, in the checkpoints folder or outside.
type file struct {
	name      string // the name in the report
	rel       string // the path in the checkpoints folder; empty for a file outside
	elsewhere string // the path of a file outside the checkpoints folder
}

// toScan returns the files that the names mean. Lost is the error for a name that no present file has; history may have
// a file of that name.
func (p *Scanner) toScan(view *workspace.View, names []string) (chosen []file, lost, err error) {
	kept, err := view.Store.Files(store.All)
	if err != nil {
		return nil, nil, err
	}
	var all []file
	for _, rel := range kept {
		if slices.Contains(store.KeepFiles, rel) {
			continue
		}
		all = append(all, file{name: view.FromRoot(rel), rel: rel})
	}
	if len(names) == 0 {
		return all, nil, nil
	}
	for _, name := range names {
		some, err := p.meant(view, all, name)
		switch {
		case err == nil:
			twice := func(f file) bool { return slices.Contains(chosen, f) }
			chosen = append(chosen, slices.DeleteFunc(some, twice)...)
		case fault.KindOf(err) == fault.NotFound:
			lost = err
		default:
			return nil, nil, err
		}
	}
	return chosen, lost, nil
}

// meant returns the files that one name means: a file of the checkpoints folder, the files in one of its
// folders, the file of an id, or a file outside.
func (p *Scanner) meant(view *workspace.View, all []file, name string) ([]file, error) {
	var some []file
	here := p.pathOf(name)
	for _, f := range all {
		if f.name == here || here == "." || strings.HasPrefix(f.name, here+"/") {
			some = append(some, f)
		}
	}
	if len(some) > 0 {
		return some, nil
	}
	whole, err := view.Load(store.All)
	if err != nil {
		return nil, err
	}
	rel, err := whole.PathOf(name)
	if err == nil {
		return []file{{name: view.FromRoot(rel), rel: rel}}, nil
	}
	elsewhere := disk.From(p.Dir, name)
	if !disk.Exists(elsewhere) {
		return nil, err
	}
	return []file{{name: filepath.ToSlash(name), elsewhere: elsewhere}}, nil
}

// pathOf returns a file or folder that a user named, as a path from the root of the repository.
func (p *Scanner) pathOf(name string) string {
	if name == "." || name == ".." {
		name += "/." // relative to the current folder, and not to the root
	}
	return strings.TrimSuffix(p.FromHere(name), "/")
}

// scanFiles scans the present contents of files, except contents whose hash is in scanned.
func (p *Scanner) scanFiles(s *scan, view *workspace.View, files []file, scanned map[string]bool) error {
	for _, f := range files {
		read, path := view.Store.Read, f.rel
		if f.rel == "" {
			read, path = disk.ReadFile, f.elsewhere
		}
		src, err := read(path)
		if err != nil {
			s.Findings = append(s.Findings,
				result.Finding{Code: "unreadable", Path: f.name, Message: "cannot be read: " + err.Error()})
			continue
		}
		if scanned[view.Repo.Objects().BlobHash(src)] {
			continue
		}
		s.Checked++
		s.add(f.name, string(src), "", s.guard.Scan(f.name, string(src)))
	}
	return nil
}

// add reports the secrets in a text of a file.
func (s *scan) add(path, text, commit string, found []secrets.Finding) {
	for _, f := range found {
		what := result.Finding{
			Code: f.Rule, Path: workspace.Redacted(path, text, f), Line: f.Line, Commit: commit,
			Message: "text that looks like a secret",
			Fix:     "Remove and revoke it; if it is not a secret, write ckpt:allow in the line.",
		}
		if commit != "" {
			what.Message += ", brought by commit " + commit[:7]
			what.Fix = outOfHistory
		}
		s.once(what, text[f.Start:f.Stop])
	}
}

// addMessage reports the secrets in a commit's message. The path of such a finding is the checkpoints folder.
func (s *scan) addMessage(folder string, c log.Commit) {
	for _, f := range s.guard.Scan("", c.Subject) {
		s.once(result.Finding{
			Code: f.Rule, Path: folder, Commit: c.Hash,
			Message: "text that looks like a secret, in the message of commit " + c.Hash[:7], Fix: outOfHistory,
		}, c.Subject[f.Start:f.Stop])
	}
}

const outOfHistory = "Revoke it: it stays in history, and in every clone, unless git filter-repo takes it out."

// once adds a finding, unless there is one with the same rule, path and value. Later places of a
// value are not reported.
func (s *scan) once(f result.Finding, value string) {
	key := f.Code + "\x00" + f.Path + "\x00" + value
	if !s.seen[key] {
		s.seen[key] = true
		s.Findings = append(s.Findings, f)
	}
}

// scanStaged scans the lines of checkpoint files that the index adds relative to HEAD.
func (p *Scanner) scanStaged(ctx context.Context, s *scan, names []string) error {
	if len(names) > 0 {
		return fault.New(fault.Usage, "--staged takes no path: it scans all of %s/", p.Prefix).WithHint("ckpt scan --staged")
	}
	changes, err := log.Of(p.Repo).Staged(ctx, p.Prefix)
	if err != nil {
		return err
	}
	var before []string // the contents of all changed files at HEAD, since a file may have moved
	for _, f := range changes {
		src, err := p.Repo.Objects().Blob(f.Before)
		if err != nil {
			return err
		}
		before = append(before, string(src))
	}
	for _, f := range changes {
		if f.After == "" || !p.keeps(f.Path) {
			continue
		}
		src, err := p.Repo.Objects().Blob(f.After)
		if err != nil {
			return err
		}
		s.Checked++
		s.add(f.Path, string(src), "", s.guard.Added(f.Path, string(src), before...))
	}
	return nil
}

// keeps reports whether a path from the root is a file of ckpt in the checkpoints folder.
func (p *Scanner) keeps(path string) bool {
	rel, inside := strings.CutPrefix(path, p.Prefix+"/")
	return inside && store.Keeps(rel)
}
