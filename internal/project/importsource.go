package project

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/core/doc"
	"example.com/ckpt/internal/core/fault"
	"example.com/ckpt/internal/core/importing"
	"example.com/ckpt/internal/core/result"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/store"
)

// source is one thing to import, looked at; or why it cannot be.
type source struct {
	name  string       // as a person would name it
	place result.Place // of a row of a store
	hash  string
	text  []string // of its files, for the look for secrets
	names []string // of its files, likewise
	draft *importing.Draft
	row   *row // in place of a draft
	size  int64
	bad   error
}

// plan is the draft of a source.
func (s *source) plan() (*importing.Draft, error) {
	if s.row == nil {
		return s.draft, nil
	}
	text, err := s.row.text()
	if err != nil {
		return nil, fault.New(fault.Failed, "%s: %w", s.name, disk.Pathless(err))
	}
	from := importing.Source{Name: s.name, Files: []importing.File{{Text: text}}, Made: s.row.made}
	if importing.Hash(from) != s.hash {
		return nil, fault.New(fault.Busy, "%s changed while ckpt read it", s.name).WithHint("try again")
	}
	return importing.ReadRow(from, s.place)
}

// maxImport is how many checkpoints one operation makes at most: of each of them memory
// holds a few thousand bytes.
const maxImport = 100_000

