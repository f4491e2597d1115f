package resolve

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git/log"
	"example.com/ckpt/internal/merge"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/store"
)

// chk returns a checkpoint with a state and decisions.
func chk(id, state string, decisions ...string) string {
	src := "---\ncheckpoint: " + id + "\ncreated: 2026-01-01T10:00:00Z\n---\n\n## Problem\n\nP\n"
	if len(decisions) > 0 {
		src += "\n### Decisions\n\n- **" + strings.Join(decisions, "**: why\n- **") + "**: why\n"
	}
	return src + "\n### Current State\n\n" + state + "\n"
}

// done returns a checkpoint with a Completion.
func done(id, state string) string {
	return chk(id, state, "Base") + "\n---\n\n## Completion\n\n- **Status**: Archived\n- **Outcome**: Done\n" +
		"- **Learnings**: Ask first.\n- **Date**: 2026-01-05T10:00:00Z\n"
}

func marked(ours, theirs string) string {
	return "<<<<<<< HEAD\n" + ours + "=======\n" + theirs + ">>>>>>> side\n"
}

type files map[string]string

// conflict is a merge in progress.
type conflict struct {
	base, ours, theirs files
	disk               files
	auto               files    // what git wrote to the disk; nil means unknown
	unmerged           []string // paths
}

func (c conflict) settler() (*settler, log.Versions) {
	set := func(f files) map[string][]byte {
		all := map[string][]byte{}
		for path, text := range f {
			all[path] = []byte(text)
		}
		return all
	}
	s := &settler{
		merging:  true,
		set:      &checkpoint.Set{},
		index:    log.NewVersions(),
		fromRoot: func(rel string) string { return "checkpoints/" + rel },
		report:   &result.Resolution{},
		onDisk: func(rel string) ([]byte, error) {
			if text, ok := c.disk[rel]; ok {
				return []byte(text), nil
			}
			return nil, nil
		},
		blob: func(name string) ([]byte, error) { return []byte(c.auto[name]), nil },
		text: func(base, ours, theirs []byte) ([]byte, bool, error) {
			return []byte(marked(string(ours), string(theirs))), !bytes.Equal(ours, theirs), nil
		},
	}
	if c.auto != nil {
		s.auto = map[string]string{}
		for path := range c.auto {
			s.auto[path] = path // a blob is named by its path here
		}
	}
	for path, text := range c.disk {
		if parsed, err := checkpoint.Parse(path, []byte(text)); err == nil {
			s.set.All = append(s.set.All, parsed)
		}
	}
	for _, path := range c.unmerged {
		s.index.Ours[path] = []byte(c.ours[path])
	}
	v := log.NewVersions()
	maps.Copy(v.Base, set(c.base))
	maps.Copy(v.Ours, set(c.ours))
	maps.Copy(v.Theirs, set(c.theirs))
	return s, v
}

