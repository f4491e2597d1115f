package protocol

import (
	"slices"
	"strconv"
	"strings"
)

// ToolUse is a tool call as a payload describes it. Nothing else of the tool's arguments
// and output is read.
type ToolUse struct {
	Name    string   // as the agent names it: "Bash", "write_file"
	Files   []string // the files that it wrote, as the agent names them; none if it failed
	Command string   // the command line that it ran; only the beginning of a long one
	Exit    *int     // the command's exit code; nil if the agent does not give it
	End     string   // the last lines that the command printed; empty if the agent does not give them
}

const (
	maxName    = 100
	maxCommand = 16 << 10
	maxPatch   = 1 << 20
	maxEnd     = 1 << 10 // how many bytes at the end of an output are searched for the exit code
	maxOutput  = 4 << 10 // how many bytes at the end of an output are searched for its last line
)

// writers are the tools that write the file named by an argument. The list has the last part of
// their names, in lower case and without underscores.
var writers = []string{
	"write", "edit", "multiedit", "notebookedit", // Claude Code, OpenCode, Cursor
	"writefile", "replace", // Gemini CLI
	"create", "strreplace", "strreplaceeditor", "insert", "createfile", "editfile", // Copilot CLI
	"delete", "deletefile", "searchreplace", "strreplacebasededittool",
}

// patchers are the tools whose argument is a patch of many files.
var patchers = []string{"applypatch", "patch"}

// result has the fields of a payload that describe a tool's result.
type result struct {
	event    string // as the agent names it
	code     value
	err      value
	response value
	members  fields // the fields of the response
}

// toolUse returns the tool call of a payload.
func toolUse(event string, f fields, input []byte) ToolUse {
	tool := f.first("tool_name", "toolName", "tool")
	args := f.first("tool_input", "toolArgs", "args")
	if tool == nil { // for two tools Cursor has events of their own and gives no tool name
		switch event {
		case "afterFileEdit":
			tool, args = value(`"Edit"`), input
		case "afterShellExecution":
			tool, args = value(`"Shell"`), input
		}
	}
	r := result{
		event:    event,
		code:     f.first("exit", "exit_code", "exitCode"),
		err:      f["error"],
		response: f.first("tool_response", "tool_result", "toolResult", "output", "metadata"),
	}
	r.members = r.response.members()
	if output := f["tool_output"]; output != nil { // Cursor gives a string that contains an object
		r.response = output
		r.members = value(output.text(maxCommand)).members()
	}
	if inner := args.text(maxCommand); strings.HasPrefix(inner, "{") { // also a string that contains an object
		args = value(inner)
	}
	a := args.members()
	u := ToolUse{Name: oneLine(tool.text(maxName))}
	command := a.first("command", "cmd")
	name := plainName(u.Name)
	failed := r.failed()
	switch {
	case slices.Contains(patchers, name):
		for _, patch := range []value{command, a.first("patch", "patchText", "input"), args} {
			if files := patched(patch.text(maxPatch)); len(files) > 0 && !failed && !r.isRefused() {
				u.Files = files
				break
			}
		}
	case slices.Contains(writers, name):
		file := a.first("file_path", "filePath", "path", "notebook_path", "target_file").text(maxText)
		if file != "" && !failed && command.text(maxName) != "view" {
			u.Files = []string{file}
		}
	case command != nil:
		u.Command = commandLine(command)
		u.Exit, u.End = r.exit(), r.end()
		if strings.Contains(u.Command, "*** Begin Patch") && !failed {
			u.Files = patched(u.Command)
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

// commandLine returns a command that is a string, or a list of words.
func commandLine(command value) string {
	words := command.list()
	switch {
	case words == nil:
		return command.text(maxCommand)
	case len(words) == 3 && (words[1] == "-lc" || words[1] == "-c"):
		words = words[2:]
	}
	line := strings.Join(words, " ")
	return strings.ToValidUTF8(line[:min(len(line), maxCommand)], "")
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
	kind := r.members.first("resultType", "result_type")
	if kind != nil && kind.text(maxName) != "success" {
		return true
	}
	return strings.HasSuffix(r.event, "Failure") || r.err.isTold() || r.members["error"].isTold()
}

// isRefused reports whether Codex could not apply a patch.
func (r result) isRefused() bool {
	code := leading(r.response.text(maxEnd), "Exit code: ")
	return code != nil && *code != 0
}

// exit returns the exit code of a command, nil if the payload does not have it.
func (r result) exit() *int {
	inner := r.members["metadata"].members()["exit"]
	for _, code := range []value{r.code, r.members.first("exit", "exitCode", "exit_code"), inner} {
		if n := code.number(); n != nil {
			return n
		}
	}
	printed := r.members.first("textResultForLlm", "text_result_for_llm")
	switch {
	case r.err.isTold(): // Claude Code
		return leading(r.err.text(maxEnd), "Exit code ")
	case printed != nil: // Copilot CLI
		return copilotExit(printed.tail(maxEnd))
	case r.members["llmContent"] != nil:
		return geminiExit(r.members["llmContent"].tail(maxEnd))
	}
	// Claude Code calls another hook for a command that fails.
	if r.event != "PostToolUse" || r.members["stdout"] == nil {
		return nil
	}
	for _, name := range []string{"interrupted", "backgroundTaskId", "returnCodeInterpretation"} {
		if r.members[name].isTold() {
			return nil
		}
	}
	return new(int)
}

// end returns the last lines that a command printed, without those that the agent adds.
func (r result) end() string {
	outputs := []value{r.err}
	for _, name := range []string{
		"stdout", "stderr", "textResultForLlm", "text_result_for_llm", "llmContent", "output",
	} {
		outputs = append(outputs, r.members[name])
	}
	for _, output := range append(outputs, r.response) {
		lines := strings.Split(output.tail(maxOutput), "\n")
		if len(output) > maxOutput { // the first line may lack its beginning
			lines = lines[1:]
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

// isAdded reports whether a line is blank, or one that an agent adds to what a command printed.
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

// geminiExit returns the exit code from the lines after a command's output; without such a
// line it is 0. The output itself can be any text.
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

// leading returns the number that follows the given beginning of a line, and nil if there is none.
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
