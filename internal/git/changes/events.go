package changes

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
)

// event is one change of one file.
type event struct {
	kind        byte // 'A' for added, 'M' modified, 'D' deleted, 'R' renamed
	path, from  string
	mine        bool
	uncommitted bool
	subject     string
	at          time.Time // when the commit of the event was authored

	// Set for an uncommitted change in the index, in the working tree, or with a merge conflict.
	staged, edited, conflict bool
}

// logged is a commit in the output of git log.
type logged struct {
	email, author, subject, hash, message string
	at                                    time.Time // when it was authored
	date                                  string    // when it was committed: 2026-01-02
	merge                                 bool
	left                                  bool    // the commit is on the left side of a range A...B, with --left-right
	events                                []event // for a merge, its changes relative to the first parent
}

// logFormat makes git log write logFields fields before the files of each commit. parseLog reads them.
const (
	logFormat = "--format=%x01%m%ae%x00%an%x00%s%x00%H%x00%P%x00%at%x00%cs%x00%B"
	logFields = 8
)

// parseLog reads `git log -z --name-status` in logFormat.
func parseLog(out []byte) []logged {
	var commits []logged
	fields := strings.Split(string(out), "\x00")
	for len(fields) >= logFields {
		email, ok := strings.CutPrefix(strings.TrimPrefix(fields[0], "\n"), "\x01")
		if !ok {
			fields = fields[1:]
			continue
		}
		seconds, _ := strconv.ParseInt(fields[5], 10, 64) // git prints a valid number
		c := logged{
			email: strings.TrimLeft(email, "<>"), author: fields[1], subject: fields[2], hash: fields[3],
			merge: strings.Contains(fields[4], " "), left: strings.HasPrefix(email, "<"),
			at: time.Unix(seconds, 0).UTC(), date: fields[6], message: fields[7],
		}
		c.events, fields = parseEvents(fields[logFields:])
		commits = append(commits, c)
	}
	return commits
}

// parseEvents reads what `-z --name-status` prints: for each file a letter, which a line break may precede, and one
// path or two. It stops at the head of the next commit and returns the remaining fields.
func parseEvents(fields []string) (events []event, rest []string) {
	for len(fields) > 1 {
		letter := strings.TrimPrefix(fields[0], "\n")
		if strings.HasPrefix(letter, "\x01") {
			break
		}
		if letter == "" {
			fields = fields[1:]
			continue
		}
		e := event{kind: letter[0], path: fields[1]}
		fields = fields[2:]
		if (e.kind == 'R' || e.kind == 'C') && len(fields) > 0 {
			e.from, e.path = e.path, fields[0]
			fields = fields[1:]
		}
		switch e.kind {
		case 'C': // a copy counts as a new file
			e.kind, e.from = 'A', ""
		case 'T': // a change between file and link
			e.kind = 'M'
		}
		events = append(events, e)
	}
	return events, fields
}

// uncommitted returns the changes of index and working tree since HEAD, outside the folder exclude. Git lists that
// folder but does not read its files, because an archive can be large.
func (c Changes) uncommitted(ctx context.Context, exclude string) ([]event, error) {
	if c.status != nil {
		return *c.status, nil
	}
	out, err := c.withRenames(func(similar string) ([]byte, error) {
		return c.repo.GitGlob(ctx, "status", "--porcelain=v2", "-z", "--untracked-files=all", similar,
			"--ignore-submodules=dirty", "--", ".", ":(exclude,literal)"+exclude)
	})
	return parseStatus(out), err
}

// parseStatus reads `git status --porcelain=v2 -z`.
func parseStatus(out []byte) []event {
	var events []event
	fields := strings.Split(string(out), "\x00")
	for i := 0; i < len(fields); i++ {
		kind, rest, _ := strings.Cut(fields[i], " ")
		switch kind {
		case "?":
			events = append(events, event{kind: 'A', path: rest, edited: true})
		case "1":
			if p := strings.SplitN(rest, " ", 8); len(p) == 8 && len(p[0]) == 2 {
				if k := netStatus(p[0][0], p[0][1]); k != 0 {
					events = append(events, event{kind: k, path: p[7], staged: p[0][0] != '.', edited: p[0][1] != '.'})
				}
			}
		case "2":
			p := strings.SplitN(rest, " ", 9)
			i++
			if len(p) != 9 || i >= len(fields) || len(p[0]) != 2 {
				continue
			}
			for _, e := range renameEvents(p[0], p[7], p[8], fields[i]) {
				e.staged, e.edited = p[0][0] != '.', p[0][1] != '.'
				events = append(events, e)
			}
		case "u":
			if p := strings.SplitN(rest, " ", 10); len(p) == 10 {
				events = append(events, event{kind: 'M', path: p[9], conflict: true})
			}
		}
	}
	return events
}

// netStatus returns the letter for the combined change of one file from HEAD to the working tree.
// It is 0 for no change, as for a file that was added and deleted again.
func netStatus(staged, unstaged byte) byte {
	switch {
	case staged == 'A' && unstaged == 'D':
		return 0
	case staged == 'A' || unstaged == 'A': // unstaged is 'A' for a file that was added with `git add -N`
		return 'A'
	case staged == 'D' || unstaged == 'D':
		return 'D'
	}
	return 'M'
}

// renameEvents returns the events of a rename or a copy in the status. The new file may have been deleted again.
func renameEvents(xy, score, path, from string) []event {
	copied, deleted := score[0] == 'C', xy[1] == 'D'
	switch {
	case copied && deleted:
		return nil
	case copied:
		return []event{{kind: 'A', path: path}}
	case deleted:
		return []event{{kind: 'D', path: from}}
	}
	return []event{{kind: 'R', path: path, from: from}}
}

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

// add adds an event. Events of other people count only if they undo or move the user's work.
func (f *netChanges) add(e event) {
	in, out := f.excluded(e.path), e.from != "" && f.excluded(e.from)
	switch {
	case in && (e.from == "" || out):
		return
	case in: // the file was renamed into the excluded folder
		e.kind, e.path, e.from = 'D', e.from, ""
	case out: // the file was renamed out of the excluded folder
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

// renamed returns the state of the file at e.path after a rename, given the state at e.from.
func renamed(was *File, e event) *File {
	switch {
	case was != nil && was.Action == created:
		return &File{Action: created, From: cmp.Or(was.From, e.from)}
	case was != nil && was.From == e.path: // the file has its old name again
		return &File{Action: modified}
	case was != nil && was.Renamed:
		return &File{Action: modified, Renamed: true, From: was.From}
	}
	return &File{Action: modified, Renamed: true, From: e.from}
}

// keep sets the net change of path to now, or removes it if now is nil. If e is uncommitted, the subject of was stays.
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

// excludes reports whether a commit changed files, and only excluded ones.
func (f *netChanges) excludes(events []event) bool {
	return len(events) > 0 && !slices.ContainsFunc(events, func(e event) bool {
		return !f.excluded(e.path) || e.from != "" && !f.excluded(e.from)
	})
}
