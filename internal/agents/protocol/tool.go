package protocol

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// ToolUse is a tool call as the payload of a hook describes it. Nothing else of the tool's
// arguments and output is kept.
type ToolUse struct {
	Name    string   // as the agent names it: "Bash", "write_file"
	Files   []string // the files that it wrote, as the agent names them; none if it failed
	Command string   // the command line that it ran; only the beginning of a long one
	Exit    *int     // the command's exit code; nil if the agent does not give it
}

const (
	maxName    = 100
	maxPath    = 4 << 10
	maxCommand = 16 << 10
	maxPatch   = 1 << 20
	maxEnd     = 1 << 10 // of a command's output, if its end has the exit code
)

// writers are the tools that write the file named by an argument. Their names are in lower
// case, without underscores, and only the last part.
var writers = []string{
	"write", "edit", "multiedit", "notebookedit", // Claude Code, OpenCode, Cursor
	"writefile", "replace", // Gemini CLI
	"create", "strreplace", "strreplaceeditor", "insert", "createfile", "editfile", // Copilot CLI
	"delete", "deletefile", "searchreplace", "strreplacebasededittool",
}

// patchers are the tools whose argument is a patch of many files.
var patchers = []string{"applypatch", "patch"}

// use returns the tool call that the payload describes.
func (p *payload) use() ToolUse {
	u := ToolUse{Name: oneLine(text(p.tool, maxName))}
	args := p.args
	if inner := text(args, maxCommand); strings.HasPrefix(inner, "{") { // an object in a string
		args = []byte(inner)
	}
	var path, command, patch []byte
	members(args, func(key string, value []byte) {
		switch key {
		case "file_path", "filePath", "path", "notebook_path", "target_file":
			path = value
		case "command", "cmd":
			command = value
		case "patch", "patchText", "input":
			patch = value
		}
	})
	name := plainName(u.Name)
	failed := p.failed()
	switch {
	case slices.Contains(patchers, name):
		for _, raw := range [][]byte{command, patch, args} {
			if files := patched(text(raw, maxPatch)); len(files) > 0 && !failed && !p.refused() {
				u.Files = files
				break
			}
		}
	case slices.Contains(writers, name):
		if file := text(path, maxPath); file != "" && !failed && text(command, maxName) != "view" {
			u.Files = []string{file}
		}
	case command != nil:
		u.Command = commandLine(command)
		u.Exit = p.exit()
		if strings.Contains(u.Command, "*** Begin Patch") && !failed {
			u.Files = patched(u.Command)
		}
	}
	return u
}

// plainName returns the last part of a tool's name as it is in writers and patchers.
func plainName(name string) string {
	for _, sep := range []string{"__", ":", "."} {
		if i := strings.LastIndex(name, sep); i >= 0 {
			name = name[i+len(sep):]
		}
	}
	return strings.ReplaceAll(strings.ToLower(name), "_", "")
}

// commandLine returns a command that is a string, or a list of words.
func commandLine(value []byte) string {
	if value[0] != '[' {
		return text(value, maxCommand)
	}
	if len(value) > maxCommand {
		value = value[:maxCommand]
	}
	var words []string
	for i := 1; i < len(value); {
		if i = blank(value, i); i < len(value) && value[i] == '"' {
			end := skip(value, i)
			words = append(words, text(value[i:end], maxCommand))
			i = end
			continue
		}
		i++
	}
	if len(words) == 3 && (words[1] == "-lc" || words[1] == "-c") {
		return words[2]
	}
	return strings.Join(words, " ")
}

// patched returns the files that a patch names.
func patched(patch string) []string {
	var files []string
	for line := range strings.Lines(patch) {
		for _, begin := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			if file, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), begin); ok && !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files
}

// failed reports whether the payload is that of a call that failed.
func (p *payload) failed() bool {
	failed := strings.HasSuffix(p.Named, "Failure") || told(p.err)
	members(p.response, func(key string, value []byte) {
		switch key {
		case "error":
			failed = failed || told(value)
		case "resultType", "result_type":
			failed = failed || text(value, maxName) != "success"
		}
	})
	return failed
}

// told reports whether a value is not null, false or empty.
func told(value []byte) bool {
	return len(value) > 0 && !slices.Contains([]string{"null", "false", `""`, "{}"}, string(value))
}

// refused reports whether Codex could not apply a patch.
func (p *payload) refused() bool {
	code := leading(text(p.response, maxEnd), "Exit code: ")
	return code != nil && *code != 0
}

// exit returns the exit code of a command, nil if the payload does not have it.
func (p *payload) exit() *int {
	if code := number(p.code); code != nil {
		return code
	}
	if told(p.err) {
		return leading(text(p.err, maxEnd), "Exit code ") // Claude Code
	}
	response := p.response
	if p.inString {
		response = []byte(text(response, maxCommand))
	}
	var code *int
	var printed, unknown bool
	members(response, func(key string, value []byte) {
		switch key {
		case "exit", "exitCode", "exit_code":
			code = number(value)
		case "metadata":
			members(value, func(key string, value []byte) {
				if key == "exit" { // OpenCode
					code = number(value)
				}
			})
		case "textResultForLlm", "text_result_for_llm": // Copilot CLI
			end := tail(value, maxEnd)
			if i := strings.LastIndex(end, " completed with exit code "); i >= 0 && strings.LastIndex(end, "<shellId: ") > strings.LastIndex(end[:i], "\n") {
				code = leading(end[i:], " completed with exit code ")
			}
		case "llmContent":
			code = geminiExit(tail(value, maxEnd))
		case "stdout":
			printed = true
		case "interrupted", "backgroundTaskId", "returnCodeInterpretation":
			unknown = unknown || told(value)
		}
	})
	if code == nil && printed && !unknown && p.Named == "PostToolUse" { // Claude Code calls another hook for a command that fails
		return new(int)
	}
	return code
}

// geminiExit returns the exit code from the lines after a command's output; without such a
// line it is 0. The output itself can be any text.
func geminiExit(end string) *int {
	lines := strings.Split(strings.TrimSuffix(strings.TrimSpace(end), "</untrusted_context>"), "\n")
	for over := false; len(lines) > 0; lines = lines[:len(lines)-1] {
		line := strings.TrimSpace(lines[len(lines)-1])
		switch {
		case strings.HasPrefix(line, "Process Group PGID: "):
			over = true
		case strings.HasPrefix(line, "Background PIDs: "), line == "":
		case over && strings.HasPrefix(line, "Exit Code: "):
			return leading(line, "Exit Code: ")
		case over && !strings.HasPrefix(line, "Signal: "):
			return new(int)
		default:
			return nil
		}
	}
	return nil
}

// leading returns the number that follows a beginning.
func leading(s, begin string) *int {
	rest, ok := strings.CutPrefix(s, begin)
	if !ok {
		return nil
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r != '-' && (r < '0' || r > '9') })
	if end >= 0 {
		rest = rest[:end]
	}
	n, err := strconv.Atoi(rest)
	if err != nil {
		return nil
	}
	return &n
}

// number returns a JSON number without a fraction.
func number(value []byte) *int {
	var n int
	if len(value) == 0 || bytes.Equal(value, []byte("null")) || json.Unmarshal(value, &n) != nil {
		return nil
	}
	return &n
}
