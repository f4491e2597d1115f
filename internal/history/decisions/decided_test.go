package decisions_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/history/decisions"
	"example.com/ckpt/internal/history/revisions"
)

// version returns a version with the given bullets as decisions and the given parents.
func version(t testing.TB, commit, op string, bullets []string, parents ...int) decisions.Version {
	t.Helper()
	src := "---\ncheckpoint: chk-a\ncreated: 2026-01-02\n---\n\n## Decisions\n\n"
	for _, b := range bullets {
		src += "- " + b + "\n"
	}
	c, err := checkpoint.Parse("active/chk-a.md", []byte(src+"\n## Current State\n\nHere.\n"))
	if err != nil {
		t.Fatal(err)
	}
	return decisions.Version{Version: revisions.Version{Commit: commit, Op: op, TakesBack: op == "undo"}, Parents: parents, Checkpoint: c}
}

// line returns a linear history of versions, oldest first. A text has bullets separated by " | ",
// after the name of an operation and "! ".
func line(t testing.TB, texts ...string) []decisions.Version {
	t.Helper()
	var all []decisions.Version
	for i, text := range texts {
		var parents []int
		if i > 0 {
			parents = []int{i - 1}
		}
		op, bullets, found := strings.Cut(text, "! ")
		if !found {
			op, bullets = "", text
		}
		all = append(all, version(t, fmt.Sprint("c", i), op, strings.Split(bullets, " | "), parents...))
	}
	return all
}

// told returns one short text for each decision and each loss of a record.
func told(r *decisions.Record) []string {
	var all []string
	for _, d := range r.Decisions {
		s := d.What + " " + d.Made.Commit
		for _, e := range d.Reworded {
			s += " reworded " + e.Commit
		}
		if d.Struck != nil {
			s += " struck " + d.Struck.Commit
		}
		all = append(all, s)
	}
	for _, l := range r.Losses {
		s := "lost " + l.Decision.What + " " + l.Made.Commit + " in " + l.In.Commit
		if l.Back != nil {
			s += " back " + l.Back.Commit
		}
		if !l.Fails() {
			s += " meant"
		}
		all = append(all, s)
	}
	return all
}

