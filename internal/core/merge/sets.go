package merge

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/checkpoint"
)

// Set maps slash paths relative to the checkpoints folder to the contents of files.
type Set map[string][]byte

// FindingKind names what a merge found.
type FindingKind string

// The kinds of findings.
const (
	Replaced   FindingKind = "replaced"   // both sides changed a text; one of the two was chosen
	Kept       FindingKind = "kept"       // deleted on one side and changed on the other
	Archived   FindingKind = "archived"   // archived on one side and changed on the other
	Twice      FindingKind = "twice"      // two checkpoints share an id
	Superseded FindingKind = "superseded" // both sides superseded the same decision
	Outcomes   FindingKind = "outcomes"   // both sides wrote a Completion
	Unreadable FindingKind = "unreadable" // a file was merged line by line
)

// Finding is something about a merge that a person may want to look at.
type Finding struct {
	Kind FindingKind
	ID   string // of the checkpoint; empty for another file
	Path string // in the result
	Text string // a sentence without a final period
}

// Unmerged is a file that the text merge could not settle.
type Unmerged struct {
	Path, ID           string
	Base, Ours, Theirs []byte // nil where a version has no such file
}

// Merged is the result of [Sets].
type Merged struct {
	Files     Set // every file of the result that is in one of the three sets
	Findings  []Finding
	Choices   []Choice
	Conflicts []Unmerged // in Files they are as the text merge left them
}

// TextMerge merges two versions of a text line by line. A clash means that both changed
// the same lines; merged is then what to write all the same.
type TextMerge func(base, ours, theirs []byte) (merged []byte, clash bool, err error)

// Sets merges two versions of a checkpoints folder that began as base. The sets need to
// contain only the files that differ between the three versions, with every path of a
// checkpoint that moved, and LEARNINGS.md where it exists: a file that is in none of them
// is the same in all.
//
// Checkpoints are paired by id, wherever their files are. A checkpoint that is deleted on
// one side stays if the other side changed or moved it. It is archived if either side
// archived it, and active again if either side reopened one that was archived in base.
// Two checkpoints with one id, told apart by `created`, both stay. Every other file is
// paired by path.
//
// Markdown is merged by [Files]; text merges every other file, and Markdown that cannot
// be read. INDEX.md follows from the whole folder, which Sets does not know: the caller
// brings it in step (ledger.FollowIndex). Which checkpoint is current is the caller's
// choice, too.
func Sets(base, ours, theirs Set, text TextMerge) (Merged, error) {
	return ChooseSets(Later, base, ours, theirs, text)
}

// ChooseSets is [Sets] with another choice between texts that both sides replaced.
func ChooseSets(pick Pick, base, ours, theirs Set, text TextMerge) (Merged, error) {
	s := &sets{text: text, pick: pick, groups: map[string]*group{}, merged: Merged{Files: Set{}}}
	versions := [3]Set{base, ours, theirs}
	for _, key := range s.pair(versions) {
		if err := s.mergeOne(s.groups[key]); err != nil {
			return Merged{}, err
		}
	}
	s.write()
	s.harvest()
	return s.merged, nil
}

// sets is a merge of sets.
type sets struct {
	text     TextMerge
	pick     Pick
	groups   map[string]*group
	archived []*checkpoint.Checkpoint // by this merge
	files    []result
	merged   Merged
}

// group is one file, or one checkpoint wherever it is, in the three versions.
type group struct {
	id       string // of the checkpoint; empty for another file
	versions [3]*version
}

type version struct {
	path string
	src  []byte
	c    *checkpoint.Checkpoint // nil where it is not a readable checkpoint
}

// pair collects the files of the three versions into groups, and returns their keys in order.
func (s *sets) pair(versions [3]Set) []string {
	var all [3][]*version
	made := map[string][]string{} // the times at which the checkpoints of an id were made
	named := map[string]string{}  // by path, the id that some version has there
	twice := map[string]bool{}    // ids that one version has several times
	for i, set := range versions {
		here := map[string]string{}
		for _, p := range slices.Sorted(maps.Keys(set)) {
			v := &version{path: p, src: set[p]}
			if isCheckpoint(p) {
				v.c, _ = checkpoint.Parse(p, v.src)
			}
			if all[i] = append(all[i], v); v.c == nil {
				continue
			}
			id, created := v.c.ID, v.c.Field("created")
			named[p] = cmp.Or(named[p], id)
			if !slices.Contains(made[id], created) {
				made[id] = append(made[id], created)
			}
			if was, ok := here[id]; ok && was != created {
				twice[id] = true
			}
			here[id] = created
		}
	}
	for i, files := range all {
		for _, v := range files {
			id := named[v.path]
			if v.c != nil {
				id = v.c.ID
			}
			key := "file " + v.path
			if v.c != nil && twice[id] {
				key = "id " + id + "\n" + v.c.Field("created")
			} else if id != "" {
				key = "id " + id
			}
			if !s.group(key, id).add(i, v) {
				s.group("file "+v.path, id).add(i, v)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(twice)) {
		s.find(Twice, id, "", "two checkpoints have the id %s: both stay (give one another id: ckpt edit)", id)
	}
	return slices.Sorted(maps.Keys(s.groups))
}

func (s *sets) group(key, id string) *group {
	if s.groups[key] == nil {
		s.groups[key] = &group{id: id}
	}
	return s.groups[key]
}

// isCheckpoint reports whether a file is to be read as a checkpoint.
func isCheckpoint(p string) bool {
	dir, _, _ := strings.Cut(p, "/")
	return (dir == "active" || dir == "archive") && strings.HasSuffix(p, ".md") && path.Base(p) != indexName
}

const (
	indexName = "INDEX.md"
	learnings = "LEARNINGS.md"
)
