package change

import "testing"

func TestAddPutsChangesOfOneFileTogether(t *testing.T) {
	var s Set
	s.Add(File{Path: "a.md", Before: []byte("1"), After: []byte("2")})
	s.Add(File{Path: "a.md", Before: []byte("2"), After: []byte("3")})
	if len(s.Files) != 1 || string(s.Files[0].Before) != "1" || string(s.Files[0].After) != "3" {
		t.Errorf("got %q", s.Files)
	}
	s.Add(File{Path: "a.md", Before: []byte("3"), After: []byte("1")})
	if !s.Empty() {
		t.Errorf("a change and its opposite are %q, not nothing", s.Files)
	}
}

func TestAnEmptyFileIsNotAMissingOne(t *testing.T) {
	var s Set
	s.Add(File{Path: "same.md", Before: []byte("x"), After: []byte("x")})
	s.Add(File{Path: "none.md", Before: nil, After: nil})
	if !s.Empty() {
		t.Errorf("no change, and yet %q", s.Files)
	}
	s.Add(File{Path: "made.md", Before: nil, After: []byte{}})
	s.Add(File{Path: "gone.md", Before: []byte{}, After: nil})
	if len(s.Files) != 2 {
		t.Errorf("want two changes, got %q", s.Files)
	}
}

func TestAFileMadeAndGoneAgainIsNoChange(t *testing.T) {
	var s Set
	s.Add(File{Path: "made.md", After: []byte("one")})
	if s.Add(File{Path: "made.md"}); !s.Empty() {
		t.Errorf("made and gone again is %q, not nothing", s.Files)
	}
}

func TestUnder(t *testing.T) {
	s := Set{Files: []File{{Path: "active/a.md"}}}
	for dir, want := range map[string]string{"": "active/a.md", ".": "active/a.md", "notes/ckpt": "notes/ckpt/active/a.md"} {
		if got := s.Under(dir)[0].Path; got != want {
			t.Errorf("under %q: %q, want %q", dir, got, want)
		}
	}
	if s.Files[0].Path != "active/a.md" {
		t.Error("Under changed the set")
	}
}
