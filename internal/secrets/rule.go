package secrets

import "slices"

// rule describes one kind of secret.
type rule struct {
	id      string
	expr    string   // the regular expression for the secret
	path    string   // a regular expression for the file's path; empty for all
	group   int      // the group of expr with the secret; 0 means the first group that is not empty
	entropy float64  // the minimal entropy of the secret; 0 for any
	words   []string // in lower case; the rule applies only to a text with one of them
	allowed []allowed
	fits    func(groups []string) bool // reports whether the groups of expr are a secret; nil if they always are
}

// allowed is an exception of a rule.
type allowed struct {
	all    bool   // if true, all conditions below that are not empty must apply; if false, one suffices
	target string // what exprs are matched with: "match", "line", or empty for the secret
	paths  []string
	exprs  []string
	words  string // one word per line, in lower case: a value with one of them is allowed
}

// IsRule reports whether there is a rule of this name.
func IsRule(id string) bool {
	return slices.ContainsFunc(rules[:], func(r rule) bool { return r.id == id }) || isOwn(id)
}

// isOwn reports whether a rule is one of our own, and not gitleaks'.
func isOwn(id string) bool {
	is := func(r rule) bool { return r.id == id }
	return slices.ContainsFunc(own[:], is) || slices.ContainsFunc(keys[:], is)
}
