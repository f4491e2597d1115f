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

// source is an importing.Source with its draft.
type source struct {
	importing.Source
	draft *importing.Draft
}

// sourceReader reads the sources of an import: at most doc.MaxSize bytes in total, since an import is one commit.
type sourceReader struct {
	dir         string // the folder to which paths in a request are relative: the current one, or that of -C
	root        string // the root of the repository
	checkpoints string // the checkpoints folder, as a path from the root
	now         func() time.Time
	progress    progressFunc // reports progress in MiB

	// firstCommit returns the time of the first commit of a file or folder, or the zero time. The
	// path is relative to the root.
	firstCommit func(ctx context.Context, path string, folder bool) time.Time

	size int // the number of bytes read so far
	all  []source
}

// sources reads the sources that a request names. The error names the first source that cannot be read.
func (r *sourceReader) sources(ctx context.Context, req ImportRequest) ([]source, error) {
	for _, name := range req.Paths {
		if err := r.path(ctx, name, req.Stdin); err != nil {
			return nil, err
		}
	}
	return r.all, nil
}

// path reads standard input, a file, a memory bank, or the Markdown files of a folder.
func (r *sourceReader) path(ctx context.Context, name string, stdin io.Reader) error {
	if name == "-" {
		text, err := io.ReadAll(io.LimitReader(stdin, doc.MaxSize+1))
		if err != nil {
			return fault.New(fault.Failed, "read stdin: %w", err)
		}
		return r.split(ctx, "", "stdin", text)
	}
	full := disk.From(r.dir, name)
	shown := r.shown(full, name)
	switch {
	case !disk.Exists(full):
		return fault.New(fault.NotFound, "%q does not exist", name).
			WithHint("name a file or a folder, relative to the current folder or to that of -C")
	case shown == r.checkpoints || strings.HasPrefix(shown, r.checkpoints+"/") &&
		store.Keeps(strings.TrimPrefix(shown, r.checkpoints+"/")):
		return fault.New(fault.Usage, "%s is in the checkpoints folder already", shown).
			WithHint("ckpt validate %s", shown)
	case !disk.IsFolder(full):
		return r.file(ctx, full, shown)
	}
	return r.folder(ctx, full, shown)
}

// folder reads a memory bank, or the Markdown files of a folder.
func (r *sourceReader) folder(ctx context.Context, full, shown string) error {
	names, err := disk.Below(full, ".md")
	if err != nil {
		return fault.New(fault.Failed, "read %s: %w", shown, err)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return path.Base(n) == store.Index }) // a list of other files
	if importing.IsBank(names) {
		return r.bank(ctx, full, shown, names)
	}
	before := len(r.all)
	for _, n := range names {
		folder, _, below := strings.Cut(n, "/")
		// Skip the files in subfolders, except in active/ and archive/ of a checkpoints folder.
		if below && folder != store.Active && folder != store.Archive {
			continue
		}
		if err := r.file(ctx, filepath.Join(full, filepath.FromSlash(n)), path.Join(shown, n)); err != nil {
			return err
		}
		d := r.all[len(r.all)-1].draft // a checkpoint from the archive of another repository is finished
		d.Finished = d.Finished || below && folder == store.Archive && d.Form == importing.Checkpoint
	}
	if len(r.all) == before {
		return fault.New(fault.NotFound, "no Markdown file is in %s", shown).
			WithHint("files in its folders are not imported: ckpt import %s/FOLDER", shown)
	}
	return nil
}

// shown returns a path for messages: relative to the repository's root if the file is inside, otherwise as given.
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

// file reads the sources in a file. Full is its path, and shown is its path for messages.
func (r *sourceReader) file(ctx context.Context, full, shown string) error {
	text, err := r.read(full, shown)
	if err != nil {
		return err
	}
	return r.split(ctx, full, shown, text)
}

