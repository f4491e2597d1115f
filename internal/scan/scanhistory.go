package scan

import (
	"context"

	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/text"
)

// scanHistory scans each committed version of the files once, and of it only the lines that the previous version lacks.
// It returns the hashes of the versions.
func (p *Scanner) scanHistory(ctx context.Context, s *scan, req Request, files []file) (map[string]bool, error) {
	paths := []string{p.Prefix}
	if len(req.Paths) > 0 {
		paths = nil
		for _, name := range req.Paths {
			paths = append(paths, p.pathOf(name))
		}
		for _, f := range files { // a name may be an id and not a path
			if f.rel != "" {
				paths = append(paths, f.name)
			}
		}
	}
	commits, err := log.Of(p.Repo).Versions(ctx, paths...)
	if err != nil {
		return nil, err
	}
	scanned := map[string]bool{}
	var versions []version
	for _, c := range commits {
		s.addMessage(p.Prefix, c)
		for _, f := range c.Files {
			ours := len(req.Paths) > 0 || p.keeps(f.Path)
			if f.After != "" && !scanned[f.After] && ours {
				scanned[f.After] = true
				versions = append(versions, version{commit: c.Hash, path: f.Path, blob: f.After, before: f.Before})
			}
		}
	}
	missing, err := p.scanVersions(ctx, s, versions, req.Progress)
	if missing > 0 {
		s.Remarks = append(s.Remarks, text.Count(missing, "version")+" of files are not in this clone (git fetch --refetch)")
	}
	if cut, shallowErr := p.Repo.Objects().Shallow(); len(cut) > 0 && shallowErr == nil {
		s.Remarks = append(s.Remarks, "this clone is shallow: its history begins in the middle (git fetch --unshallow)")
	}
	return scanned, err
}

// version is a version of a file.
type version struct{ commit, path, blob, before string }

// scanVersions scans the lines that versions add. It returns the number of versions that this clone lacks.
func (p *Scanner) scanVersions(ctx context.Context, s *scan, versions []version,
	progress func(done, total int)) (missing int, err error) {
	for i, v := range versions {
		contents, blobs := map[string][]byte{}, []string{v.blob}
		if v.before != "" {
			blobs = append(blobs, v.before)
		}
		err := p.Repo.Objects().Blobs(ctx, blobs, func(blob string, src []byte) { contents[blob] = src })
		if err != nil {
			return missing, err
		}
		if src := contents[v.blob]; src == nil {
			missing++
		} else {
			s.Checked++
			s.add(v.path, string(src), v.commit, s.guard.Added(v.path, string(src), string(contents[v.before])))
		}
		if progress != nil {
			progress(i+1, len(versions))
		}
	}
	return missing, nil
}
