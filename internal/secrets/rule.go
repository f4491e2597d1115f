package secrets

import "slices"

// rule is one kind of secret.
type rule struct {
	id       string
	expr     string  // what it looks like
	path     string  // an expression for the files it is looked for in; "" for all
	group    int     // the group of expr that is the secret; 0: the first that is not empty
	entropy  float64 // bits a character that the secret has at least; 0: any
	keywords []uint8 // in keywords: without one of them expr does not match
	allowed  []allowed

	words []string                   // of an own rule, in place of keywords
	fits  func(groups []string) bool // whether what the groups of expr hold is one; nil: it is
}

// allowed is what is no secret although it looks like one.
type allowed struct {
	all    bool   // only where everything below applies that is there
	target string // what exprs are held against: "match", "line", or "" for the secret
	paths  []string
	exprs  []string
	words  string // one a line: what a secret does not contain, in lower case
}

// IsRule reports whether there is a rule of this name.
func IsRule(id string) bool {
	return slices.ContainsFunc(rules[:], func(r rule) bool { return r.id == id }) || isOwn(id)
}

// isOwn reports whether a rule is ours, and not gitleaks'.
func isOwn(id string) bool {
	for i := range len(own) + len(keys) {
		if ownRule(i).id == id {
			return true
		}
	}
	return false
}
