package settings

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/ckpt/internal/fault"
)

// allowListsOf returns the lists of allowed commands of every agent, with and without tools.
func allowListsOf() []Piece {
	var all []Piece
	for _, a := range All() {
		if a.permits.command == "" {
			continue
		}
		for _, tools := range []bool{false, true} {
			all = append(all, Piece{What: PermissionPiece, Path: a.permits.in.project, part: a.permissionPart(tools)})
		}
	}
	return all
}

// permittedTexts are further files, which have permissions.
var permittedTexts = map[string]string{
	"permissions empty":           "{\n  \"permissions\": {}\n}\n",
	"permissions empty, one line": `{"permissions":{}}`,
	"permissions empty, spread":   "{\n  \"permissions\": {\n  },\n  \"model\": \"opus\"\n}\n",
	"allow empty":                 "{\n  \"permissions\": {\n    \"allow\": []\n  }\n}\n",
	"allow empty, one line":       `{"permissions":{"allow":[ ]}}`,
	"deny only":                   "{\n  \"permissions\": {\n    \"deny\": []\n  }\n}\n",
	"deny, one line":              `{"permissions":{"deny":[]}}`,
	"all three":                   "{\n\t\"permissions\": {\n\t\t\"deny\": [\"Read(.env)\"],\n\t\t\"allow\": [\"Bash(ls:*)\", \"Bash(cat:*)\"],\n\t\t\"ask\": []\n\t}\n}\n",
	"CRLF":                        "{\r\n\t\"permissions\": {\r\n\t\t\"allow\": [\r\n\t\t\t\"Bash(ls:*)\"\r\n\t\t]\r\n\t}\r\n}",
	"one of ours":                 "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ckpt resume:*)\"\n    ]\n  }\n}\n",
	"two of ours, one line":       `{"permissions":{"allow":["Bash(ckpt validate:*)","Shell(ckpt:note*)","Bash(ckpt note:*)","Shell(ckpt:delta*)"]}}`,
	"ours among others":           "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls:*)\" ,\n      \"Bash(ckpt note:*)\" , \"Shell(ckpt:use*)\",\n      \"Bash(make:*)\"\n    ]\n  }\n}\n",
	"all of ckpt":                 `{"permissions": {"allow": ["Bash(ckpt:*)", "Shell(ckpt)", 1, null]}}`,
	"hooks and permissions":       "{\n  \"hooks\": {},\n  \"permissions\": {}\n}\n",
}

func TestPermissionsAndBack(t *testing.T) {
	for i, p := range allowListsOf() {
		for name, src := range allFiles(texts, servedTexts, permittedTexts) {
			t.Run(fmt.Sprint(p.Path, i, "/", name), func(t *testing.T) { permittedAndBack(t, p, src) })
		}
	}
}

func FuzzPermissions(f *testing.F) {
	for _, texts := range []map[string]string{texts, permittedTexts} {
		for _, text := range texts {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, l := range allowListsOf() {
			if state, _, err := l.State(src); err == nil && state == Absent {
				permittedAndBack(t, l, src)
			}
		}
	})
}

func permittedAndBack(t *testing.T, p Piece, src []byte) {
	t.Helper()
	added := thereAndBack(t, p, src)
	sameLineEnds(t, src, added)
	before, after := allowedIn(t, src), allowedIn(t, added)
	l := p.part.(allowList)
	for _, want := range l.ours[:l.wanted] {
		if !slices.Contains(after[min(len(before), len(after)):], any(want)) {
			t.Errorf("%q is not among what was added to %v", want, after)
		}
	}
	if len(after) < len(before) || !slices.Equal(after[:len(before)], before) {
		t.Errorf("%v was %v", after, before)
	}
}

func allowedIn(t *testing.T, src []byte) []any {
	t.Helper()
	permissions, _ := decoded(t, src)["permissions"].(map[string]any)
	allowed, _ := permissions["allow"].([]any)
	return allowed
}

// TestPiecesOfOneFile adds several pieces to one file and drops them, in any order.
func TestPiecesOfOneFile(t *testing.T) {
	files := allFiles(texts, servedTexts, permittedTexts)
	for _, a := range All() {
		pieces, err := a.Pieces(Target{Scope: Project, Folder: "checkpoints", Memory: a.memory, Tools: true})
		if err != nil {
			t.Fatal(err)
		}
		shared := map[string][]Piece{}
		for _, p := range pieces {
			if strings.HasSuffix(p.Path, ".json") {
				shared[p.Path] = append(shared[p.Path], p)
			}
		}
		for path, all := range shared {
			back := slices.Clone(all)
			slices.Reverse(back)
			for name, src := range files {
				for _, order := range [][2][]Piece{{all, all}, {all, back}, {back, all}, {back, back}} {
					t.Run(a.Name+"/"+path+"/"+name, func(t *testing.T) { comeAndGo(t, src, order[0], order[1]) })
				}
			}
		}
	}
}