func TestFollow(t *testing.T) {
	tests := []struct {
		name     string
		versions []string
		want     []string
	}{
		{"one stays", []string{"**JWT**: mobile", "**JWT**: mobile"}, []string{"JWT c0"}},
		{"one is added", []string{"**JWT**: mobile", "**JWT**: mobile | **Redis**: fast"}, []string{"JWT c0", "Redis c1"}},
		{"in another order", []string{"**A b** | **C d**", "**C d** | **A b**"}, []string{"C d c0", "A b c0"}},
		{"one vanishes", []string{"**JWT**: mobile | **Redis**: fast", "**JWT**: mobile"}, []string{"JWT c0", "lost Redis c0 in c1"}},
		{"all vanish", []string{"**JWT**: mobile", ""}, []string{"lost JWT c0 in c1"}},
		{"another one takes its place", []string{"**Redis for sessions**: fast", "**Memcached for sessions**: fast"},
			[]string{"Memcached for sessions c1", "lost Redis for sessions c0 in c1"}},
		{"its opposite takes its place", []string{"**Cache the tokens**: fast", "**Do not cache the tokens**: stale"},
			[]string{"Do not cache the tokens c1", "lost Cache the tokens c0 in c1"}},
		{"another reason", []string{"**JWT**: mobile", "**JWT**: mobile apps cannot hold cookies"}, []string{"JWT c0 reworded c1"}},
		{"other words", []string{"**PostgreSQL as the store**: JSONB", "**Store in Postgres 16**: JSONB and replicas"},
			[]string{"Store in Postgres 16 c0 reworded c1"}},
		{"another format", []string{"**Use JWT**: mobile", "Use JWT: mobile"}, []string{"Use JWT c0"}},
		{"struck through", []string{"**JWT**: mobile", "~~**JWT**: mobile~~ → **PASETO** | **PASETO**: safer"},
			[]string{"JWT c0 struck c1", "PASETO c1"}},
		{"struck, then taken out", []string{"**JWT**: x", "~~**JWT**: x~~", ""}, []string{"lost JWT c0 in c2 meant"}},
		{"taken out and back", []string{"**JWT**: x", "", "**JWT**: x"}, []string{"JWT c0", "lost JWT c0 in c1 back c2"}},
		{"lost twice", []string{"**JWT**: x", "", "**JWT**: x", ""}, []string{"lost JWT c0 in c1 back c2", "lost JWT c0 in c3"}},
		{"undone", []string{"**JWT**: x", "**JWT**: x | **Redis**: y", "undo! **JWT**: x"}, []string{"JWT c0", "lost Redis c1 in c2 meant"}},
		{"the same twice", []string{"**JWT**: x | **JWT**: x", "**JWT**: x"}, []string{"JWT c0"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := told(decisions.Follow(line(t, tt.versions...), len(tt.versions)-1)); !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestFollowMerge merges two branches. Their decisions keep their own commits, and a loss by the
// merge is recorded once.
func TestFollowMerge(t *testing.T) {
	versions := []decisions.Version{
		version(t, "base", "", []string{"**JWT**: x"}),
		version(t, "left", "", []string{"**JWT**: x", "**Redis**: y"}, 0),
		version(t, "right", "", []string{"~~**JWT**: x~~", "**Kafka**: z", "**Redis**: y"}, 0),
		version(t, "merge", "", []string{"~~**JWT**: x~~", "**Redis**: y"}, 1, 2),
	}
	want := []string{"JWT base struck right", "Redis left", "lost Kafka right in merge"}
	if got := told(decisions.Follow(versions, len(versions)-1)); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestFollowLines follows branches in parallel. A decision that one of them lost is back after they
// merge, decisions of both stay separate, and the present version need not be the last one.
func TestFollowLines(t *testing.T) {
	versions := []decisions.Version{
		version(t, "base", "", []string{"**JWT**: x", "**Kafka**: z"}),
		version(t, "left", "", []string{"**JWT**: x", "**Redis**: fast", "**Kafka**: z"}, 0),
		version(t, "right", "", []string{"**Redis**: known", "**Kafka**: z"}, 0),
		version(t, "left2", "", []string{"**JWT**: x", "**Redis**: fast"}, 1),
		version(t, "merge", "", []string{"**JWT**: x", "**Redis**: known", "**Redis**: fast"}, 3, 2),
		version(t, "later", "", []string{"**JWT**: x"}, 1),
	}
	want := []string{"JWT base", "Redis right", "Redis left", "lost JWT base in right back merge",
		"lost Kafka base in left2", "lost Redis left in later"}
	if got := told(decisions.Follow(versions, 4)); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// FuzzFollow checks that each decision of the last version has a maker. If nothing was lost or
// reworded, the last version has all decisions of all versions.
func FuzzFollow(f *testing.F) {
	f.Add("a|b\nb|c\na")
	f.Add("~~x~~|x\n~~x~~")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 400 || strings.ContainsAny(text, "\r`<#") {
			t.Skip()
		}
		var texts []string
		for l := range strings.Lines(text) {
			texts = append(texts, strings.ReplaceAll(strings.TrimSpace(l), "|", " | "))
		}
		versions := line(t, texts...)
		r := decisions.Follow(versions, len(versions)-1)
		whole := len(r.Losses) == 0 // a version may have one decision twice, and the next one once
		for _, v := range versions {
			var all []string
			for _, d := range v.Checkpoint.Decisions() {
				all = append(all, plain(d.What))
			}
			slices.Sort(all)
			whole = whole && len(slices.Compact(slices.Clone(all))) == len(all)
		}
		var have []string
		for _, d := range r.Decisions {
			if d.Made.Commit == "" {
				t.Errorf("%q has no maker", d.Text)
			}
			whole = whole && len(d.Reworded) == 0
			have = append(have, plain(d.What))
		}
		for _, v := range versions {
			for _, d := range v.Checkpoint.Decisions() {
				if whole && !slices.Contains(have, plain(d.What)) {
					t.Errorf("%q of %s is gone, and nothing says so", d.What, v.Commit)
				}
			}
		}
	})
}

// plain returns the letters and digits of a text.
func plain(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}
