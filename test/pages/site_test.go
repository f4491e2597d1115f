package pages

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/envtest"
	"example.com/ckpt/internal/git/gittest"
)

// TestSiteInABrowser opens a site from the disk. Its content security policy allows the style sheet and
// the scripts, the search finds text of a checkpoint, and no text of a checkpoint runs as code.
func TestSiteInABrowser(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		path, err := exec.LookPath(name)
		if err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("no chromium is installed")
	}
	r := gittest.New(t)
	r.Commit("First", "README.md", "# A project\n")
	at := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	const hostile = `<script>document.title = "obeyed"</script><img src=x onerror="document.title='obeyed'">`
	ckpt(t, r.Dir, at, "new", "auth", "--problem", "The cursed giraffe "+hostile, "--next", "Look")
	ckpt(t, r.Dir, at, "new", "retry", "--parent", "auth", "--problem", "Nothing of it", "--next", "Look")
	site := filepath.Join(t.TempDir(), "a site")
	ckpt(t, r.Dir, at, "export", "--html", site)

	open := func(page string) string { return rendered(t, browser, site, page) }
	index := open("index.html")
	if strings.Contains(index, `<form id="search" role="search" hidden`) {
		t.Errorf("the script does not run:\n%s", index)
	}
	found := open("index.html?q=GIRAFFE%20cursed")
	for _, want := range []string{`found on 1 page<`, `<section id="lineage" hidden="">`, `href="chk-auth.html#s`, `<mark>giraffe</mark>`} {
		if !strings.Contains(found, want) {
			t.Errorf("the search lacks %s:\n%s", want, found)
		}
	}
	if none := open("index.html?q=zebra"); !strings.Contains(none, "nothing found<") {
		t.Errorf("a search for what is nowhere:\n%s", none)
	}
	for _, page := range []string{"index.html?q=giraffe", "chk-auth.html"} {
		if text := open(page); strings.Contains(text, "<title>obeyed") || strings.Contains(text, "<img") {
			t.Errorf("%s obeys a checkpoint:\n%s", page, text)
		}
	}
}

// rendered returns the DOM of a page after its scripts have run in the browser.
func rendered(t *testing.T, browser, site, page string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := envtest.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
		"--user-data-dir="+t.TempDir(), "--dump-dom", "file://"+strings.ReplaceAll(filepath.ToSlash(site), " ", "%20")+"/"+page)
	var remarks strings.Builder
	cmd.Stderr = &remarks
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("%s does not start: %v\n%s", browser, err, remarks.String())
	}
	for line := range strings.Lines(remarks.String()) {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("%s: %s", page, line)
		}
	}
	return string(out)
}
