package transfer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/transfer/importing"
	"example.com/ckpt/internal/workspace"
	"example.com/ckpt/internal/workspace/store"
)

// source is a source with the draft of its checkpoint.
type source struct {
	name  string       // the name for messages
	place result.Place // for a row, its place in the store
	hash  string
	files []importing.File // its files; none for a row
	draft *importing.Draft
	bad   error // the reason if the draft is missing
}

// maxImport is the maximal number of checkpoints in one import: each takes a few thousand bytes of
// memory.
const maxImport = 100_000

// sources reads the sources that a request names. The error has all problems together, unless
// the request passes over bad sources.
func (r *sourceReader) sources(ctx context.Context, req ImportRequest) ([]source, error) {
	var all []source
	for _, name := range req.Paths {
		var found []source
		var err error
		if name == "-" {
			found, err = r.stdin(ctx, req.Stdin)
		} else {
			found, err = r.path(ctx, name)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if n := checkpoints(all); n > maxImport {
		return nil, fault.New(fault.Unsupported, "these make %d checkpoints; one import, which is one commit, takes %d", n,
			maxImport).
			WithHint("split -l %d STORE.jsonl PART-, then import one part after the other", maxImport)
	}
	var bad []error
	for _, s := range all {
		if s.bad != nil {
			bad = append(bad, s.bad)
		}
	}
	if len(bad) == 0 || req.SkipBad && len(bad) < len(all) {
		return all, nil
	}
	more, hint := "", ""
	if len(bad) > 1 {
		more = fmt.Sprintf(", and %d more", len(bad)-1)
	}
	for _, err := range bad {
		hint = cmp.Or(hint, fault.HintOf(err))
	}
	if len(bad) < len(all) {
		hint = "--skip-bad imports the others"
	}
	return nil, fault.New(fault.Invalid, "%s%s", bad[0], more).WithHint("%s", hint)
}

// sourceReader reads the sources of an import: at most doc.MaxSize bytes together, since an
// import is one commit.
type sourceReader struct {
	dir         string // the folder in which ckpt was started: paths are relative to it
	root        string // the root of the repository
	checkpoints string // the checkpoints folder, from the root
	now         func() time.Time
	progress    progressFunc // counts MiB

	// firstCommit returns the time of the first commit of a file or folder, from the root; the
	// zero time without one.
	firstCommit func(ctx context.Context, path string, folder bool) time.Time

	size int // the number of bytes read so far
}

// stdin reads the source that standard input is.
func (r *sourceReader) stdin(ctx context.Context, in io.Reader) ([]source, error) {
	text, err := io.ReadAll(io.LimitReader(in, doc.MaxSize+1))
	if err != nil {
		return nil, fault.New(fault.Failed, "read stdin: %w", err)
	}
	if err := r.add(text); err != nil {
		return nil, err
	}
	return r.split(ctx, "", "stdin", text), nil
}

// add counts the bytes of a source, and refuses those beyond the limit.
func (r *sourceReader) add(text []byte) error {
	r.size += len(text)
	if r.size > doc.MaxSize {
		return errSourcesTooLarge()
	}
	return nil
}

func errSourcesTooLarge() error {
	return fault.New(fault.Unsupported, "the sources are larger than %d MiB, the limit of one import", doc.MaxSize>>20).
		WithHint("import fewer files at a time; split -C %dm STORE.jsonl PART- cuts a store", doc.MaxSize>>21)
}

// path reads a file, a memory bank, or the Markdown files of a folder.
func (r *sourceReader) path(ctx context.Context, name string) ([]source, error) {
	full := name
	if !filepath.IsAbs(name) {
		full = filepath.Join(r.dir, name)
	}
	shown := r.shown(full, name)
	switch {
	case !disk.Exists(full):
		return nil, fault.New(fault.NotFound, "%q does not exist", name).
			WithHint("name a file or a folder, relative to the current folder or to that of -C")
	case shown == r.checkpoints || strings.HasPrefix(shown, r.checkpoints+"/") &&
		store.Keeps(strings.TrimPrefix(shown, r.checkpoints+"/")):
		return nil, fault.New(fault.Usage, "%s is in the checkpoints folder already", shown).
			WithHint("ckpt validate %s", shown)
	case !disk.IsFolder(full):
		return r.file(ctx, full, shown)
	}
	names, err := disk.Below(full, ".md")
	if err != nil {
		return nil, fault.New(fault.Failed, "read %s: %w", shown, err)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return path.Base(n) == store.Index }) // it lists the others
	if len(names) == 0 {
		return nil, fault.New(fault.NotFound, "no Markdown file is in %s", shown)
	}
	if importing.IsBank(names) {
		one, err := r.bank(ctx, full, shown, names)
		return []source{one}, err
	}
	var all []source
	for _, n := range names {
		folder, _, below := strings.Cut(n, "/")
		// Only the files of the folder itself, except for a checkpoints folder.
		if below && folder != store.Active && folder != store.Archive {
			continue
		}
		found, err := r.file(ctx, filepath.Join(full, filepath.FromSlash(n)), path.Join(shown, n))
		if err != nil {
			return nil, err
		}
		for i := range found { // the folder is the checkpoints folder of another repository
			if d := found[i].draft; d != nil && below {
				d.Finished = d.Finished || folder == store.Archive && d.Form == importing.Checkpoint
			}
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return nil, fault.New(fault.Usage, "%s has Markdown files in its folders only", shown).
			WithHint("ckpt import %s/FOLDER", shown)
	}
	return all, nil
}

// shown returns a path for people: from the repository's root if it is inside, else as it was
// given.
func (r *sourceReader) shown(full, given string) string {
	abs, err := filepath.Abs(full)
	if err != nil {
		return filepath.ToSlash(given)
	}
	rel, err := filepath.Rel(disk.Real(r.root), disk.Real(abs))
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path.Clean(filepath.ToSlash(given))
	}
	return filepath.ToSlash(rel)
}

// file reads the sources in the file at a path.
func (r *sourceReader) file(ctx context.Context, full, shown string) ([]source, error) {
	text, bad, err := r.read(full, shown)
	if bad != nil || err != nil {
		return []source{{name: shown, bad: bad}}, err
	}
	return r.split(ctx, full, shown, text), nil
}

// read returns the content of a file. If the file is not readable it returns the error as bad, so
// that an import may skip the file.
func (r *sourceReader) read(full, shown string) (text []byte, bad, err error) {
	text, err = disk.ReadFile(full)
	if errors.Is(err, disk.ErrTooLarge) {
		return nil, nil, errSourcesTooLarge()
	}
	if err != nil {
		return nil, fault.New(fault.Invalid, "%s: %w", shown, disk.Pathless(err)), nil
	}
	return text, nil, r.add(text)
}

// split returns the sources in a text: the rows of a store, or the whole text as one source.
func (r *sourceReader) split(ctx context.Context, full, shown string, text []byte) []source {
	if !importing.IsStore(shown, text) {
		return []source{r.source(ctx, full, importing.Source{Name: shown, Files: []importing.File{{Text: text}}})}
	}
	made := r.pastTime(disk.Changed(full))
	var all []source
	read := 0
	err := importing.EachRow(text, func(place result.Place, row []byte) {
		read += len(row)
		if total := len(text) >> 20; total > 0 {
			r.progress("Reading "+shown, read>>20, total)
		}
		s := importing.Source{Name: shown, Place: place, Files: []importing.File{{Text: row}}, Made: made}
		one := source{name: shown, place: place, hash: importing.Hash(s)}
		one.draft, one.bad = importing.Read(s, r.now())
		all = append(all, one)
	})
	if err != nil { // nothing is imported from an incomplete file
		return []source{{name: shown, bad: fault.New(fault.Invalid, "%s: %w", shown, err)}}
	}
	return all
}

// bank reads a memory bank: its files are one checkpoint.
func (r *sourceReader) bank(ctx context.Context, full, shown string, names []string) (source, error) {
	s := importing.Source{Name: shown}
	for _, n := range names {
		text, bad, err := r.read(filepath.Join(full, filepath.FromSlash(n)), shown+"/"+n)
		if bad != nil || err != nil {
			return source{name: shown, bad: bad}, err
		}
		if strings.TrimSpace(string(text)) != "" { // otherwise the file is an empty template
			s.Files = append(s.Files, importing.File{Name: n, Text: text})
		}
	}
	if len(s.Files) == 0 {
		return source{name: shown, bad: fault.New(fault.Invalid, "%s: there is nothing in it", shown)}, nil
	}
	importing.InOrder(s.Files)
	return r.source(ctx, full, s), nil
}

// source plans the checkpoint of one source. If the text does not state when it was written, the
// time is that of the first commit of the file, or else the file's modification time.
func (r *sourceReader) source(ctx context.Context, full string, s importing.Source) source {
	one := source{name: s.Name, hash: importing.Hash(s), files: s.Files}
	one.draft, one.bad = importing.Read(s, r.now())
	if one.bad != nil || one.draft.Dated {
		return one
	}
	one.draft.Made = r.pastTime(r.committed(ctx, s.Name, full), disk.Changed(full))
	return one
}

// pastTime returns the first of some times that is not zero and not in the future, else now.
func (r *sourceReader) pastTime(times ...time.Time) time.Time {
	now := r.now()
	for _, t := range times {
		if !t.IsZero() && !t.After(now) {
			return t
		}
	}
	return now
}

// committed returns the time of the first commit of a source; zero outside the repository.
func (r *sourceReader) committed(ctx context.Context, shown, full string) time.Time {
	if filepath.IsAbs(filepath.FromSlash(shown)) || strings.HasPrefix(shown, "../") {
		return time.Time{}
	}
	return r.firstCommit(ctx, shown, disk.IsFolder(full))
}

// checkpoints counts the sources that make a checkpoint.
func checkpoints(all []source) int {
	n := 0
	for _, s := range all {
		if s.bad == nil && s.draft.Form != importing.Learnings {
			n++
		}
	}
	return n
}

// noSecretsIn refuses sources with text that looks like a secret. It names the lines of the
// sources, since the user does not know those of the checkpoints.
func (p *Transfer) noSecretsIn(ctx context.Context, all []source) error {
	if p.settings.AllowSecret {
		return nil
	}
	policy, err := p.project.Policy(ctx)
	if err != nil {
		return err
	}
	guard := workspace.GuardOf(policy)
	var places []string
	scan := func(name, text string, row int) {
		for _, found := range guard.Added(name, text) {
			places = append(places, fmt.Sprintf("%s, line %d: text that looks like a secret [%s]",
				workspace.Redacted(name, text, found), cmp.Or(row, found.Line), found.Rule))
		}
	}
	for _, s := range all {
		if s.place.Line > 0 && s.bad == nil {
			scan(s.name, s.draft.Text(), s.place.Line)
		}
		for _, f := range s.files {
			scan(path.Join(s.name, f.Name), string(f.Text), 0)
		}
	}
	return workspace.SecretsAt(places)
}
