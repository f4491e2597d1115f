package site

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/lineage"
)

const hostile = `<script>alert(1)</script> <img src=x onerror=alert(1)> "><svg onload=alert(1)> ` +
	`[a](javascript:alert(1)) [b](data:text/html,x) [c](//example.com/x) [d](https://example.com/"onclick="x) ` +
	"https://example.com/<b>\"' `</code><script>` ]]> <!-- x --> </script>"

// TestPages checks on all pages that every link leads somewhere, and that no text of a checkpoint is markup.
func TestPages(t *testing.T) {
	files := Files(content(t,
		file("active/chk-a.md", "status: current", "## Problem\n\n"+hostile+"\n\n## "+hostile+"\n\n- "+hostile+"\n\n| "+hostile+" | b |\n|-|-|\n| c | "+hostile+" |\n\n```html\n"+hostile+"\n```\n"),
		file("archive/chk-b.md", "parent: chk-a", "See chk-a, chk-gone, [the first](../active/chk-a.md) and [none](../README.md).\n\n## Decisions\n\n- **"+hostile+"**: why\n- ~~old~~\n\n## Delta: 2026-01-02\n\nMore.\n\n## Nothing\n"),
		file("active/chk-c.md", "parent: chk-gone", "https://example.com/a?b=1&c=2, <https://example.com>.\n"),
		file("active/"+"decisions.md", "parent: chk-b", "An id like that of a page.\n"),
		file("active/CHK-A.md", "parent: chk-b", "Only the letter case differs.\n"),
		file("archive/twin.md", "", "A twin.\n"), file("active/twin.md", "", "A twin.\n"),
		file("active/con.md", "", "A device.\n"),
	))
	pages := map[string]*parsed{}
	names := map[string]bool{}
	for _, f := range files {
		if names[strings.ToLower(f.Name)] {
			t.Errorf("%s twice", f.Name)
		}
		names[strings.ToLower(f.Name)] = true
		if strings.HasSuffix(f.Name, ".html") {
			pages[f.Name] = parse(t, f)
		}
	}
	links := 0
	for name, page := range pages {
		for _, link := range page.links {
			links++
			target, anchor, _ := strings.Cut(link, "#")
			switch {
			case strings.HasPrefix(link, "https://example.com"), link == "data:,":
			case target != "" && !slices.ContainsFunc(files, func(f File) bool { return f.Name == target }):
				t.Errorf("%s: the link %q leads nowhere", name, link)
			case anchor != "" && target == "" && !page.ids[anchor]:
				t.Errorf("%s: the anchor %q leads nowhere", name, link)
			}
		}
	}
	if links < 100 {
		t.Errorf("%d links: they were not found", links)
	}
	b := string(get(files, "chk-b.html"))
	for _, want := range []string{
		`See <a href="chk-a.html">chk-a</a>, chk-gone, <a href="chk-a.html">the first</a> and [none](../README.md).`,
		`<p class="kin">A fork of <a href="chk-a.html">chk-a</a></p>`,
		`<p class="kin">Forks: <a href="CHK-A-2.html">CHK-A</a>, <a href="decisions-2.html">decisions</a></p>`,
		`archived · 1 delta`,
	} {
		if !strings.Contains(b, want) {
			t.Errorf("chk-b.html lacks %s:\n%s", want, b)
		}
	}
	if strings.Contains(b, "Nothing") {
		t.Error("chk-b.html has an empty section")
	}
	c := string(get(files, "chk-c.html"))
	for _, want := range []string{
		`<a href="https://example.com/a?b=1&amp;c=2">https://example.com/a?b=1&amp;c=2</a>, &lt;<a `, `chk-gone (missing)`,
	} {
		if !strings.Contains(c, want) {
			t.Errorf("chk-c.html lacks %s:\n%s", want, c)
		}
	}
	if _, _, found := strings.Cut(string(get(files, "chk-a.html")), "&lt;script&gt;alert(1)&lt;/script&gt; &lt;img"); !found {
		t.Error("the hostile text is not shown as text")
	}
}

