package scan

import (
	"context"

	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/text"
)

// scanHistory scans every version of the files in any commit, once each, and only the lines that it
// adds to the previous version. It returns the hashes of the versions.
func (p *Scanner) scanHistory(ctx context.Context, s *scan, req Request, files []file) (map[string]bool, error) {
	paths := []string{p.prefix}
	if len(req.Paths) > 0 {
		paths = nil
		for _, name := range req.Paths {
			paths = append(paths, p.pathOf(name))
		}
		for _, f := range files { // a name that is an id has no path
			if f.rel != "" {
				paths = append(paths, f.name)
			}
		}
	}
	commits, err := log.Of(p.repo).Versions(ctx, paths...)
	if err != nil {
		return nil, err
	}
	held := map[string]bool{}
	var names []string // the blobs to read: for each version the previous one, if any, and then the version
	var versions []version
	for _, c := range commits {
		s.addMessage(p.prefix, c)
		for _, f := range c.Files {
			if f.After == "" || held[f.After] {
				continue
			}
			if len(req.Paths) == 0 && !p.keeps(f.Path) {
				continue
			}
			held[f.After] = true
			versions = append(versions, version{commit: c.Hash, path: f.Path, at: len(names), since: f.Before != ""})
			if f.Before != "" {
				names = append(names, f.Before)
			}
			names = append(names, f.After)
		}
	}
	missing, err := p.scanVersions(ctx, s, versions, names, req.Progress)
	if missing > 0 {
		s.Remarks = append(s.Remarks, text.Count(missing, "version")+" of files are not in this clone (git fetch --refetch)")
	}
	if cut, shallowErr := p.repo.Objects().Shallow(); len(cut) > 0 && shallowErr == nil {
		s.Remarks = append(s.Remarks, "this clone is shallow: its history begins in the middle (git fetch --unshallow)")
	}
	return held, err
}

// version is a version of a file.
type version struct {
	commit, path string
	at           int  // its index in the names to read; if since is true, the index of the previous version
	since        bool // there is a previous version
}

// scanVersions scans versions, which it reads with one git process. It counts the versions that
// this clone lacks.
func (p *Scanner) scanVersions(ctx context.Context, s *scan, versions []version, names []string,
	progress func(done, total int)) (missing int, err error) {
	next, at, before := 0, 0, ""
	take := func(src []byte) { // take gets the content of the next name, or nil if it is missing
		v := versions[next]
		at++
		if v.since && at-1 == v.at {
			before = string(src)
			return
		}
		next++
		if src == nil {
			missing++
		} else {
			s.Checked++
			s.add(v.path, string(src), v.commit, s.guard.Added(v.path, string(src), before))
		}
		before = ""
		if progress != nil {
			progress(next, len(versions))
		}
	}
	err = p.repo.Objects().Blobs(ctx, names, func(name string, src []byte) {
		if src == nil {
			return // in a partial clone the missing ones come first
		}
		for names[at] != name {
			take(nil)
		}
		take(src)
	})
	for err == nil && at < len(names) {
		take(nil)
	}
	return missing, err
}
