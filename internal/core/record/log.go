package record

import "strings"

// Log is what is recorded of one session, as it is shown.
type Log struct {
	Session
	Older  int       // entries of the session that were left out, the oldest
	Others []Session // that are recorded, too
}

// Find returns the sessions that a name means: the one with this id, else those whose id
// begins so. "@" is the session that did something last; all are to be sorted that way.
func Find(all []Session, name string) []Session {
	if name = strings.TrimSuffix(name, "…"); name == "@" {
		return all[:min(len(all), 1)]
	}
	var found []Session
	for _, s := range all {
		switch {
		case s.ID == name:
			return []Session{s}
		case name != "" && strings.HasPrefix(s.ID, name):
			found = append(found, s)
		}
	}
	return found
}
