package changes

import (
	"maps"
	"slices"
	"strings"
)

const (
	created  = "created"
	modified = "modified"
	deleted  = "deleted"
)

// netChanges folds events, oldest first, into the net effect on each file.
type netChanges struct {
	exclude string // a folder whose files do not count
	files   map[string]*File
}

// add adds an event. Of other people's events only those count that undo or move the user's
// work.
func (f *netChanges) add(e event) {
	switch in, out := f.excluded(e.path), e.from != "" && f.excluded(e.from); {
	case in && (e.from == "" || out):
		return
	case in: // renamed into the folder
		e.kind, e.path, e.from = 'D', e.from, ""
	case out: // renamed out of it
		e.kind, e.from = 'A', ""
	}
	was := f.files[e.path]
	if !e.mine {
		f.byOthers(e, was)
		return
	}
	var now *File
	switch e.kind {
	case 'A':
		now = &File{Action: created}
		if was != nil && was.Action == deleted {
			now.Action = modified
		}
	case 'D':
		now = &File{Action: deleted}
		if was != nil && was.Action == created {
			now = nil
		} else if was != nil && was.Renamed {
			f.keep(was.From, &File{Action: deleted}, was, e)
			now = nil
		}
	case 'R':
		now = renamed(f.files[e.from], e)
		was = f.files[e.from]
		delete(f.files, e.from)
	default:
		now = &File{Action: modified}
		if was != nil && was.Action != deleted {
			*now = *was
		}
	}
	f.keep(e.path, now, was, e)
}

// renamed returns the file at e.path after a rename, given what e.from was.
func renamed(was *File, e event) *File {
	switch {
	case was != nil && was.Action == created:
		return &File{Action: created}
	case was != nil && was.From == e.path: // back again
		return &File{Action: modified}
	case was != nil && was.Renamed:
		return &File{Action: modified, Renamed: true, From: was.From}
	}
	return &File{Action: modified, Renamed: true, From: e.from}
}

// keep stores the new state of path; nil if nothing is left to report.
func (f *netChanges) keep(path string, now, was *File, e event) {
	if now == nil {
		delete(f.files, path)
		return
	}
	now.Path, now.Subject, now.At = path, e.subject, e.at
	if e.uncommitted {
		now.Uncommitted = true
		if was != nil {
			now.Subject, now.At = was.Subject, was.At
		}
	}
	f.files[path] = now
}

func (f *netChanges) byOthers(e event, was *File) {
	switch e.kind {
	case 'D':
		delete(f.files, e.path)
	case 'A':
		if was != nil && was.Action == deleted {
			was.Action = modified
		}
	case 'R':
		if moved := f.files[e.from]; moved != nil {
			delete(f.files, e.from)
			moved.Path = e.path
			f.files[e.path] = moved
		}
	}
}

func (f *netChanges) excluded(path string) bool {
	return f.exclude != "" && (path == f.exclude || strings.HasPrefix(path, f.exclude+"/"))
}

// excludes reports whether a commit touched excluded files and no others.
func (f *netChanges) excludes(events []event) bool {
	return len(events) > 0 && !slices.ContainsFunc(events, func(e event) bool {
		return !f.excluded(e.path) || e.from != "" && !f.excluded(e.from)
	})
}

func (f *netChanges) sorted() []File {
	var files []File
	for _, path := range slices.Sorted(maps.Keys(f.files)) {
		files = append(files, *f.files[path])
	}
	return files
}