// sources reads what was named. All that is wrong with it is an error together,
// unless bad files are to be passed over.
func (p *Project) sources(ctx context.Context, req ImportRequest) ([]source, error) {
	var all []source
	for _, name := range req.Paths {
		var found []source
		var err error
		if name == "-" {
			found = p.sourcesIn(ctx, req.held, row{held: req.held}, "stdin", req.Progress)
		} else {
			found, err = p.sourcesAt(ctx, name, req.Progress)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if err := tooLarge(all); err != nil {
		return nil, err
	}
	if n := checkpoints(all); n > maxImport {
		return nil, fault.New(fault.Unsupported, "these make %d checkpoints; one import, which is one commit, takes %d", n, maxImport).
			WithHint("split -l %d STORE.jsonl PART-, then import one part after the other", maxImport)
	}
	var bad []string
	hint := ""
	for _, s := range all {
		if s.bad != nil {
			bad = append(bad, s.bad.Error())
			hint = cmp.Or(hint, fault.HintOf(s.bad))
		}
	}
	switch {
	case len(bad) == 0:
		return all, nil
	case len(bad) == len(all) || !req.SkipBad:
		more := ""
		if len(bad) > 1 {
			more = fmt.Sprintf(", and %d more", len(bad)-1)
		}
		err := fault.New(fault.Invalid, "%s%s", bad[0], more).WithHint("%s", hint)
		if len(bad) < len(all) {
			err = err.WithHint("--skip-bad imports the others")
		}
		return nil, err
	}
	return all, nil
}

// tooLarge refuses sources that are together larger than a checkpoint may be: an import is
// one commit.
func tooLarge(all []source) error {
	total := int64(0)
	for _, s := range all {
		total += s.size
	}
	if total <= doc.MaxSize {
		return nil
	}
	return fault.New(fault.Unsupported, "the sources have %d MiB; an import is one commit of at most %d MiB", total>>20, doc.MaxSize>>20).
		WithHint("import fewer files at a time; split -C %dm STORE.jsonl PART- cuts a store", doc.MaxSize>>21)
}

// sourcesAt is what a path means: a file, a memory bank, or the Markdown files of a
// folder.
func (p *Project) sourcesAt(ctx context.Context, name string, progress progressFunc) ([]source, error) {
	full := name
	if !filepath.IsAbs(name) {
		full = filepath.Join(p.Dir, name)
	}
	shown := p.shown(full, name)
	switch {
	case !disk.Exists(full):
		return nil, fault.New(fault.NotFound, "%q does not exist", name)
	case strings.HasPrefix(shown+"/", p.prefix+"/") && (shown == p.prefix || store.Keeps(strings.TrimPrefix(shown, p.prefix+"/"))):
		return nil, fault.New(fault.Usage, "%s is in the checkpoints folder already", shown).WithHint("ckpt validate %s", shown)
	case !disk.IsFolder(full):
		return p.fileSources(ctx, full, shown, progress), nil
	}
	names, err := disk.Below(full, ".md")
	if err != nil {
		return nil, fault.New(fault.Failed, "read %s: %w", shown, err)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return path.Base(n) == "INDEX.md" }) // made of the others
	if len(names) == 0 {
		return nil, fault.New(fault.NotFound, "no Markdown file is in %s", shown)
	}
	if importing.IsBank(names) {
		return []source{p.bank(ctx, full, shown, names)}, nil
	}
	var all []source
	for _, n := range names {
		folder, _, below := strings.Cut(n, "/")
		if below && folder != store.Active && folder != store.Archive { // a folder of notes, not a tree of them
			continue
		}
		found := p.fileSources(ctx, filepath.Join(full, filepath.FromSlash(n)), path.Join(shown, n), progress)
		for i := range found { // a checkpoints folder of another repository
			if d := found[i].draft; d != nil && below {
				d.Finished = d.Finished || folder == store.Archive && d.Form == importing.Checkpoint
			}
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return nil, fault.New(fault.Usage, "%s has Markdown files in its folders only", shown).WithHint("ckpt import %s/FOLDER", shown)
	}
	return all, nil
}

// shown is a path as a person would name it: from the repository's root where it is
// in there, else as it was given.
func (p *Project) shown(full, given string) string {
	abs, err := filepath.Abs(full)
	if err != nil {
		return filepath.ToSlash(given)
	}
	rel, err := filepath.Rel(disk.Real(p.Repo.Root()), disk.Real(abs))
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path.Clean(filepath.ToSlash(given))
	}
	return filepath.ToSlash(rel)
}

// fileSources is what the file at a path holds.
func (p *Project) fileSources(ctx context.Context, full, shown string, progress progressFunc) []source {
	f, err := disk.Open(full)
	if err != nil {
		return refused(shown, err)
	}
	defer f.Close()
	return p.sourcesIn(ctx, f, row{file: full}, shown, progress)
}

// sourcesIn is what an open file holds; of rows at says where they can be read again.
func (p *Project) sourcesIn(ctx context.Context, f *disk.File, at row, shown string, progress progressFunc) []source {
	if f.Size > doc.MaxSize {
		return []source{{name: shown, size: f.Size}}
	}
	head := make([]byte, 4<<10)
	n, _ := f.ReadAt(head, 0) // who reads it to the end sees what was wrong
	if importing.IsStore(shown, head[:n]) {
		return p.rows(f, at, shown, progress)
	}
	text, err := f.Bytes()
	if err != nil {
		return refused(shown, err)
	}
	return []source{p.read1(ctx, at.file, importing.Source{Name: shown, Files: []importing.File{{Text: text}}})}
}

// refused is a source that cannot be read.
func refused(shown string, err error) []source {
	return []source{{name: shown, bad: fault.New(fault.Invalid, "%s: %w", shown, disk.Pathless(err))}}
}

// bank is a memory bank: its files are one checkpoint.
func (p *Project) bank(ctx context.Context, full, shown string, names []string) source {
	s := importing.Source{Name: shown}
	for _, n := range names {
		text, err := disk.ReadFile(filepath.Join(full, filepath.FromSlash(n)))
		if err != nil {
			return source{name: shown, bad: fault.New(fault.Invalid, "%s/%s: %w", shown, n, disk.Pathless(err))}
		}
		if strings.TrimSpace(string(text)) != "" { // a template that nobody filled in
			s.Files = append(s.Files, importing.File{Name: n, Text: text})
		}
	}
	if len(s.Files) == 0 {
		return source{name: shown, bad: fault.New(fault.Invalid, "%s: there is nothing in it", shown)}
	}
	importing.InOrder(s.Files)
	return p.read1(ctx, full, s)
}

// read1 plans the checkpoint of one source. Where the text does not say when it was
// written, git's first commit of it does, else the file's own time.
func (p *Project) read1(ctx context.Context, full string, s importing.Source) source {
	one := source{name: s.Name, hash: importing.Hash(s)}
	for _, f := range s.Files {
		one.names = append(one.names, path.Join(s.Name, f.Name))
		one.text = append(one.text, string(f.Text))
		one.size += int64(len(f.Text))
	}
	if one.draft, one.bad = importing.Read(s, p.Now()); one.bad != nil || one.draft.Dated {
		return one
	}
	made := p.firstCommit(ctx, s.Name, full)
	if made.IsZero() {
		made = disk.Changed(full)
	}
	if made.IsZero() || made.After(p.Now()) {
		made = p.Now()
	}
	one.draft.Made = made
	return one
}

func (p *Project) firstCommit(ctx context.Context, shown, full string) time.Time {
	if filepath.IsAbs(filepath.FromSlash(shown)) || strings.HasPrefix(shown, "../") {
		return time.Time{}
	}
	return p.Repo.FirstCommit(ctx, shown, disk.IsFolder(full))
}

// checkpoints counts the sources that make one.
func checkpoints(all []source) int {
	n := 0
	for _, s := range all {
		if s.bad == nil && (s.draft == nil || s.draft.Form != importing.Learnings) {
			n++
		}
	}
	return n
}

// noSecretsIn refuses sources that hold what looks like a secret, by their own names
// and lines: those of the checkpoints that they would make say nothing to anybody.
func (p *Project) noSecretsIn(ctx context.Context, all []source) error {
	if p.AllowSecret {
		return nil
	}
	policy, err := p.policy(ctx)
	if err != nil {
		return err
	}
	guard := guardOf(policy)
	var places []string
	for _, s := range all {
		for i, text := range s.text {
			for _, found := range guard.Added(s.names[i], text) {
				places = append(places, fmt.Sprintf("%s, line %d: text that looks like a secret [%s]", discreet(s.names[i], text, found), max(s.place.Line, found.Line), found.Rule))
			}
		}
	}
	return secretsAt(places)
}
