package byhand_test

import (
	"strings"
	"testing"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/workspace/byhand"
)

const alpha, beta = "active/chk-alpha.md", "active/chk-beta.md"

// TestNewErrors distinguishes the errors that an edit adds from earlier ones.
func TestNewErrors(t *testing.T) {
	report := func(codes ...string) (r result.Report) {
		for _, code := range codes {
			f := result.Finding{Code: code, ID: "chk-a", Path: alpha, Severity: result.Error, Message: "wrong", Fix: "Mend it."}
			if code == "hint" {
				f.Severity = result.Warning
			}
			r.Findings = append(r.Findings, f)
		}
		return r
	}
	for _, tt := range []struct {
		name          string
		before, after result.Report
		fresh         string
		old           int
	}{
		{name: "none"},
		{name: "an old one", before: report("x"), after: report("x"), old: 1},
		{name: "a new one", after: report("x"), fresh: "x"},
		{name: "the same once more", before: report("x"), after: report("x", "x"), fresh: "x", old: 1},
		{name: "mended", before: report("x", "y"), after: report("y"), old: 1},
		{name: "a warning", after: report("hint")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fresh, old := byhand.NewErrors(tt.before, tt.after)
			var codes []string
			for _, f := range fresh {
				codes = append(codes, f.Code)
			}
			if strings.Join(codes, " ") != tt.fresh || old != tt.old {
				t.Errorf("fresh %q, old %d", codes, old)
			}
		})
	}
	edits := []change.File{{Path: beta}}
	fresh := append(report("x").Findings, result.Finding{Code: "y", Path: beta, Line: 3, Message: "bad", Fix: "Mend it."})
	err := byhand.Refusal("checkpoints", fresh, edits)
	if want := "checkpoints/" + beta + ", line 3: bad [y], and 1 more error"; fault.KindOf(err) != fault.Invalid ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	if fault.HintOf(err) != "Mend it. Then ckpt save" {
		t.Errorf("hint %q", fault.HintOf(err))
	}
}
