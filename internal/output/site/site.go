// Package site makes a static site of all checkpoints: the lineage, a page for each checkpoint,
// the decisions, the learnings, and a search that needs no server.
//
// The pages work from a disk. Their Content-Security-Policy lets them load only the style sheet
// and the scripts in the same folder. Text of a checkpoint is never markup. A link leads to
// another page of the site, or to an http or https address. The same checkpoints give the same
// bytes.
package site

import (
	_ "embed" // the style sheet and the script
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/output/draw"
	"example.com/ckpt/internal/output/markup"
	"example.com/ckpt/internal/text"
)

// Content is what the site shows.
type Content struct {
	Title     string // the name of the project
	Forest    *lineage.Forest
	Learnings []learnings.Learning // newest first
}

// File is a file of the site.
type File struct {
	Name string // without a folder
	Data []byte
}

// site makes the files of the site from its content.
type site struct {
	Content
	all    []*checkpoint.Checkpoint            // in the order of the tree
	pages  map[*checkpoint.Checkpoint]string   // the name of the page of each checkpoint
	byName map[string]*checkpoint.Checkpoint   // by id, path and file name
	below  map[string][]*checkpoint.Checkpoint // the children of an id
}

//go:embed style.css
var style string

//go:embed search.js
var searchScript string

// Files returns the files of the site, sorted by name.
func Files(content Content) []File {
	s := newSite(content)
	files := []File{
		{"decisions.html", s.decisions()},
		{"index.html", s.index()},
		{"learnings.html", s.learnings()},
		{"search-index.js", s.searchIndex()},
		{"search.js", []byte(searchScript)},
		{"style.css", []byte(style)},
	}
	for _, c := range s.all {
		files = append(files, File{s.pages[c], s.checkpoint(c)})
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return files
}

func newSite(content Content) *site {
	s := &site{Content: content, pages: map[*checkpoint.Checkpoint]string{},
		byName: map[string]*checkpoint.Checkpoint{}, below: map[string][]*checkpoint.Checkpoint{}}
	for _, n := range content.Forest.Walk() {
		s.all = append(s.all, n.Checkpoint)
	}
	taken := map[string]bool{"index": true, "decisions": true, "learnings": true}
	for _, c := range s.all {
		s.pages[c] = pageName(c.ID, taken) + ".html"
		for _, name := range []string{c.ID, c.Path, path.Base(c.Path)} {
			if s.byName[name] == nil {
				s.byName[name] = c
			}
		}
		if c.Parent() != "" && c.Parent() != c.ID {
			s.below[c.Parent()] = append(s.below[c.Parent()], c)
		}
	}
	return s
}

// pageName returns a name for the page of an id. The name differs from those in taken even on a file system that
// ignores case, and is not the name of a device of Windows.
func pageName(id string, taken map[string]bool) string {
	name := id
	if checkpoint.Reserved(id) != "" {
		name = "chk-" + id
	}
	base := name
	for n := 2; taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	taken[strings.ToLower(name)] = true
	return name
}

// webAddress matches an address that a browser loads from a host.
var webAddress = text.Regexp(`^https?://[A-Za-z0-9[]`)

// link returns the address for a target, as the field Link of [markup.Page] requires.
func (s *site) link(target string) string {
	if strings.Contains(target, ":") {
		if webAddress.Get().MatchString(target) {
			return target
		}
		return ""
	}
	if c := s.byName[target]; c != nil {
		return s.pages[c]
	}
	if c := s.byName[path.Base(target)]; c != nil && strings.HasSuffix(target, "/"+c.Path) {
		return s.pages[c]
	}
	return ""
}

// linkTo returns a link to the page of a checkpoint.
func (s *site) linkTo(c *checkpoint.Checkpoint) string {
	return fmt.Sprintf("<a href=\"%s\">%s</a>", s.pages[c], markup.Text(c.ID))
}

// page returns a page with its head and its navigation. An empty name means the first page, the
// only one with scripts.
func (s *site) page(name, body string) []byte {
	title, scripts := markup.Text(s.Title), ""
	if name == "" {
		scripts = "<script src=\"search-index.js\" defer></script>\n<script src=\"search.js\" defer></script>\n"
	} else {
		title = markup.Text(name) + " · " + title
	}
	return fmt.Appendf(nil, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
%s</head>
<body>
<header><a class="project" href="index.html">%s</a>
<nav><a href="index.html">Checkpoints</a> <a href="decisions.html">Decisions</a> <a href="learnings.html">Learnings</a></nav></header>
<main>
%s</main>
</body>
</html>
`, policy, title, scripts, markup.Text(s.Title), body)
}

// policy is the Content-Security-Policy of every page: only files of the site, and data URLs as images.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; base-uri 'none'"

// index returns the first page: the search and the lineage.
func (s *site) index() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<h1>Checkpoints</h1>
<p class="count">%s</p>
<form id="search" role="search" hidden><input type="search" name="q" aria-label="Search" placeholder="Search" autocomplete="off"></form>
<p id="found" class="count" role="status"></p>
<ol id="results"></ol>
<section id="lineage">
`, draw.Counts(s.Forest))
	for _, w := range s.Forest.Warnings {
		fmt.Fprintf(&b, "<p class=\"wrong\">%s</p>\n", markup.Text(w))
	}
	b.WriteString("<ul class=\"tree\">")
	s.items(&b, s.Forest.Roots)
	for _, broken := range s.Forest.Broken {
		fmt.Fprintf(&b, "\n<li class=\"unreadable\"><p class=\"words\"><span class=\"id\">%s</span> "+
			"<span class=\"facts\">unreadable</span><span class=\"wrong\">%s</span></p></li>",
			markup.Text(broken.Path), markup.Text(broken.Err.Error()))
	}
	b.WriteString("\n</ul>\n</section>\n")
	return s.page("", b.String())
}

// items writes nodes as items of a list. Each item has a list of the nodes below it.
func (s *site) items(b *strings.Builder, nodes []*lineage.Node) {
	for _, n := range nodes {
		c := n.Checkpoint
		state := string(c.Status())
		class, facts := state, state
		if n.Skipped {
			class += " skipped"
		}
		if created := c.Created(); !created.IsZero() {
			facts = created.Format(time.DateOnly) + " · " + state
		}
		fmt.Fprintf(b, "\n<li class=\"%s\"><a class=\"words\" href=\"%s\"><span class=\"id\">%s</span> "+
			"<span class=\"facts\">%s</span>", class, s.pages[c], markup.Text(c.ID), facts)
		if about := text.OneLine(c.Headline()); about != "" {
			fmt.Fprintf(b, "<span class=\"about\">%s</span>", markup.Text(about))
		}
		for _, problem := range n.Problems {
			fmt.Fprintf(b, "<span class=\"wrong\">%s</span>", markup.Text(problem.String()))
		}
		b.WriteString("</a>")
		if len(n.Children) > 0 {
			b.WriteString("<ul>")
			s.items(b, n.Children)
			b.WriteString("</ul>")
		}
		b.WriteString("</li>")
	}
}

// checkpoint returns the page of a checkpoint: where it is in the lineage, then its text.
func (s *site) checkpoint(c *checkpoint.Checkpoint) []byte {
	var b strings.Builder
	state := string(c.Status())
	fmt.Fprintf(&b, "<h1>%s</h1>\n<p class=\"count\">%s", markup.Text(c.ID), state)
	if n := len(c.Deltas()); n > 0 {
		fmt.Fprintf(&b, " · %s", text.Count(n, "delta"))
	}
	b.WriteString("</p>\n")
	if parent := c.Parent(); parent != "" {
		of := markup.Text(parent) + " (missing)"
		if p := s.byName[parent]; p != nil && p.ID == parent {
			of = s.linkTo(p)
		}
		fmt.Fprintf(&b, "<p class=\"kin\">A fork of %s</p>\n", of)
	}
	if children := s.below[c.ID]; len(children) > 0 {
		var links []string
		for _, child := range children {
			links = append(links, s.linkTo(child))
		}
		fmt.Fprintf(&b, "<p class=\"kin\">Forks: %s</p>\n", strings.Join(links, ", "))
	}
	s.contents(&b, c)
	b.WriteString("<article>\n")
	link := func(target string) string {
		if href := s.link(target); href != s.pages[c] {
			return href
		}
		return "" // the page does not link to itself
	}
	b.WriteString(markup.Page{Link: link}.Checkpoint(c))
	b.WriteString("</article>\n")
	return s.page(c.ID, b.String())
}

// contents writes links to the sections of levels 1 and 2, except empty ones.
func (s *site) contents(b *strings.Builder, c *checkpoint.Checkpoint) {
	var links []string
	for i, section := range c.Doc.Sections() {
		if section.Level <= 2 && !c.Doc.IsEmpty(section) {
			links = append(links, fmt.Sprintf("<a href=\"#%s\">%s</a>", markup.Anchor(i), markup.Page{}.Inline(section.Title)))
		}
	}
	if len(links) > 1 {
		fmt.Fprintf(b, "<nav class=\"contents\" aria-label=\"Sections\">%s</nav>\n", strings.Join(links, " "))
	}
}

// decisions returns the page with the decisions of all checkpoints.
func (s *site) decisions() []byte {
	var b strings.Builder
	b.WriteString("<h1>Decisions</h1>\n")
	count := 0
	for _, c := range s.all {
		decisions := c.Decisions()
		if len(decisions) == 0 {
			continue
		}
		fmt.Fprintf(&b, "<h2>%s</h2>\n<ul>\n", s.linkTo(c))
		for _, d := range decisions {
			count++
			written := markup.Page{Link: s.link}.Inline(d.Bullet())
			switch {
			case d.Struck:
				fmt.Fprintf(&b, "<li class=\"past\">%s</li>\n", written)
			case d.Aside != "":
				fmt.Fprintf(&b, "<li class=\"past\">%s (%s)</li>\n", written, markup.Text(d.Aside))
			default:
				fmt.Fprintf(&b, "<li>%s</li>\n", written)
			}
		}
		b.WriteString("</ul>\n")
	}
	if count == 0 {
		b.WriteString("<p>No decisions yet.</p>\n")
	}
	return s.page("Decisions", b.String())
}

// learnings returns the page with the learnings. Each has an anchor.
func (s *site) learnings() []byte {
	var b strings.Builder
	b.WriteString("<h1>Learnings</h1>\n")
	if len(s.Learnings) == 0 {
		b.WriteString("<p>No learnings yet.</p>\n")
		return s.page("Learnings", b.String())
	}
	b.WriteString("<ul>\n")
	for i, l := range s.Learnings {
		from := markup.Text(l.ID)
		if c := s.byName[l.ID]; c != nil {
			from = s.linkTo(c)
		}
		fmt.Fprintf(&b, "<li id=\"%s\">%s <span class=\"facts\">%s %s</span></li>\n", markup.Anchor(i),
			markup.Page{Link: s.link}.Inline(l.Text), markup.Text(l.Date), from)
	}
	b.WriteString("</ul>\n")
	return s.page("Learnings", b.String())
}