// TestLineage checks that forks are nested below their parents, and that problems are shown.
func TestLineage(t *testing.T) {
	index := string(get(Files(content(t, file("active/a.md", "status: current", ""), file("archive/b.md", "parent: a", ""),
		file("active/c.md", "parent: b", ""), file("active/d.md", "parent: gone", "## Problem\n\nWhy.\n"))), "index.html"))
	item := func(class, id string) string {
		return `<li class="` + class + `"><a class="words" href="` + id + `.html"><span class="id">` + id +
			`</span> <span class="facts">2026-01-01 · ` + class + `</span>`
	}
	want := "<ul class=\"tree\">\n" + item("current", "a") + "</a><ul>\n" + item("archived", "b") + "</a><ul>\n" + item("active", "c") +
		"</a></li></ul></li></ul></li>\n" + item("active", "d") + `<span class="about">Why.</span>` +
		`<span class="wrong">parent &#34;gone&#34; does not exist</span></a></li>` + "\n<li class=\"unreadable\">"
	if !strings.Contains(index, want) {
		t.Errorf("index.html lacks\n%s\n%s", want, index)
	}
}

// TestFilesAreTheSame checks that the same checkpoints give the same bytes.
func TestFilesAreTheSame(t *testing.T) {
	make := func() []File {
		return Files(content(t, file("active/a.md", "", "x"), file("active/b.md", "parent: a", "y"), file("active/c.md", "parent: a", "z")))
	}
	first := make()
	for range 5 {
		again := make()
		for i := range first {
			if first[i].Name != again[i].Name || string(first[i].Data) != string(again[i].Data) {
				t.Fatalf("%s differs", first[i].Name)
			}
		}
	}
}

// TestDecisions checks that decisions that are not in force are marked, rows of tables are bullets,
// and a checkpoint without decisions is left out. A page with several sections links to them.
func TestDecisions(t *testing.T) {
	files := Files(content(t,
		file("active/chk-a.md", "", "## Problem\n\nx\n\n## Decisions\n\n- **Go**: it is there\n- ~~**Rust**~~\n\n"+
			"### Rejected\n\n- **C**\n\n### Empty\n"),
		file("active/chk-b.md", "", "## Problem\n\ny\n"),
		file("active/chk-c.md", "", "## Decisions\n\n| Decision | Reason |\n|---|---|\n| Git | it merges |\n")))
	for name, want := range map[string]string{
		"decisions.html": "<h1>Decisions</h1>\n" + `<h2><a href="chk-a.html">chk-a</a></h2>
<ul>
<li><strong>Go</strong>: it is there</li>
<li class="past"><em class="struck"><strong>Rust</strong></em></li>
<li class="past"><strong>C</strong> (Rejected)</li>
</ul>
<h2><a href="chk-c.html">chk-c</a></h2>
<ul>
<li><strong>Git</strong>: it merges</li>
</ul>
`,
		"chk-a.html": `<nav class="contents" aria-label="Sections"><a href="#s1">Problem</a> <a href="#s2">Decisions</a></nav>`,
	} {
		if got := string(get(files, name)); !strings.Contains(got, want) {
			t.Errorf("%s lacks\n%s\n%s", name, want, got)
		}
	}
	if got := string(get(files, "chk-b.html")); strings.Contains(got, `class="contents"`) {
		t.Errorf("one section has a list of sections:\n%s", got)
	}
}

// TestSearchIndex checks that the index has all text, and is one statement of JavaScript.
func TestSearchIndex(t *testing.T) {
	files := Files(content(t, file("active/chk-a.md", "", "Above.\n\n## Problem\n\nLine\u2028separator "+hostile+"\n")))
	text := string(get(files, "search-index.js"))
	list, ok := strings.CutPrefix(text, "const ckptIndex = ")
	list, ends := strings.CutSuffix(list, ";\n")
	if !ok || !ends || strings.ContainsAny(text, "<>\u2028\u2029") {
		t.Errorf("not a script: %s", text)
	}
	var pages []indexedPage
	err := json.Unmarshal([]byte(list), &pages)
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) != 2 || len(pages[0].Sections) != 2 || pages[1].Sections[0].Text != "Never "+hostile {
		t.Errorf("%+v", pages)
	}
	if !strings.Contains(pages[0].Sections[0].Text, "Above.") || !strings.Contains(pages[0].Sections[1].Text, hostile) {
		t.Errorf("text is missing: %+v", pages[0])
	}
}

