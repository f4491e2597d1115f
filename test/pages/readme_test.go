package pages

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/git/gittest"
)

// TestReadmeSession runs the blocks of README.md below "A first session" in a new repository. Between
// two blocks it does the work on the code that the text mentions.
func TestReadmeSession(t *testing.T) {
	r := gittest.New(t)
	r.Commit("First", "README.md", "# A project\n", "login/test.py", "def test_nothing():\n    pass\n")
	p := openPage(t, "README.md", r.Dir)
	p.pause = 20 * time.Minute
	for i, block := range p.blocks("A first session") {
		if i > 0 { // "You, or your agent, work."
			r.Write("login/test.py", fmt.Sprintf("def test_clock_drift():\n    assert drift() < %d\n", 60*i))
		}
		p.run(block)
	}
}

// TestRemoval sets up everything and runs the commands that README.md and docs/install.md name for its removal.
func TestRemoval(t *testing.T) {
	for name, heading := range map[string]string{"README.md": "**How do I get rid of it?**", "docs/install.md": "## Remove it"} {
		r := gittest.New(t)
		r.Commit("First", "README.md", "# A project\n")
		p := openPage(t, name, r.Dir)
		p.shell("ckpt setup claude")
		p.shell("ckpt setup git")
		_, below, _ := strings.Cut(p.text, heading)
		commands := unsetups(below)
		if len(commands) != 2 {
			t.Errorf("%s, below %s: the commands are %q", name, heading, commands)
		}
		for _, command := range commands {
			p.shell(command) // fails the test if it fails
		}
		if left := p.shell("git status --short"); left != "" {
			t.Errorf("%s: left are\n%s", name, left)
		}
		if left := p.shell("git config --local --list"); strings.Contains(left, "ckpt") {
			t.Errorf("%s: left in the configuration:\n%s", name, left)
		}
	}
}

// unsetups returns the commands of a text that remove something.
func unsetups(page string) []string {
	var commands []string
	for _, span := range regexp.MustCompile("`(ckpt unsetup [^`]*)`").FindAllStringSubmatch(page, -1) {
		commands = append(commands, span[1])
	}
	return commands
}

// TestReadmeIsShort: what a newcomer reads before the links at the end has at most 700 words.
func TestReadmeIsShort(t *testing.T) {
	src, err := os.ReadFile("../../README.md")
	gittest.Must(t, err)
	before, _, found := strings.Cut(string(src), "\n## Further\n")
	words := regexp.MustCompile(`\S*[\pL\pN]\S*`).FindAllString(before, -1)
	if !found || len(words) > 700 {
		t.Errorf("README.md has %d words before Further", len(words))
	}
}
