package workspace

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/policy"
)

// TestMessage makes the messages of commits.
func TestMessage(t *testing.T) {
	long := strings.Repeat("many words ", 12) + "end"
	for _, tt := range []struct {
		name string
		tx   Tx
		want string // the whole message
	}{
		{
			name: "short", tx: Tx{Op: "note", ID: "chk-a", Summary: "context: Two."},
			want: "ckpt: note chk-a: context: Two.\n\nCheckpoint: chk-a\nCheckpoint-Op: note\n",
		},
		{
			name: "without an id", tx: Tx{Op: "save", Summary: "edited", Trailers: []string{"Checkpoint: chk-b"}},
			want: "ckpt: save: edited\n\nCheckpoint-Op: save\nCheckpoint: chk-b\n",
		},
		{
			name: "long", tx: Tx{Op: "note", ID: "chk-a", Summary: long},
			want: "ckpt: note chk-a: many words many words many words many words many…\n\n" + long + "\n\nCheckpoint: chk-a\nCheckpoint-Op: note\n",
		},
		{
			name: "an id as long as a subject", tx: Tx{Op: "note", ID: "chk-" + strings.Repeat("a", 68), Summary: long},
			want: "ckpt: note chk-" + strings.Repeat("a", 68) + ": many words many…\n\n" + long + "\n\nCheckpoint: chk-" +
				strings.Repeat("a", 68) + "\nCheckpoint-Op: note\n",
		},
		{
			name: "several paragraphs", tx: Tx{Op: "note", ID: "chk-a", Summary: "one\ntwo\n\nthree"},
			want: "ckpt: note chk-a: one two\n\none\ntwo\n\nthree\n\nCheckpoint: chk-a\nCheckpoint-Op: note\n",
		},
		{
			name: "control characters", tx: Tx{Op: "note", ID: "chk-a", Summary: "red \x1b[31mtext\a"},
			want: "ckpt: note chk-a: red [31mtext\n\nCheckpoint: chk-a\nCheckpoint-Op: note\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Message(policy.Default(), &tt.tx); got != tt.want {
				t.Errorf("got %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestApplied computes the checkpoints after a transaction.
func TestApplied(t *testing.T) {
	p := newProject(t)
	set := p.view().Set
	o := &Tx{}
	o.Put(alpha, []byte(p.onDisk(alpha)), nil)
	o.Put("active/chk-new.md", nil, []byte(chk("chk-new", "status: current")))
	o.Put("LEARNINGS.md", nil, []byte("# Learnings\n"))
	after := set.After(o.Files.Files)
	if got := ids(after.All); got != "chk-beta chk-new" || after.Current().ID != "chk-new" {
		t.Errorf("after: %s, current %v", got, after.Current())
	}
	if ids(set.All) != "chk-alpha chk-beta" || set.Current().ID != "chk-alpha" {
		t.Error("the set has changed")
	}
	o.Put(beta, nil, []byte("---\ncheckpoint: [\n---\n"))
	if got := ids(set.After(o.Files.Files).All); got != "chk-new" {
		t.Errorf("after an unreadable file: %s", got)
	}
}

// TestAnchor returns the position in git.
func TestAnchor(t *testing.T) {
	p := newProject(t)
	head, err := p.Repo.Open().Head()
	if err != nil {
		t.Fatal(err)
	}
	if got := Anchor(head); got != "main@"+head.Hash[:7] {
		t.Errorf("on a branch: %s", got)
	}
	if got := Anchor(git.Head{Hash: head.Hash}); got != "detached@"+head.Hash[:7] {
		t.Errorf("detached: %s", got)
	}
	if got := Anchor(git.Head{}); got != "detached" {
		t.Errorf("nothing: %s", got)
	}
}

// TestCurrentRemarks tells which checkpoint counts as current, and which could.
func TestCurrentRemarks(t *testing.T) {
	p := newProject(t)
	if said := AlsoMarkedIn(p.view().Set); said != nil {
		t.Errorf("one is marked: %q", said)
	}
	p.edit(beta, "created:", "status: current\ncreated:")
	set := p.view().Set
	checkHas(t, "two are marked", strings.Join(AlsoMarkedIn(set), "\n"), "chk-beta; chk-alpha counts here")
	if got := WithoutCurrent(set, set.Current()); got != "chk-beta is current now: it was marked so, too" {
		t.Errorf("without the current one: %q", got)
	}
	for i := range maxCandidates {
		p.Write("checkpoints/active/chk-more-"+string(rune('a'+i))+".md", chk("chk-more-"+string(rune('a'+i))))
	}
	named, all := Candidates(p.view().Set)
	if all || len(named) != maxCandidates+1 || named[maxCandidates] != "2 more" {
		t.Errorf("candidates %q, all %v", named, all)
	}
}
