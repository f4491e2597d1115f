package main

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/detect"

	"example.com/ckpt/internal/secrets"
)

var update = flag.Bool("update", false, "write the findings of gitleaks for the tests of package secrets")

// TestVerdicts asserts that the file of verdicts has the findings of gitleaks in all samples.
func TestVerdicts(t *testing.T) {
	cfg, err := defaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := moduleDir()
	if err != nil {
		t.Fatal(err)
	}
	want, err := samples(cfg, dir)
	if err != nil {
		t.Fatal(err)
	}
	d := detect.NewDetector(cfg)
	for i, v := range want {
		want[i].Found = judge(d, v.Path, v.Text)
	}
	file := filepath.Join(folder, "testdata", "verdicts.json.gz")
	if *update {
		if err := writeVerdicts(file, want); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readVerdicts(file)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("the file differs from what gitleaks finds: go generate ./internal/secrets")
	}
}

// TestFreshSamples compares ckpt's verdicts by gitleaks' rules with those of gitleaks, on
// fresh random samples and on the repository's own pages.
func TestFreshSamples(t *testing.T) {
	cfg, err := defaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	var texts []verdict
	for _, id := range cfg.OrderedRules {
		r := cfg.Rules[id]
		if r.Regex == nil {
			continue
		}
		path := "note.md"
		if r.Path != nil {
			path = pathFor(r)
		}
		for range 20 {
			for _, text := range around(r, like(r.Regex, random), random) {
				texts = append(texts, verdict{Path: path, Text: text})
			}
		}
	}
	for _, pattern := range []string{"../../docs/*.md", "../../docs/*/*.md", "../../examples/*.md", "../../examples/*/*.md", "../../checkpoints/*/*.md", "../../*.md"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, verdict{Path: "note.md", Text: string(src)})
		}
	}
	d, s := detect.NewDetector(cfg), &secrets.Scanner{}
	for _, v := range texts { // ckpt's own rules do not count here
		for _, f := range s.Scan(v.Path, v.Text) {
			if _, theirs := cfg.Rules[f.Rule]; !theirs && !slices.Contains(s.Allow.Rules, f.Rule) {
				s.Allow.Rules = append(s.Allow.Rules, f.Rule)
			}
		}
	}
	for _, v := range texts {
		want := named(judge(d, v.Path, v.Text))
		var got []found
		for _, f := range s.Scan(v.Path, v.Text) {
			got = append(got, found{f.Rule, v.Text[f.Start:f.Stop]})
		}
		if got = named(got); !slices.Equal(got, want) {
			t.Errorf("seed %d: %q:\n got %q\nwant %q", seed, v.Text, got, want)
		}
	}
	t.Logf("%d texts", len(texts))
}

// named leaves out findings of the generic rule in a secret that a specific rule finds.
func named(all []found) []found {
	kept := slices.DeleteFunc(slices.Clone(all), func(f found) bool {
		return f.Rule == "generic-api-key" && slices.ContainsFunc(all, func(other found) bool {
			return other.Rule != "generic-api-key" && strings.Contains(other.Secret, f.Secret)
		})
	})
	slices.SortFunc(kept, func(a, b found) int {
		return strings.Compare(a.Rule+"\x00"+a.Secret, b.Rule+"\x00"+b.Secret)
	})
	return kept
}
