package secrets

import "slices"

// rule is one kind of secret.
type rule struct {
	id       string
	expr     string  // of the secret
	path     string  // an expression for the names of files; empty for all
	group    int     // the group of expr that is the secret; 0: the first that is not empty
	entropy  float64 // the least entropy of the secret; 0 for any
	keywords []uint8 // indexes of keywords: without one of them expr does not match
	allowed  []allowed

	words []string                   // of an own rule, in place of keywords
	fits  func(groups []string) bool // whether the groups of expr are a secret; nil if they always are
}

// allowed is an exception of a rule.
type allowed struct {
	all    bool   // everything below that is not empty must apply
	target string // what exprs apply to: "match", "line", or empty for the secret
	paths  []string
	exprs  []string
	words  string // one a line, in lower case: a value with one of them is allowed
}

// IsRule reports whether there is a rule of this name.
func IsRule(id string) bool {
	return slices.ContainsFunc(rules[:], func(r rule) bool { return r.id == id }) || isOwn(id)
}

// isOwn reports whether a rule is ours, and not gitleaks'.
func isOwn(id string) bool {
	is := func(r rule) bool { return r.id == id }
	return slices.ContainsFunc(own[:], is) || slices.ContainsFunc(keys[:], is)
}
