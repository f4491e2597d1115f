package site

import (
	"encoding/json"

	"example.com/ckpt/internal/checkpoint/doc"
	"example.com/ckpt/internal/output/markup"
)

// indexedPage is what the search knows about a page.
type indexedPage struct {
	Name     string           `json:"name"`
	Page     string           `json:"page"`
	About    string           `json:"about"`
	Sections []indexedSection `json:"sections"`
}

// indexedSection is a section of a page with its text.
type indexedSection struct {
	Anchor string `json:"anchor"`
	Title  string `json:"title"`
	Text   string `json:"text"`
}

// searchIndex returns a script with the text of all pages. It is a script and not a file of JSON,
// since a page on a disk may not read other files.
func (s *site) searchIndex() []byte {
	all := []indexedPage{}
	for _, c := range s.all {
		page := indexedPage{Name: c.ID, Page: s.pages[c], About: markup.Harmless(c.Headline()),
			Sections: []indexedSection{}}
		add := func(anchor, title string, text doc.Span) {
			page.Sections = append(page.Sections, indexedSection{Anchor: anchor, Title: title,
				Text: markup.Harmless(c.Doc.Slice(text))})
		}
		add("", "", c.Doc.Preamble())
		for i, section := range c.Doc.Sections() {
			if !c.Doc.IsEmpty(section) {
				add(markup.Anchor(i), markup.Harmless(section.Title), section.Body)
			}
		}
		all = append(all, page)
	}
	page := indexedPage{Name: "Learnings", Page: "learnings.html", Sections: []indexedSection{}}
	for i, l := range s.Learnings {
		page.Sections = append(page.Sections, indexedSection{Anchor: markup.Anchor(i), Title: l.Date + " " + l.ID,
			Text: markup.Harmless(l.Text)})
	}
	all = append(all, page)
	text, err := json.Marshal(all) // escapes < and > and the line breaks of JavaScript
	if err != nil {
		return nil // strings can always be encoded
	}
	return append(append([]byte("const ckptIndex = "), text...), ";\n"...)
}
