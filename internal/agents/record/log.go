package record

import "strings"

// Log is the record of one session as `ckpt log --session` shows it.
type Log struct {
	Session
	Older  int       // the number of oldest entries that were left out
	Others []Session // the other recorded sessions
}

// Find returns the sessions that a name means: the one with this id, else those whose id
// begins with it. "@" means the first of all, which are in the order of Sessions.
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