func comeAndGo(t *testing.T, src []byte, come, gone []Piece) {
	t.Helper()
	now := src
	var err error
	for _, p := range come {
		if now, err = p.Add(now); err != nil {
			t.Fatalf("%s: %v", p.What, err)
		}
	}
	for _, p := range gone {
		if now, err = p.Drop(now); err != nil {
			t.Fatalf("%s: %v", p.What, err)
		}
	}
	if !isBack(t, now, src) || isBlank(src) && len(come) > 1 && now != nil {
		t.Errorf("%q, not %q", now, src)
	}
}

// TestPermissionsEditedBetween checks that edits between setup and unsetup stay.
func TestPermissionsEditedBetween(t *testing.T) {
	l := allowListsOf()[0]
	added, err := l.Add([]byte("{\n  \"model\": \"opus\"\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(added), `"Bash(ckpt log:*)",`, "\"Bash(make:*)\",\n      \"Bash(ckpt log:*)\",", 1)
	text = strings.Replace(text, "\"Bash(ckpt validate:*)\"\n", "\"Bash(ckpt validate:*)\",\n      \"Bash(go test:*)\"\n", 1)
	text = strings.Replace(text, "      \"Bash(ckpt rewind:*)\",\n", "", 1)
	if state, said, _ := l.State([]byte(text)); state != Stale || said != "missing: Bash(ckpt rewind:*)" {
		t.Errorf("%s %q", state, said)
	}
	again, err := l.Add([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"model\": \"opus\",\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(make:*)\",\n      \"Bash(go test:*)\"\n    ]\n  }\n}\n"
	for _, src := range []string{text, string(again)} {
		if back, err := l.Drop([]byte(src)); err != nil || string(back) != want {
			t.Errorf("%v\n%s", err, back)
		}
	}
}

// TestPermissionsOfTools checks that tools are added to the commands on request, and removed with them.
func TestPermissionsOfTools(t *testing.T) {
	all := allowListsOf()
	commands, tools := all[0], all[1]
	added, _ := commands.Add([]byte("{}"))
	if state, said, _ := tools.State(added); state != Stale || !strings.Contains(said, "mcp__ckpt__checkpoint_resume") {
		t.Errorf("%s %q", state, said)
	}
	both, err := tools.Add(added)
	if err != nil {
		t.Fatal(err)
	}
	if state, _, _ := commands.State(both); state != Present {
		t.Errorf("the commands are %s", state)
	}
	if back, err := commands.Drop(both); err != nil || string(back) != "{}" {
		t.Errorf("%q, %v", back, err)
	}
}

func TestPermissionsRefused(t *testing.T) {
	l := allowListsOf()[0]
	for _, text := range []string{
		"{\n  // mine\n  \"a\": 1\n}", "[]", "{\n\"permissions\": []}", "{\"permissions\": {\n\"allow\": {}}}",
		"{\"permissions\": {},\n\"permissions\": {}}", "{\"permissions\": {\"allow\":[],\n\"allow\":1}}",
	} {
		if added, err := l.Add([]byte(text)); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s became %s, %v", text, added, err)
		}
		if back, err := l.Drop([]byte(text)); err != nil || string(back) != text {
			t.Errorf("without an entry of ours it became %q, %v", back, err)
		}
	}
	if _, err := l.Drop([]byte("{ // mine\n \"permissions\": {\"allow\": [\"Bash(ckpt note:*)\"]}}")); err == nil {
		t.Error("a file with a comment and an entry of ours was edited")
	}
}

// TestGeminiPolicy matches the expression for a here-document with commands as Gemini
// CLI writes them into JSON.
func TestGeminiPolicy(t *testing.T) {
	_, rest, _ := strings.Cut(geminiPolicy(), "commandRegex = '''")
	expression, _, _ := strings.Cut(rest, "'''\n")
	// Go has no lookahead, so match its expression and the expression after it one by one.
	ahead, rest, _ := strings.Cut(strings.TrimPrefix(expression, "(?!.*"), ")")
	allows, forbids := regexp.MustCompile(`"command":"`+rest), regexp.MustCompile(ahead)
	for command, want := range map[string]bool{
		"ckpt delta -F - <<'EOF'\nIt's done (a > b)\nEOF":          true,
		"ckpt delta -F - <<'EOF'\na\nEOF\n":                        true,
		"ckpt new login --json -F - <<'EOF'\n## Problem\n\nEOF":    true,
		"ckpt sync <<'EOF'\nEOF\nEOF":                              false,
		"ckpt delta -F - <<'EOF'\na\nEOF\nckpt show > .bashrc":     false,
		"ckpt show > f <<'EOF'\na\nEOF":                            false,
		"ckpt show <<'EOF' > f\na\nEOF":                            false,
		"ckpt show <<'EOF'\na\nEOF\nckpt show > f <<'EOF'\nb\nEOF": false,
		"cd x && ckpt delta <<'EOF'\na\nEOF":                       false,
	} {
		args, _ := json.Marshal(map[string]string{"command": command, "description": "x"})
		text := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(args))
		if got := allows.MatchString(text) && !forbids.MatchString(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	if strings.Contains(expression, "\n") || len(expression) > 2000 {
		t.Errorf("Gemini CLI refuses an expression like %q", expression)
	}
}
