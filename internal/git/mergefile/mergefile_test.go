package mergefile_test

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/mergefile"
)

func TestMerge(t *testing.T) {
	envtest.Set(t)
	lines := func(words string) []byte { return []byte(strings.Join(strings.Fields(words), "\n") + "\n") }
	for _, tt := range []struct {
		name, base, ours, theirs string
		conflict                 bool
		marked, preferred        string
	}{
		{"different lines", "a b c d e", "A b c d e", "a b c d E", false, "A b c d E", "A b c d E"},
		{"one side only", "a b", "a b", "a B c", false, "a B c", "a B c"},
		{"the same line", "a b c", "a x c", "a y c", true, "a <<<<<<<! x =======! y >>>>>>>! c", "a y c"},
		{"no base", "", "x", "y", true, "<<<<<<<! x =======! y >>>>>>>!", "y"},
	} {
		texts := mergefile.Texts{Base: lines(tt.base), Ours: lines(tt.ours), Theirs: lines(tt.theirs), MarkerSize: 9,
			Labels: mergefile.Labels{Ours: "our side", Theirs: "their side"}}
		got, conflict, err := mergefile.WithMarkers(t.Context(), t.TempDir(), texts)
		want := strings.NewReplacer("<<<<<<<!", "<<<<<<<<<_our_side", "=======!", "=========", ">>>>>>>!",
			">>>>>>>>>_their_side").Replace(tt.marked)
		want = strings.ReplaceAll(string(lines(want)), "_", " ")
		if err != nil || conflict != tt.conflict || string(got) != want {
			t.Errorf("%s: conflict %v, %v\n%s\nwant\n%s", tt.name, conflict, err, got, want)
		}
		got, conflict, err = mergefile.PreferTheirs(t.Context(), t.TempDir(), texts.Base, texts.Ours, texts.Theirs)
		if err != nil || conflict != tt.conflict || string(got) != string(lines(tt.preferred)) {
			t.Errorf("%s: conflict %v, %v\n%s\nwant %s", tt.name, conflict, err, got, tt.preferred)
		}
	}
}
