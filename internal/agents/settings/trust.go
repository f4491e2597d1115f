package settings

import (
	"bytes"
	"fmt"
	"path"
	"strings"
)

// Trust is whether an agent trusts a folder, according to its own files.
type Trust int

// The kinds of trust. Unknown means that the file cannot be parsed.
const (
	Unknown Trust = iota
	Trusted
	Untrusted
)

// TrustFile returns the path of the file in which an agent lists the folders that its user
// trusts, below the user's home or where a variable says; "" if no such file is known.
func (a Agent) TrustFile(getenv func(string) string) string {
	_, dir := a.home.in(getenv)
	switch a.Name {
	case "claude":
		if top := variable(getenv, a.home.variable); top != "" {
			return top + "/.claude.json"
		}
		return home(getenv) + "/.claude.json"
	case "codex":
		return dir + "/config.toml"
	case "gemini":
		if file := getenv("GEMINI_CLI_TRUSTED_FOLDERS_PATH"); file != "" {
			return file
		}
		return dir + "/trustedFolders.json"
	case "copilot":
		return dir + "/config.json"
	}
	return ""
}

// Trusts reads from an agent's trust file whether the agent trusts one of the folders: the
// repository's root by its different paths, and that of its first worktree.
func (a Agent) Trusts(src []byte, folders []string) Trust {
	answer := Untrusted
	for _, folder := range folders {
		var one Trust
		switch a.Name {
		case "claude":
			one = claudeTrusts(src, folder)
		case "codex":
			one = codexTrusts(src, folder)
		case "gemini":
			one = geminiTrusts(src, folder)
		case "copilot":
			one = copilotTrusts(src, folder)
		}
		if one != Untrusted {
			answer = one
		}
	}
	return answer
}

// claudeTrusts looks for the folder itself: trust in a parent folder does not count.
func claudeTrusts(src []byte, folder string) Trust {
	root, err := parse(src)
	if err != nil {
		return Unknown
	}
	if accepted := root.member("projects").member(folder).member("hasTrustDialogAccepted"); accepted != nil && accepted.kind == 't' {
		return Trusted
	}
	return Untrusted
}

func codexTrusts(src []byte, folder string) Trust {
	if tomlValues(src)[tomlPath("projects", folder, "trust_level")] == "trusted" {
		return Trusted
	}
	return Untrusted
}

// geminiTrusts takes the rule with the longest path, as Gemini CLI does.
func geminiTrusts(src []byte, folder string) Trust {
	root, err := parse(src)
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
	for bytes.HasPrefix(src, []byte("//")) {
		_, src, _ = bytes.Cut(src, []byte("\n"))
	}
	root, err := parse(src)
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

// UntrustedHooks returns the events of ckpt's hooks in the file that the user of Codex has
// not trusted. Codex identifies a hook by its file and its position there.
func UntrustedHooks(config []byte, file string, src []byte) []string {
	a := codex()
	root, err := parse(src)
	if err != nil {
		return nil
	}
	values := tomlValues(config)
	var untrusted []string
	for _, f := range a.ours(src, root) {
		group, handler := position(root.member("hooks").member(f.native), f)
		key := fmt.Sprintf("%s:%s:%d:%d", file, snake(f.native), group, handler)
		if values[tomlPath("hooks", "state", key, "trusted_hash")] == "" {
			untrusted = append(untrusted, f.native)
		}
	}
	return untrusted
}

// position returns the index of a hook's group in the event's list, and that of the hook
// in the group.
func position(event *node, f found) (group, handler int) {
	for i, g := range event.children {
		if g != f.group {
			continue
		}
		for k, h := range g.member("hooks").children {
			if h == f.entry {
				return i, k
			}
		}
	}
	return 0, 0
}

// snake returns the name of an event as Codex writes it in a key: "session_start".
func snake(native string) string {
	var b strings.Builder
	for i, r := range native {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
