package pages

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// TestPromptPage runs the commands in the shell settings of docs/prompt.md.
func TestPromptPage(t *testing.T) {
	r := shopRepo(t)
	p := openPage(t, "docs/prompt.md", r.Dir)
	ckpt(t, r.Dir, pageTime, "new", "sso", "--problem", "Logins fail", "--next", "Reproduce the failure in login/test.py")
	const want = "chk-sso Reproduce the failure in login/test.py"
	found := 0
	for _, line := range regexp.MustCompile("(?m)^.*ckpt.*status --short.*$").FindAllString(p.text, -1) {
		command := ""
		switch {
		case strings.HasPrefix(line, "$ "):
			command = line[2:]
		case strings.HasPrefix(line, "command = "):
			command = strings.Trim(strings.TrimPrefix(line, "command = "), `"`)
		case strings.HasPrefix(line, "PS1="):
			command = regexp.MustCompile(`\$\((.*) 2>/dev/null\)`).FindStringSubmatch(line)[1]
		case strings.HasPrefix(line, "set -g"):
			inner := regexp.MustCompile(`#\((.*)\)'`).FindStringSubmatch(line)
			command = strings.ReplaceAll(inner[1], `"#{pane_current_path}"`, r.Dir)
		case strings.HasPrefix(line, "{"):
			var settings struct{ StatusLine struct{ Command string } }
			if err := json.Unmarshal([]byte(line), &settings); err != nil {
				t.Error(err)
			}
			command = settings.StatusLine.Command
		default:
			continue
		}
		found++
		if got := p.shell(command); strings.TrimSpace(got) != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	if found != 5 {
		t.Errorf("docs/prompt.md has %d commands that this test understands, not 5", found)
	}
}
