package log

import (
	"context"
	"path"
	"slices"
	"time"
)

// Blobs are the versions that a file had, the newest first.
type Blobs []Version

// Version is the content that a file had from a time on, and its path. An empty Blob means that the file did not exist.
type Version struct {
	Blob, Path string
	At         time.Time
}

// Index returns the index of the newest version with a blob, or -1.
func (b Blobs) Index(blob string) int {
	return slices.IndexFunc(b, func(v Version) bool { return v.Blob == blob })
}

// Until returns the versions that are not newer than a moment, given in Unix seconds.
func (b Blobs) Until(at int64) Blobs {
	for len(b) > 0 && b[0].At.Unix() > at {
		b = b[1:]
	}
	return b
}

// Blobs returns the versions of files below dir in the history of a commit, by file name. Files with the same name
// share a list, so a file that was moved has one list. If the commit is empty, there are none.
func (l Log) Blobs(ctx context.Context, commit, dir string, names []string) (map[string]Blobs, error) {
	had := map[string]Blobs{}
	if commit == "" || len(names) == 0 {
		return had, nil
	}
	commits, err := l.Ancestors(ctx, commit, Files{Dir: dir, Names: names}, "--full-history")
	for _, c := range commits {
		changes := map[string][2]Version{}
		for _, f := range c.Files {
			name := path.Base(f.Path)
			to, from := changes[name][0], changes[name][1]
			if to.Blob == "" {
				to = Version{f.After, f.Path, c.Time}
			}
			if from.Blob == "" {
				from = Version{f.Before, f.Path, time.Time{}}
			}
			changes[name] = [2]Version{to, from}
		}
		for name, versions := range changes {
			for _, v := range versions {
				if n := len(had[name]); n == 0 || had[name][n-1].Blob != v.Blob {
					had[name] = append(had[name], v)
				} else {
					had[name][n-1].At = c.Time
				}
			}
		}
	}
	return had, err
}
