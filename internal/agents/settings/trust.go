package settings

import (
	"path"
	"strings"
)

// Trust tells whether an agent trusts a folder, according to its own files.
type Trust int

// The kinds of trust. Unknown means that the file cannot be parsed.
const (
	Unknown Trust = iota
	Trusted
	Untrusted
)

// trust describes where an agent lists the folders that its user trusts.
type trust struct {
	variable string // an environment variable with the path of the file
	inFolder string // if the variable is not set: the name of the file in the agent's folder of settings
	file     string // the path of the file if that folder was not moved
	of       func(src []byte, folder string) Trust
}

// TrustFile returns the path of the file in which an agent lists the folders that its user trusts.
// It is empty if no such file is known.
func (a Agent) TrustFile(getenv func(string) string) string {
	top, dir := a.home.in(getenv)
	rest, inHome := strings.CutPrefix(a.trust.file, "~/")
	switch {
	case a.trust.of == nil:
		return ""
	case a.trust.variable != "" && getenv(a.trust.variable) != "":
		return getenv(a.trust.variable)
	case inHome && top == home(getenv):
		return top + "/" + rest
	}
	return dir + "/" + a.trust.inFolder
}

// Trusts reads from an agent's trust file whether the agent trusts one of the folders. They are the
// repository's root, by all its paths, and the root of its first worktree.
func (a Agent) Trusts(src []byte, folders []string) Trust {
	answer := Untrusted
	for _, folder := range folders {
		if one := a.trust.of(src, folder); one != Untrusted {
			answer = one
		}
	}
	return answer
}

// claudeTrusts looks for the folder itself: Claude Code ignores trust in a parent folder.
func claudeTrusts(src []byte, folder string) Trust {
	root, _, err := parse(src, false)
	if err != nil {
		return Unknown
	}
	accepted := root.member("projects").member(folder).member("hasTrustDialogAccepted")
	if accepted != nil && accepted.kind == 't' {
		return Trusted
	}
	return Untrusted
}

func codexTrusts(src []byte, folder string) Trust {
	config, err := parseTOML(src)
	if err != nil {
		return Unknown
	}
	if textAt(config, "projects", folder, "trust_level") == "trusted" {
		return Trusted
	}
	return Untrusted
}

// geminiTrusts applies the rule with the longest path, as Gemini CLI does.
func geminiTrusts(src []byte, folder string) Trust {
	root, _, err := parse(src, true)
	if err != nil || root.kind != '{' {
		return Unknown
	}
	longest, answer := -1, Untrusted
	for _, rule := range root.children {
		level, at := rule.text(src), rule.key
		if level == "TRUST_PARENT" {
			at = path.Dir(at)
		}
		if !within(folder, at) || len(rule.key) <= longest {
			continue
		}
		longest, answer = len(rule.key), Untrusted
		if strings.HasPrefix(level, "TRUST_") {
			answer = Trusted
		}
	}
	return answer
}

// copilotTrusts reads a file that begins with comments.
func copilotTrusts(src []byte, folder string) Trust {
	root, _, err := parse(src, true)
	if err != nil {
		return Unknown
	}
	for _, key := range []string{"trustedFolders", "trusted_folders"} {
		list := root.member(key)
		if list == nil {
			continue
		}
		for _, entry := range list.children {
			if within(folder, entry.text(src)) {
				return Trusted
			}
		}
	}
	return Untrusted
}

// within reports whether a folder is another one, or below it.
func within(folder, top string) bool {
	return top != "" && strings.HasPrefix(folder+"/", strings.TrimSuffix(top, "/")+"/")
}
