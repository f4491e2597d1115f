package protocol

import (
	"slices"
	"strconv"
	"strings"
)

// ToolUse is a tool call as the input of a hook describes it. Other arguments of the tool, and the rest
// of its output, are not used.
type ToolUse struct {
	Name    string   // as the agent names it: "Bash", "write_file"
	Files   []string // the files that it wrote, as the agent names them; none if it failed
	Command string   // the command line that it ran; only the beginning of a long one
	Exit    *int     // the command's exit code; nil if the agent does not give it
	End     string   // the last lines that the command printed; empty if the agent does not give them
}

const (
	maxCommand = 16 << 10
	maxOutput  = 4 << 10 // how many bytes at the end of an output are used
)

// writers are the tools that write the file named by an argument. The list has the last part of
// their names, in lower case and without underscores.
var writers = []string{
	"write", "edit", "multiedit", "notebookedit", // Claude Code, OpenCode
	"writefile", "replace", // Gemini CLI
	"create", "strreplace", "strreplaceeditor", "insert", "createfile", "editfile", // Copilot CLI
	"delete", "deletefile", "searchreplace", "strreplacebasededittool",
}

// patchers are the tools whose argument is a patch of many files.
var patchers = []string{"applypatch", "patch"}

// result has the fields of a hook's input that describe the result of a tool call.
type result struct {
	fields          // all fields of the input
	event    string // the event as the agent names it
	text     string // the result, if it is a text
	response fields // the fields of the result, if it is an object
}

// toolUse returns the tool call that the input of a hook describes.
func toolUse(event string, f fields) ToolUse {
	args := f.object("tool_input", "toolArgs", "args")
	u := ToolUse{Name: oneLine(f.text("tool_name", "toolName", "tool"))}
	r := result{fields: f, event: event}
	output := f.first("tool_response", "tool_result", "toolResult", "output", "metadata")
	r.text, _ = output.(string)
	r.response, _ = output.(map[string]any)
	command := commandLine(args.first("command", "cmd"))
	name := plainName(u.Name)
	failed := r.failed()
	switch {
	case slices.Contains(patchers, name):
		for _, patch := range []string{command, args.text("patch", "patchText", "input"), f.text("tool_input", "toolArgs")} {
			if files := patched(patch); len(files) > 0 && !failed {
				u.Files = files
				break
			}
		}
	case slices.Contains(writers, name):
		file := args.text("file_path", "filePath", "path", "notebook_path", "target_file")
		if file != "" && !failed && command != "view" {
			u.Files = []string{file}
		}
	case command != "":
		u.Command = strings.ToValidUTF8(command[:min(len(command), maxCommand)], "")
		u.Exit, u.End = r.exit(), r.end()
		if strings.Contains(command, "*** Begin Patch") && !failed {
			u.Files = patched(command)
		}
	}
	return u
}

// plainName returns the last part of a tool's name, written as in writers and patchers.
func plainName(name string) string {
	name = name[strings.LastIndexAny(name, ":.")+1:]
	if i := strings.LastIndex(name, "__"); i >= 0 {
		name = name[i+2:]
	}
	return strings.ReplaceAll(strings.ToLower(name), "_", "")
}

// commandLine returns a command, which may be a text or a list of words, as a text.
func commandLine(command any) string {
	text, _ := command.(string)
	all, _ := command.([]any)
	var words []string
	for _, word := range all {
		if word, ok := word.(string); ok {
			words = append(words, word)
		}
	}
	switch {
	case len(words) == 0:
		return text
	case len(words) == 3 && (words[1] == "-lc" || words[1] == "-c"):
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

// failed reports whether the call failed.
func (r result) failed() bool {
	kind := r.response.text("resultType", "result_type")
	if kind != "" && kind != "success" {
		return true
	}
	if code := leading(r.text, "Exit code: "); code != nil && *code != 0 { // Codex could not apply a patch
		return true
	}
	return strings.HasSuffix(r.event, "Failure") || r.has("error") || r.response.has("error")
}

// exit returns the exit code of a command, or nil if the input does not have it.
func (r result) exit() *int {
	for _, f := range []fields{r.fields, r.response, r.response.object("metadata")} {
		if code := f.number("exit", "exitCode", "exit_code"); code != nil {
			return code
		}
	}
	printed, content := r.response.text("textResultForLlm", "text_result_for_llm"), r.response.text("llmContent")
	switch {
	case r.has("error"): // Claude Code
		return leading(r.fields.text("error"), "Exit code ")
	case printed != "": // Copilot CLI
		return copilotExit(printed)
	case content != "":
		return geminiExit(content)
	}
	// Claude Code calls PostToolUse only for commands that did not fail: their exit code is 0, or unknown.
	if r.event != "PostToolUse" || r.response["stdout"] == nil {
		return nil
	}
	for _, name := range []string{"interrupted", "backgroundTaskId", "returnCodeInterpretation"} {
		if r.response.has(name) {
			return nil
		}
	}
	return new(int)
}

// end returns the last lines that a command printed, without those that the agent adds.
func (r result) end() string {
	outputs := []string{r.fields.text("error")}
	for _, name := range []string{
		"stdout", "stderr", "textResultForLlm", "text_result_for_llm", "llmContent", "output",
	} {
		outputs = append(outputs, r.response.text(name))
	}
	for _, output := range append(outputs, r.text) {
		lines := strings.Split(output, "\n")
		if from := len(output) - maxOutput; from > 0 { // the first line may lack its beginning
			lines = strings.Split(output[from:], "\n")[1:]
		}
		for len(lines) > 0 && isAdded(lines[len(lines)-1]) {
			lines = lines[:len(lines)-1]
		}
		if len(lines) > 0 {
			return strings.Join(lines, "\n")
		}
	}
	return ""
}

// isAdded reports whether a line is blank, or was added by an agent to the output of a command.
func isAdded(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line == "Output:" || slices.ContainsFunc([]string{
		"<shellId: ", "Exit code", "Exit Code: ", "Process Group PGID: ", "Background PIDs: ", "Signal: ",
		"</untrusted_context>", "Wall time: ", "Command exited with code",
	}, func(added string) bool { return strings.HasPrefix(line, added) })
}

// copilotExit returns the exit code from the last line of a command's output.
func copilotExit(end string) *int {
	const completed = " completed with exit code "
	i := strings.LastIndex(end, completed)
	if i < 0 || strings.LastIndex(end, "<shellId: ") <= strings.LastIndex(end[:i], "\n") {
		return nil
	}
	return leading(end[i:], completed)
}

// geminiExit returns the exit code from the lines that Gemini CLI adds after a command's output, which can be any
// text. The result is 0 if the added lines have no exit code, and nil if they have a signal or are incomplete.
func geminiExit(end string) *int {
	lines := strings.Split(strings.TrimSuffix(strings.TrimSpace(end), "</untrusted_context>"), "\n")
	complete := false
	for _, line := range slices.Backward(lines) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "Process Group PGID: "):
			complete = true
		case strings.HasPrefix(line, "Background PIDs: "), line == "":
		case complete && strings.HasPrefix(line, "Exit Code: "):
			return leading(line, "Exit Code: ")
		case complete && !strings.HasPrefix(line, "Signal: "):
			return new(int)
		default:
			return nil
		}
	}
	return nil
}

// leading returns the number that follows the given beginning of a line, or nil if not found.
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
