package secrets

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// verdict is a sample with gitleaks' own findings.
type verdict struct {
	Path, Text string
	Found      []struct{ Rule, Secret string }
}

// TestVerdicts compares our findings with gitleaks': the same rules find the same secrets
// in every sample (test/gitleaks makes them). The generic rule does not count if a specific
// rule finds the secret, since gitleaks reports both if the matches begin on two lines.
func TestVerdicts(t *testing.T) {
	s := &Scanner{Allow: Allow{Rules: ownIDs()}}
	positive := map[string]bool{}
	for _, v := range verdicts(t) {
		var want, got []string
		for _, f := range v.Found {
			want = append(want, f.Rule+" "+f.Secret)
			positive[f.Rule] = true
		}
		for _, f := range s.Scan(v.Path, v.Text) {
			got = append(got, f.Rule+" "+v.Text[f.Start:f.Stop])
		}
		got, want = named(got), named(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q:\n got %q\nwant %q", v.Path, v.Text, got, want)
		}
	}
	for _, r := range rules {
		if !positive[r.id] {
			t.Errorf("no sample holds a %s", r.id)
		}
	}
}

// named returns the verdicts, sorted, without those of the generic rule for a secret
// that a specific rule finds.
func named(all []string) []string {
	kept := slices.DeleteFunc(slices.Clone(all), func(v string) bool {
		value, generic := strings.CutPrefix(v, "generic-api-key ")
		return generic && slices.ContainsFunc(all, func(other string) bool {
			return !strings.HasPrefix(other, "generic-api-key ") && strings.Contains(other, value)
		})
	})
	slices.Sort(kept)
	return kept
}

func verdicts(tb testing.TB) []verdict {
	tb.Helper()
	f, err := os.Open("testdata/verdicts.json.gz")
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	var all []verdict
	if err := json.NewDecoder(z).Decode(&all); err != nil {
		tb.Fatal(err)
	}
	if len(all) < 3000 || strings.TrimSpace(all[0].Text) == "" {
		tb.Fatalf("%d samples", len(all))
	}
	return all
}
