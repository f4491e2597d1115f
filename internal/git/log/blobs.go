package log

import (
	"context"
	"slices"
	"time"
)

// Blobs are the versions that a file had, the newest first.
type Blobs []Version

// Version is a blob, "" for none, and when the file got it.
type Version struct {
	Blob string
	At   time.Time
}

// Index returns the index of the newest version with a blob, or -1.
func (b Blobs) Index(blob string) int {
	return slices.IndexFunc(b, func(v Version) bool { return v.Blob == blob })
}

// Until returns the versions up to a moment, in seconds.
func (b Blobs) Until(at int64) Blobs {
	for len(b) > 0 && b[0].At.Unix() > at {
		b = b[1:]
	}
	return b
}

// Blobs returns the versions of files of a folder in a commit, which may be empty, and its ancestors, by path.
func (l Log) Blobs(ctx context.Context, commit, dir string, paths []string) (map[string]Blobs, error) {
	had := map[string]Blobs{}
	if commit == "" || len(paths) == 0 {
		return had, nil
	}
	commits, err := l.Ancestors(ctx, commit, Files{Dir: dir, Names: paths}, "--full-history")
	for _, c := range commits {
		for _, f := range c.Files {
			for _, v := range [...]Version{{f.After, c.Time}, {f.Before, time.Time{}}} {
				if n := len(had[f.Path]); n == 0 || had[f.Path][n-1].Blob != v.Blob {
					had[f.Path] = append(had[f.Path], v)
				} else {
					had[f.Path][n-1].At = c.Time
				}
			}
		}
	}
	return had, err
}
