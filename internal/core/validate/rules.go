package validate

import (
	"slices"

	"example.com/ckpt/internal/core/result"
)

// The codes of rules that somebody asks for by name.
const (
	Unreadable  = "CK101"
	TwoCurrents = "CK402"
	NoWhy       = "CK206"
	VagueAction = "CK801"
	NoObject    = "CK802"
)

// Rule is one thing that is checked. Codes are stable: a rule that goes takes its
// code with it, and none is given twice.
type Rule struct {
	Code     string // "CK101"; the hundreds are the groups
	Severity result.Severity
	Title    string // what is wrong, in a few words
	Means    string // what it means for whoever reads the checkpoint
	Fix      string // what to do; {id} stands for the checkpoint's id
	Source   string // the features of the seed documents that ask for it
	Example  string // lines that break it; empty where what breaks it is something missing

	activeOnly bool // an archived checkpoint is history: nobody acts on it any more
	file       func(*file, say)
	folder     func(*folder, sayIn)
}

// say adds a finding to the file that is being checked.
type say func(line int, format string, args ...any)

// sayIn adds a finding to one file of the folder.
type sayIn func(path, id string, line int, format string, args ...any)

// table is every rule, by code.
var table = slices.Concat(
	headerRules,     // CK1xx
	bodyRules,       // CK2xx
	tableRules,      // CK2xx
	lineageRules,    // CK3xx
	statusRules,     // CK4xx
	deltaRules,      // CK5xx
	completionRules, // CK6xx
	adviceRules,     // CK7xx
	patternRules,    // CK8xx
	proseRules,      // CK8xx
	markRules,       // CK9xx
)

// groups are the titles of the hundreds.
var groups = map[byte]string{
	'1': "Header", '2': "Body", '3': "Identity and lineage", '4': "Status",
	'5': "Deltas", '6': "Completion", '7': "Advice", '8': "Anti-patterns",
	'9': "Marks",
}

// Rules are all rules, by code.
func Rules() []Rule { return slices.Clone(table) }
