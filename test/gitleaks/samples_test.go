package main

import (
	"compress/gzip"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/zricethezav/gitleaks/v8/cmd/generate/config/utils"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
)

// verdict is a sample with the findings of gitleaks.
type verdict struct {
	Path  string  `json:"path"`
	Text  string  `json:"text"`
	Found []found `json:"found,omitempty"`
}

type found struct {
	Rule   string `json:"rule"`
	Secret string `json:"secret"`
}

// samples returns texts for a comparison of two detectors: every string in the sources of
// gitleaks' rules, which contain true and false positives, and texts generated from the
// expression of every rule, alone and in other text.
func samples(cfg config.Config, dir string) ([]verdict, error) {
	texts, err := literals(filepath.Join(dir, "cmd", "generate", "config", "rules", "*.go"))
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(8, 30)) // the same samples every time
	var all []verdict
	for _, text := range texts {
		all = append(all, verdict{Path: "note.md", Text: text})
	}
	for _, id := range cfg.OrderedRules {
		r := cfg.Rules[id]
		if r.Regex == nil {
			continue
		}
		if r.Path != nil { // the source does not have the files of its texts
			for _, text := range texts {
				if strings.Contains(strings.ToLower(text), r.Keywords[0]) {
					all = append(all, verdict{Path: pathFor(r), Text: text})
				}
			}
		}
		for range 3 {
			for i, text := range around(r, like(r.Regex, random), random) {
				path := "note.md"
				if r.Path != nil && i%2 == 0 {
					path = pathFor(r)
				}
				all = append(all, verdict{Path: path, Text: text})
			}
		}
	}
	return all, nil
}

// around returns a text alone, in prose, in a table, damaged, twice, and as an assigned value.
func around(r config.Rule, text string, random *rand.Rand) []string {
	spoilt := []byte(text)
	if len(spoilt) > 0 {
		spoilt[random.IntN(len(spoilt))] = "aA0-_ \n"[random.IntN(7)]
	}
	assigned := utils.GenerateSampleSecrets(r.Keywords[0], strings.TrimSpace(text))
	slices.Sort(assigned)
	return []string{
		text,
		"- Found " + text + "\r\n- and more\r\n",
		"| `a.go` | modified | " + text + " |\n",
		string(spoilt),
		text + "\n\nthe key is " + text,
		assigned[random.IntN(len(assigned))],
	}
}

// pathFor returns the name of a file to which a rule applies.
func pathFor(r config.Rule) string {
	for _, path := range []string{"a.php", "main.tf", "config.yaml", "nuget.config"} {
		if r.Path.MatchString(path) {
			return path
		}
	}
	panic(r.RuleID + ": no file for this rule")
}

// literals returns every string in the Go files that match a pattern, sorted.
func literals(pattern string) ([]string, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && len(text) >= 16 {
					texts = append(texts, text)
				}
			}
			return true
		})
	}
	slices.Sort(texts)
	return slices.Compact(texts), nil
}

// like returns a random text that matches an expression. Assertions about the text around it are ignored.
func like(e *regexp.Regexp, random *rand.Rand) string {
	parsed, err := syntax.Parse(e.String(), syntax.Perl)
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	write(&b, parsed, random)
	return b.String()
}

func write(b *strings.Builder, e *syntax.Regexp, random *rand.Rand) {
	repeat := func(least, most int) {
		if most < 0 {
			most = least + 20
		}
		for range least + random.IntN(min(most-least, 40)+1) {
			write(b, e.Sub[0], random)
		}
	}
	switch e.Op {
	case syntax.OpLiteral:
		b.WriteString(string(e.Rune))
	case syntax.OpCharClass:
		b.WriteRune(oneOf(e.Rune, random))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteRune(rune('!' + random.IntN(90)))
	case syntax.OpStar:
		repeat(0, -1)
	case syntax.OpPlus:
		repeat(1, -1)
	case syntax.OpQuest:
		repeat(0, 1)
	case syntax.OpRepeat:
		repeat(e.Min, e.Max)
	case syntax.OpAlternate:
		write(b, e.Sub[random.IntN(len(e.Sub))], random)
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range e.Sub {
			write(b, sub, random)
		}
	}
}

// oneOf returns a random character of a class, which is given as pairs of bounds. It prefers
// ASCII.
func oneOf(pairs []rune, random *rand.Rand) rune {
	var any []rune
	for i := 0; i < len(pairs); i += 2 {
		for r := pairs[i]; r <= min(pairs[i+1], 126); r++ {
			any = append(any, r)
		}
	}
	if len(any) == 0 {
		return pairs[0]
	}
	return any[random.IntN(len(any))]
}

// judge returns the findings of gitleaks in a text, sorted.
func judge(d *detect.Detector, path, text string) []found {
	var all []found
	for _, f := range d.Detect(detect.Fragment{Raw: text, FilePath: path}) {
		all = append(all, found{f.RuleID, f.Secret})
	}
	slices.SortFunc(all, func(a, b found) int {
		return strings.Compare(a.Rule+"\x00"+a.Secret, b.Rule+"\x00"+b.Secret)
	})
	return all
}

// writeVerdicts writes samples with their findings. The file is compressed, so that tools that look
// for secrets in this repository do not report the samples.
func writeVerdicts(file string, all []verdict) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	z, _ := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err := json.NewEncoder(z).Encode(all); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return f.Close()
}

// readVerdicts reads a file of writeVerdicts.
func readVerdicts(file string) (all []verdict, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	err = json.NewDecoder(z).Decode(&all)
	return all, err
}