// read returns the content of a file.
func (r *sourceReader) read(full, shown string) ([]byte, error) {
	text, err := disk.ReadFile(full)
	if err != nil && !errors.Is(err, disk.ErrTooLarge) {
		return nil, fault.New(fault.Invalid, "%s: %w", shown, disk.Pathless(err))
	}
	if err != nil || r.size+len(text) > doc.MaxSize {
		return nil, errSourcesTooLarge()
	}
	return text, nil
}

func errSourcesTooLarge() error {
	return fault.New(fault.Unsupported, "the sources are larger than %d MiB, the limit of one import", doc.MaxSize>>20).
		WithHint("import fewer files at a time; split -C %dm STORE.jsonl PART- cuts a store", doc.MaxSize>>21)
}

// split adds the sources in a text: each JSON object if the text is a store of them, or else the whole text.
func (r *sourceReader) split(ctx context.Context, full, shown string, text []byte) error {
	if !importing.IsStore(shown, text) {
		return r.add(ctx, full, importing.Source{Name: shown, Files: []importing.File{{Text: text}}})
	}
	read := 0
	return importing.EachRow(shown, text, func(place result.Place, row []byte) error {
		read += len(row)
		if total := len(text) >> 20; total > 0 {
			r.progress("Reading "+shown, read>>20, total)
		}
		return r.add(ctx, full, importing.Source{Name: shown, Place: place, Files: []importing.File{{Text: row}}})
	})
}

// bank reads the files of a memory bank as one source.
func (r *sourceReader) bank(ctx context.Context, full, shown string, names []string) error {
	s := importing.Source{Name: shown}
	for _, n := range names {
		text, err := r.read(filepath.Join(full, filepath.FromSlash(n)), shown+"/"+n)
		if err != nil {
			return err
		}
		if strings.TrimSpace(string(text)) != "" { // otherwise the file is an empty template
			s.Files = append(s.Files, importing.File{Name: n, Text: text})
		}
	}
	if len(s.Files) == 0 {
		return fault.New(fault.Invalid, "%s: it is empty", shown)
	}
	importing.InOrder(s.Files)
	return r.add(ctx, full, s)
}

// add adds a source with the draft of its checkpoint. If the text does not state when it was written, the draft has the
// time of the file's first commit, or else the file's modification time. For a row of a store, commits do not count.
func (r *sourceReader) add(ctx context.Context, full string, s importing.Source) error {
	for _, f := range s.Files {
		r.size += len(f.Text)
	}
	if r.size > doc.MaxSize {
		return errSourcesTooLarge()
	}
	draft, err := importing.Read(s, r.now())
	if err != nil {
		return err
	}
	if draft.Made.IsZero() {
		committed := time.Time{}
		outside := filepath.IsAbs(filepath.FromSlash(s.Name)) || strings.HasPrefix(s.Name, "../")
		if !outside && s.Place.Line == 0 {
			committed = r.firstCommit(ctx, s.Name, disk.IsFolder(full))
		}
		draft.Made = r.pastTime(committed, disk.Changed(full))
	}
	r.all = append(r.all, source{s, draft})
	return nil
}

// pastTime returns the first of the times that is neither zero nor in the future, or now if all are.
func (r *sourceReader) pastTime(times ...time.Time) time.Time {
	now := r.now()
	for _, t := range times {
		if !t.IsZero() && !t.After(now) {
			return t
		}
	}
	return now
}

// noSecretsIn refuses sources with text that looks like a secret. The error names lines of the sources, since the user
// has not seen the lines of the new checkpoints.
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
	for _, s := range all {
		for _, f := range s.Files {
			name, text := path.Join(s.Name, f.Name), string(f.Text)
			if s.Place.Line > 0 {
				text = s.draft.Text() // in the row itself, JSON escapes may hide the secret
			}
			for _, found := range guard.Added(name, text) {
				places = append(places, fmt.Sprintf("%s, line %d: text that looks like a secret [%s]",
					workspace.Redacted(name, text, found), cmp.Or(s.Place.Line, found.Line), found.Rule))
			}
		}
	}
	return workspace.SecretsAt(places)
}
