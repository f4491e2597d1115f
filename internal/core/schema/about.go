package schema

import "strings"

// About is what an import says it is about; "" for what it does not say.
type About struct{ ID, Session, Workflow string }

// About is what the import says it is about.
func (im *Import) About() About {
	d := im.draft(im.Object)
	return About{d.id, strings.TrimSpace(d.head["session"]), strings.TrimSpace(d.head["workflow"])}
}
