package pages

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/ckpt/internal/git/gittest"
)

// TestCheatSheet runs the session of docs/cheatsheet.md, and each command of its table.
func TestCheatSheet(t *testing.T) {
	p := openPage(t, "docs/cheatsheet.md", shopRepo(t).Dir)
	p.section("")
	p.dir = shopRepo(t).Dir
	p.shell("ckpt new billing --parked --problem 'Invoices are sent twice'")
	_, table, _ := strings.Cut(p.text, "|-------------|")
	table, _, _ = strings.Cut(table, "\n\n")
	commands := regexp.MustCompile("`(ckpt [^`]*)`").FindAllStringSubmatch(table, -1)
	for _, command := range commands {
		if command[1] != "ckpt browse" {
			p.shell(strings.NewReplacer("@{", "'@{", "}", "}'").Replace(command[1])) // fails the test if it fails
		}
	}
	if len(commands) < 12 {
		t.Errorf("%d commands", len(commands))
	}
}

// TestUserPagesAreShort: each page that docs/README.md lists for users has at most 1,500 words.
func TestUserPagesAreShort(t *testing.T) {
	index, err := os.ReadFile("../../docs/README.md")
	gittest.Must(t, err)
	users, _, _ := strings.Cut(string(index), "\n## For builders\n")
	pages := regexp.MustCompile(`\]\(([^)#]*\.md)\)`).FindAllStringSubmatch(users, -1)
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join("../../docs", page[1]))
		gittest.Must(t, err)
		if n := len(strings.Fields(string(text))); n > 1500 {
			t.Errorf("docs/%s has %d words", page[1], n)
		}
	}
	if len(pages) < 15 {
		t.Errorf("the shelf for users has %d pages", len(pages))
	}
}

// TestEveryPageIsOnAShelf: docs/README.md names every page.
func TestEveryPageIsOnAShelf(t *testing.T) {
	index, err := os.ReadFile("../../docs/README.md")
	gittest.Must(t, err)
	pages, err := filepath.Glob("../../docs/*.md")
	gittest.Must(t, err)
	for _, page := range pages {
		if name := filepath.Base(page); name != "README.md" && !strings.Contains(string(index), "("+name+")") {
			t.Errorf("docs/README.md does not name docs/%s", name)
		}
	}
}