func TestSettle(t *testing.T) {
	const a = "active/chk-a.md"
	base, ours, theirs := chk("chk-a", "One.", "Base"), chk("chk-a", "One.", "Base", "Ours"), chk("chk-a", "One.", "Base", "Theirs")
	both := chk("chk-a", "One.", "Base", "Ours", "Theirs")
	inMarkers := marked(ours, theirs)
	for _, c := range []struct {
		name  string
		of    conflict
		wrote files  // by path, the contents; empty means removed
		how   string // the start of the report
		left  string // what is left for the user
	}{
		{
			name: "a file with markers is merged",
			of: conflict{
				base: files{a: base}, ours: files{a: ours}, theirs: files{a: theirs},
				disk: files{a: inMarkers}, auto: files{a: inMarkers}, unmerged: []string{a},
			},
			wrote: files{a: both}, how: "1 decision of ours, 1 decision of theirs",
		},
		{
			name: "a file that both sides made",
			of: conflict{
				ours: files{a: ours}, theirs: files{a: theirs}, disk: files{a: inMarkers}, auto: files{a: inMarkers}, unmerged: []string{a},
			},
			wrote: files{a: both}, how: "1 decision of ours, 1 decision of theirs",
		},
		{
			name: "a file that git has merged as we do is left alone",
			of: conflict{
				base: files{a: base}, ours: files{a: ours}, theirs: files{a: theirs},
				disk: files{a: both}, auto: files{a: both},
			},
		},
		{
			name: "a file resolved by hand stays",
			of: conflict{
				base: files{a: base}, ours: files{a: ours}, theirs: files{a: theirs},
				disk: files{a: strings.Replace(both, "One.", "Mine.", 1)}, auto: files{a: inMarkers}, unmerged: []string{a},
			},
			wrote: files{a: strings.Replace(both, "One.", "Mine.", 1)}, how: "as you have resolved it",
		},
		{
			name: "a file resolved by hand that lacks a decision is left to the user",
			of: conflict{
				base: files{a: base}, ours: files{a: ours}, theirs: files{a: theirs},
				disk: files{a: strings.Replace(ours, "One.", "Mine.", 1)}, auto: files{a: inMarkers}, unmerged: []string{a},
			},
			how: "resolved by hand", left: "it lacks the decision Theirs: put it in, or git add checkpoints/" + a,
		},
		{
			name: "a copy of one side is merged again",
			of: conflict{
				base: files{a: base}, ours: files{a: ours}, theirs: files{a: theirs},
				disk: files{a: ours}, auto: files{a: inMarkers}, unmerged: []string{a},
			},
			wrote: files{a: both}, how: "1 decision of ours",
		},
		{
			name: "archived on one side and changed on the other",
			of: conflict{
				base: files{a: base}, ours: files{"archive/chk-a.md": done("chk-a", "One.")}, theirs: files{a: chk("chk-a", "Two.", "Base")},
				disk: files{a: chk("chk-a", "Two.", "Base"), "archive/chk-a.md": done("chk-a", "One.")}, unmerged: []string{a},
			},
			wrote: files{
				a: "", "archive/chk-a.md": done("chk-a", "Two."),
				store.Learnings: "# Learnings\n\n## 2026-01-05 — chk-a\n- Ask first.\n",
			},
			how: "merged by section; it is archived",
		},
		{
			name:  "deleted on both sides",
			of:    conflict{base: files{a: base}, disk: files{a: base}, unmerged: []string{a}},
			wrote: files{a: ""}, how: "deleted",
		},
		{
			name: "lines that only a person can choose between",
			of: conflict{
				base: files{"config.yaml": "commit: own\n"}, ours: files{"config.yaml": "commit: off\n"}, theirs: files{"config.yaml": "commit: ref\n"},
				disk:     files{"config.yaml": marked("commit: off\n", "commit: ref\n")},
				unmerged: []string{"config.yaml"},
			},
			how: "merged line by line", left: "both sides changed it: choose, then ckpt resolve",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, versions := c.of.settler()
			if err := s.settleAll(versions); err != nil {
				t.Fatal(err)
			}
			wrote := files{}
			for _, f := range s.files {
				wrote[f.Path] = string(f.After)
			}
			if !maps.Equal(wrote, c.wrote) {
				t.Errorf("wrote %q\nwant %q", wrote, c.wrote)
			}
			how, left := "", ""
			if len(s.report.Files) > 0 {
				how = s.report.Files[0].How
			}
			for _, f := range s.report.Files {
				for _, spot := range f.Left {
					left = spot.What
				}
			}
			if !strings.HasPrefix(how, c.how) || (how == "") != (c.how == "") || left != c.left {
				t.Errorf("reported %q, left %q", how, left)
			}
		})
	}
}

// TestSelected settles only what the user names.
func TestSelected(t *testing.T) {
	newOne := func(id, path string) *item { return &item{Item: merge.Item{ID: id}, paths: []string{path}} }
	all := []*item{newOne("chk-a", "active/chk-a.md"), newOne("chk-b", "archive/chk-b.md"), newOne("", "LEARNINGS.md")}
	for _, c := range []struct {
		name string
		want int // index
	}{
		{"chk-a", 0}, {"a", 0}, {"active/chk-a.md", 0}, {`checkpoints\archive\chk-b.md`, 1}, {"LEARNINGS.md", 2},
	} {
		s := &settler{names: []string{c.name}}
		got, err := s.selected(append([]*item(nil), all...))
		if err != nil || len(got) != 1 || got[0] != all[c.want] {
			t.Errorf("%s: %v, error %v", c.name, got, err)
		}
	}
}

func TestMergeFile(t *testing.T) {
	a, b := chk("chk-a", "One."), chk("chk-b", "One.")
	for _, c := range []struct {
		name, path, base, ours, theirs string
		merged                         string
		markers                        int
	}{
		{
			name: "both add a decision", path: "checkpoints/active/chk-a.md",
			base: chk("chk-a", "One.", "Base"), ours: chk("chk-a", "One.", "Base", "Ours"), theirs: chk("chk-a", "One.", "Base", "Theirs"),
			merged: chk("chk-a", "One.", "Base", "Ours", "Theirs"),
		},
		{
			name: "git takes one checkpoint for another", path: "checkpoints/active/chk-a.md",
			base: a, ours: strings.Replace(a, "One.", "Two.", 1), theirs: b,
			merged: "<<<<<<< ours\n" + strings.Replace(a, "One.", "Two.", 1) + "=======\n" + b + ">>>>>>> theirs\n", markers: 1,
		},
		{
			name: "a conflict of two checkpoints is the one that the file is named after", path: "checkpoints/active/chk-b.md",
			base: b, ours: marked(a, b), theirs: strings.Replace(b, "One.", "Two.", 1),
			merged: strings.Replace(b, "One.", "Two.", 1),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := MergeFile(t.Context(), t.TempDir(), DriverRequest{
				Path: c.path, Base: []byte(c.base), Ours: []byte(c.ours), Theirs: []byte(c.theirs),
			})
			if err != nil {
				t.Fatal(err)
			}
			if string(got.Bytes) != c.merged || len(got.Markers) != c.markers {
				t.Errorf("markers %v\n%s", got.Markers, got.Bytes)
			}
		})
	}
}
