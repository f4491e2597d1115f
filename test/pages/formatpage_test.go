package pages

import (
	"os"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/revise"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/validate"
)

// TestFormatPage compares docs/format.md with the code: its example is a valid
// checkpoint, archiving gives the result that it shows, and it has all sections. The
// config.yaml in docs/config.md is that of init.
func TestFormatPage(t *testing.T) {
	src, err := os.ReadFile("../../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(src)
	_, block, _ := strings.Cut(page, "````markdown\n")
	block, _, _ = strings.Cut(block, "````\n")
	c, err := checkpoint.Parse("active/chk-sso.md", []byte(block))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range validate.Checkpoint(c, time.Time{}) {
		t.Errorf("the example: line %d: %s [%s]", f.Line, f.Message, f.Code)
	}

	at := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	learned := []string{"Identity providers' clocks run ahead: allow 60 s", "Log why a login is refused"}
	done, err := revise.Archive(c, "SSO logins work again; a test covers clock drift", learned, at)
	if err != nil {
		t.Fatal(err)
	}
	completion := strings.TrimPrefix(withoutStatus(string(done.Doc.Bytes())), withoutStatus(string(c.Doc.Bytes())))
	ledgerPage := string(learnings.Add(nil, c.ID, at, learned))
	for _, shown := range []string{strings.TrimPrefix(completion, "\n"), ledgerPage} {
		if !strings.Contains(page, "```markdown\n"+shown+"```") {
			t.Errorf("docs/format.md does not show\n%s", shown)
		}
	}
	settings, err := os.ReadFile("../../docs/config.md")
	if err != nil || !strings.Contains(string(settings), "```yaml\n"+policy.Starter()+"```") {
		t.Error("docs/config.md does not show the config.yaml that init writes")
	}
	for _, k := range checkpoint.Kinds() {
		if heading := strings.Repeat("#", k.Template().Level) + " " + k.String() + "`"; !strings.Contains(page, "`"+heading) {
			t.Errorf("docs/format.md does not explain `%s", heading)
		}
	}
}