// TestEmpty checks that a project without checkpoints has a site, too.
func TestEmpty(t *testing.T) {
	files := Files(Content{Title: "<b>", Forest: lineage.Build(&checkpoint.Set{})})
	index := string(get(files, "index.html"))
	if !strings.Contains(index, "<title>&lt;b&gt;</title>") || !strings.Contains(index, "0 checkpoints") {
		t.Error(index)
	}
	for _, name := range []string{"decisions.html", "learnings.html"} {
		if !strings.Contains(string(get(files, name)), " yet.") {
			t.Errorf("%s: %s", name, get(files, name))
		}
	}
}

// parsed has the links of a page and the ids to which links can lead.
type parsed struct {
	links []string
	ids   map[string]bool
}

// elements lists the elements that a page may have.
const elements = " html head meta title link script body header nav main a h1 h2 h3 h4 h5 h6 p form input ol ul li section article " +
	"dl dt dd table tr th td pre code strong em blockquote hr br span "

// parse parses a page, and fails the test if it has an element, an attribute or a script that the
// package does not write.
func parse(t *testing.T, f File) *parsed {
	t.Helper()
	page := &parsed{ids: map[string]bool{}}
	hasPolicy := false
	d := xml.NewDecoder(strings.NewReader(string(f.Data)))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s is not well formed: %v\n%s", f.Name, err, f.Data)
		}
		if comment, ok := token.(xml.Comment); ok {
			t.Errorf("%s has a comment: %s", f.Name, comment)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if !strings.Contains(elements, " "+start.Name.Local+" ") {
			t.Errorf("%s has the element %s", f.Name, start.Name.Local)
		}
		source := ""
		for _, a := range start.Attr {
			switch {
			case a.Name.Local == "href" || a.Name.Local == "src":
				source = a.Value
				page.links = append(page.links, a.Value)
			case a.Name.Local == "id":
				if page.ids[a.Value] {
					t.Errorf("%s has the id %s twice", f.Name, a.Value)
				}
				page.ids[a.Value] = true
			case a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on"):
				t.Errorf("%s has the attribute %s", f.Name, a.Name.Local)
			case a.Name.Local == "content":
				hasPolicy = hasPolicy || a.Value == policy
			}
		}
		if start.Name.Local == "script" && !strings.HasPrefix(source, "search") {
			t.Errorf("%s has the script %q", f.Name, source)
		}
	}
	if !hasPolicy {
		t.Errorf("%s has no policy", f.Name)
	}
	return page
}

func get(files []File, name string) []byte {
	for _, f := range files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// source is a file of the checkpoints folder.
type source struct{ path, text string }

func file(path, field, body string) source {
	id := strings.TrimSuffix(path[strings.LastIndexByte(path, '/')+1:], ".md")
	return source{path, fmt.Sprintf("---\ncheckpoint: %s\ncreated: 2026-01-01\n%s\n---\n\n%s", id, field, body)}
}

// content returns the content of a site with checkpoints, an unreadable file and a learning.
func content(t *testing.T, files ...source) Content {
	t.Helper()
	set := &checkpoint.Set{Broken: []checkpoint.Broken{{Path: "active/torn.md", Err: errors.New("half a <file>")}}}
	for _, f := range files {
		c, err := checkpoint.Parse(f.path, []byte(f.text))
		if err != nil {
			t.Fatalf("%s: %v", f.path, err)
		}
		set.All = append(set.All, c)
	}
	return Content{Title: "A <b>project</b>", Forest: lineage.Build(set), Learnings: []learnings.Learning{
		{Date: "2026-01-02", ID: "chk-a", Text: "Never " + hostile}}}
}
