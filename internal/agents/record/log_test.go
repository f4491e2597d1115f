package record

import "testing"

func TestFind(t *testing.T) {
	all := []Session{{ID: "4f2a"}, {ID: "4f2a-7"}, {ID: "9"}}
	for name, want := range map[string]string{"@": "4f2a ", "4f2a": "4f2a ", "4f": "4f2a 4f2a-7 ", "4f2a-…": "4f2a-7 ", "9": "9 ", "x": "", "": ""} {
		got := ""
		for _, s := range Find(all, name) {
			got += s.ID + " "
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	if got := Find(nil, "@"); len(got) > 0 {
		t.Errorf("got %v of none", got)
	}
}
