package ledger

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
)

// SyncIndex brings an INDEX.md in step with a folder of set and changes nothing
// else: it adds a row and a summary for each checkpoint that has neither, takes
// out those of checkpoints that are not in the folder (any more), and brings the
// dates of last change up to date. What people wrote stays byte for byte:
// descriptions, summaries, further columns, order, other text; a file that has
// only the table, or only the summaries, keeps to that. What names a file that
// cannot be read is left alone. An empty file becomes a new index.
//
// An index that is in step is given back as it is, and so is one that cannot be
// brought in step: [CheckIndex] says what is wrong with it.
func SyncIndex(src []byte, set *checkpoint.Set, archived bool) []byte {
	return FollowIndex(src, nil, set, archived)
}

// FollowIndex is SyncIndex for a change from one set to another. It also brings
// those descriptions and summaries up to date that say, word for word, what ckpt
// itself would have written for the set before.
func FollowIndex(src []byte, before, after *checkpoint.Set, archived bool) []byte {
	out, _ := newSync(before, after, archived).run(src)
	return out
}

// CheckIndex says in which points an INDEX.md is out of step, in the order of its
// parts; nil where it is in step.
func CheckIndex(src []byte, set *checkpoint.Set, archived bool) []string {
	_, why := newSync(nil, set, archived).run(src)
	return why
}

// syncing is what an index is brought in step with.
type syncing struct {
	archived  bool
	set       *checkpoint.Set
	want      []listed          // the last changed first
	byID      map[string]listed // of want
	before    map[string]listed // those that have changed, as they were
	lost      map[string]bool   // ids that files of this folder have by name and cannot be read
	known     map[string]bool   // ids that may have a summary
	noRows    bool              // the file has summaries and no table
	noSummary bool              // the file has rows and no summaries
	listed    bool              // the file listed something
}

func newSync(before, after *checkpoint.Set, archived bool) *syncing {
	s := &syncing{archived: archived, set: after, want: listing(after, archived),
		byID: map[string]listed{}, before: map[string]listed{}, lost: map[string]bool{}, known: map[string]bool{}}
	for _, c := range after.All {
		s.known[c.ID] = true
	}
	for _, l := range s.want {
		s.byID[l.c.ID] = l
	}
	for _, b := range after.Broken {
		if checkpoint.InArchive(b.Path) == archived {
			s.lost[strings.TrimSuffix(b.Path[strings.LastIndexByte(b.Path, '/')+1:], ".md")] = true
		}
	}
	if before != nil {
		for _, l := range listing(before, archived) {
			if now, ok := s.byID[l.c.ID]; ok && now.c != l.c {
				s.before[l.c.ID] = l
			}
		}
	}
	return s
}

// steps are what is brought in step one after the other, each on the result of
// the one before it.
var steps = []func(*syncing, index) ([]edit, []string){
	(*syncing).addTable, (*syncing).rows, (*syncing).follow, (*syncing).dropEmptyText,
	(*syncing).dropSummaries, (*syncing).addSummaries, (*syncing).addEmptyText,
}

// run brings src in step and says what had to be done.
func (s *syncing) run(src []byte) (out []byte, why []string) {
	if len(bytes.TrimSpace(bytes.TrimPrefix(src, []byte(bom)))) == 0 {
		return NewIndex(s.set, s.archived), []string{"is empty"}
	}
	start, ok := readIndex(src, s.known)
	if !ok {
		return src, []string{"is too large to be read"}
	}
	rows := slices.ContainsFunc(start.tables, func(t table) bool { return len(t.rows) > 0 })
	s.noRows = len(start.tables) == 0 && len(start.summaries) > 0
	s.noSummary = rows && len(start.summaries) == 0
	s.listed = rows || len(start.summaries) > 0
	end, why := s.apply(start)
	if len(why) == 0 {
		return src, nil
	}
	if again, _ := s.apply(end); !bytes.Equal(again.src, end.src) || !s.keepsRest(start, end) {
		return src, why
	}
	return end.src, why
}

func (s *syncing) apply(ix index) (end index, why []string) {
	for _, step := range steps {
		edits, said := step(s, ix)
		why = append(why, said...)
		if len(edits) == 0 {
			continue
		}
		next, ok := readIndex(ix.splice(edits...), s.known)
		if !ok {
			return ix, why
		}
		next.eol = ix.eol // what is left may not tell it any more
		ix = next
	}
	return ix, why
}

// gone says whether an id is to be taken out.
func (s *syncing) gone(id string) bool {
	_, wanted := s.byID[id]
	return !wanted && !s.lost[id]
}

func (s *syncing) goneText(id string) string {
	return fmt.Sprintf("lists %s, which is not in %s", id, map[bool]string{false: "active/", true: "archive/"}[s.archived])
}

// keepsRest says whether all headings but those of checkpoints are still there.
func (s *syncing) keepsRest(before, after index) bool {
	rest := func(ix index) []string {
		var titles []string
		for _, section := range ix.doc.Sections() {
			if !slices.ContainsFunc(ix.summaries, func(own summary) bool { return own.section.Whole.Contains(section.Heading) }) {
				titles = append(titles, section.Title)
			}
		}
		return titles
	}
	now := rest(after)
	for _, title := range rest(before) {
		i := slices.Index(now, title)
		if i < 0 {
			return false
		}
		now = now[i+1:]
	}
	return true
}
