package sync

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/git/remote"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/sync/folder"
)

func one(name string) folder.Folder { return folder.Folder{"active/a.md": git.FileEntry(name)} }

func merged(name string) *folder.Merged { return &folder.Merged{Files: one(name)} }

// TestWhatGoesOver decides what goes over for two sides that have folders and commits.
func TestWhatGoesOver(t *testing.T) {
	for _, c := range []struct {
		name         string
		round        round
		withCode     bool
		sends, takes way
		refused      string
	}{
		{
			name:  "only here is something new",
			round: round{theirs: "t", ahead: []string{"1"}, mine: one("m"), others: one("o"), merged: merged("m")},
			sends: asItIs,
		},
		{
			name:  "only there is something new",
			round: round{theirs: "t", behind: []string{"1"}, mine: one("m"), others: one("o"), merged: merged("o")},
			takes: asItIs,
		},
		{
			name: "checkpoints on both sides",
			round: round{
				theirs: "t", ahead: []string{"1"}, behind: []string{"2"},
				mine: one("m"), others: one("o"), merged: merged("both"),
			},
			sends: asMerge, takes: asMerge,
		},
		{
			name: "code here",
			round: round{
				theirs: "t", ahead: []string{"1"}, codeHere: []string{"Fix it"},
				mine: one("m"), others: one("o"), merged: merged("m"),
			},
			sends: asFolder,
		},
		{
			name: "code here, to be sent",
			round: round{
				theirs: "t", ahead: []string{"1"}, codeHere: []string{"Fix it"},
				mine: one("m"), others: one("o"), merged: merged("m"),
			},
			withCode: true, sends: asItIs,
		},
		{
			name: "code there, and other checkpoints on both sides",
			round: round{
				theirs: "t", ahead: []string{"1"}, behind: []string{"2"}, codeThere: 1,
				mine: one("m"), others: one("o"), merged: merged("both"),
			},
			sends: asFolder, takes: asFolder,
		},
		{
			name: "code on both sides",
			round: round{
				theirs: "t", ahead: []string{"1"}, behind: []string{"2"}, codeHere: []string{"Fix it"}, codeThere: 1,
				mine: one("m"), others: one("o"), merged: merged("both"),
			},
			withCode: true, refused: "origin/main has code that is not here",
		},
		{
			name: "squashed by the host",
			round: round{
				theirs: "t", ahead: []string{"1"}, behind: []string{"2"},
				mine: one("m"), others: one("m"), merged: merged("m"),
			},
		},
		{name: "a new branch", round: round{ahead: []string{"1"}}, sends: asItIs},
		{name: "a new branch without commits", round: round{}},
		{
			name: "a new branch with code", round: round{ahead: []string{"1"}, codeHere: []string{"Fix it"}},
			refused: "origin has no branch main yet, and 1 commit not pushed yet changes more than checkpoints/: Fix it",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &syncing{
				Syncer: &Syncer{prefix: "checkpoints"},
				up: remote.Upstream{
					Branch: "main", Remote: "origin", Ref: "refs/heads/main", Tracking: "refs/remotes/origin/main",
				},
				req: Request{WithCode: c.withCode},
			}
			err := s.decide(&c.round)
			if c.refused != "" {
				if fault.KindOf(err) != fault.Refused || err.Error() != c.refused {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil || c.round.sends != c.sends || c.round.takes != c.takes {
				t.Errorf("sends %v, takes %v, error %v", c.round.sends, c.round.takes, err)
			}
		})
	}
}

func TestCodeRemarks(t *testing.T) {
	for _, c := range []struct {
		name  string
		round round
		here  int
		there int
		want  []string
	}{
		{"no code", round{}, 0, 0, nil},
		{"code here", round{}, 1, 0, []string{"1 commit with code is not sent (git push, or ckpt sync --with-code)"}},
		{
			"code there", round{codeThere: 2, ahead: []string{"1"}}, 0, 2,
			[]string{"2 commits with code of origin/main are not brought in (git pull --no-rebase)"},
		},
	} {
		report := &result.Sync{Upstream: "origin/main", CodeHere: c.here, CodeThere: c.there}
		if got := c.round.codeRemarks(report); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// TestPause never waits longer than the time that is left.
func TestPause(t *testing.T) {
	for n := range 1000 {
		for _, left := range []time.Duration{1, time.Millisecond, time.Minute} {
			got := pause(n+1, time.Second, left)
			if got < 0 || got > max(left, time.Millisecond) || got > 16*time.Second || n == 0 && got > 2*time.Second {
				t.Fatalf("waits %v of %v", got, left)
			}
		}
	}
}

func TestSome(t *testing.T) {
	for n, want := range []string{"", "a", "a; b", "a; b; c", "a; b; and 2 more"} {
		if got := some(strings.Split("abcd", "")[:n]); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}
