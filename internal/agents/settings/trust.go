package settings

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// trust describes where an agent lists the folders that its user trusts.
type trust struct {
	variable string // an environment variable with the path of the file
	inFolder string // if the variable is not set: the name of the file in the agent's folder of settings
	file     string // the path of the file if that folder was not moved
	isTOML   bool
	of       func(values map[string]any, folder string) bool
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
func (a Agent) Trusts(src []byte, folders []string) (bool, error) {
	read := decode
	if a.trust.isTOML {
		read = decodeTOML
	}
	values, err := read(src)
	isTrusted := func(folder string) bool { return a.trust.of(values, folder) }
	return err == nil && slices.ContainsFunc(folders, isTrusted), err
}

// claudeTrusts looks for the folder itself: Claude Code ignores trust in a parent folder.
func claudeTrusts(values map[string]any, folder string) bool {
	return tableAt(values, "projects", folder)["hasTrustDialogAccepted"] == true
}

func codexTrusts(values map[string]any, folder string) bool {
	return tableAt(values, "projects", folder)["trust_level"] == "trusted"
}

// geminiTrusts applies the rule with the longest path, as Gemini CLI does.
func geminiTrusts(values map[string]any, folder string) bool {
	longest, isTrusted := -1, false
	for rule, level := range values {
		at := rule
		if level == "TRUST_PARENT" {
			at = path.Dir(at)
		}
		if isWithin(folder, at) && len(rule) > longest {
			longest, isTrusted = len(rule), strings.HasPrefix(fmt.Sprint(level), "TRUST_")
		}
	}
	return isTrusted
}

func copilotTrusts(values map[string]any, folder string) bool {
	for _, key := range []string{"trustedFolders", "trusted_folders"} {
		all, _ := values[key].([]any)
		if slices.ContainsFunc(all, func(top any) bool { return isWithin(folder, fmt.Sprint(top)) }) {
			return true
		}
	}
	return false
}

// isWithin reports whether a folder is another one, or below it.
func isWithin(folder, top string) bool {
	return top != "" && strings.HasPrefix(folder+"/", strings.TrimSuffix(top, "/")+"/")
}
