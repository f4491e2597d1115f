package cli_test

import (
	"encoding"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"example.com/ckpt/internal/agents/record"
	"example.com/ckpt/internal/brief"
	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/checkpoint/value"
	"example.com/ckpt/internal/drift"
	"example.com/ckpt/internal/history/decisions"
	"example.com/ckpt/internal/history/revisions"
	"example.com/ckpt/internal/learnings"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/output"
	"example.com/ckpt/internal/plan"
	"example.com/ckpt/internal/policy"
	"example.com/ckpt/internal/result"
	"example.com/ckpt/internal/search"
	"example.com/ckpt/internal/stats"
	"example.com/ckpt/internal/transfer/schema"
)

// answerKind is a value of "kind" with the commands that print it, as they are typed, and an answer.
type answerKind struct {
	kind     string
	commands string
	answer   any
}

// answerKinds returns the kinds in the order of docs/json.md.
func answerKinds(t *testing.T) []answerKind {
	t.Helper()
	c, err := checkpoint.Parse("chk-a.md", []byte("---\ncheckpoint: chk-a\ncreated: 2026-01-02\n---\n"))
	if err != nil {
		t.Fatal(err)
	}
	return []answerKind{
		{"receipt", "", &result.Receipt{}},
		{"error", "", result.Failure{}},
		{"status", "status, status --incomplete", &result.Overview{}},
		{"list", "list", &result.Overview{}},
		{"short-status", "status --short", result.ShortStatus{}},
		{"due", "status --due", policy.Reminder{}},
		{"brief", "resume", &brief.Rendering{Brief: &brief.Brief{}}},
		{"checkpoint", "show", output.Shown{Checkpoint: c}},
		{"entries", "next, note KIND", output.Entries{Checkpoint: c}},
		{"tree", "tree", &lineage.Forest{}},
		{"log", "log", &revisions.Log{}},
		{"session", "log --session", &record.Log{Session: record.Session{Entries: []record.Entry{{}}}}},
		{"diff", "diff", &revisions.Comparison{Diff: &revisions.Diff{}}},
		{"search", "search", output.Found{Result: &search.Result{}}},
		{"drift", "drift", &drift.Report{}},
		{"decisions", "decisions", &decisions.Record{}},
		{"learnings", "learnings", []learnings.Learning{}},
		{"operations", "undo --list", &result.Operations{}},
		{"prune", "prune", output.Pruned{Pruning: &policy.Pruning{}}},
		{"report", "validate, scan", &result.Report{}},
		{"diagnosis", "doctor", &result.Diagnosis{}},
		{"agents", "setup --list, setup --check", &result.Agents{}},
		{"plan", "plan run", plan.News{}},
		{"plan-next", "plan next", &plan.Upcoming{Run: &plan.Run{}}},
		{"import", "import", &result.Import{}},
		{"export", "export", &schema.Export{}},
		{"site", "export --html DIR", &result.Site{}},
		{"stats", "stats", &stats.Figures{}},
		{"sync", "sync", &result.Sync{}},
		{"migration", "migrate", &result.Migration{}},
		{"version", "version", result.Build{}},
	}
}

// kindsOf returns the kinds that have a table and that a command prints, by command.
func kindsOf(t *testing.T, root *cobra.Command) map[string][]string {
	t.Helper()
	kinds := map[string][]string{}
	for _, k := range answerKinds(t) {
		for command := range strings.SplitSeq(k.commands, ", ") {
			cmd, _, err := root.Find(strings.Fields(command))
			if err != nil {
				t.Fatal(err)
			}
			if all := kinds[cmd.CommandPath()]; !slices.Contains(all, k.kind) {
				kinds[cmd.CommandPath()] = append(all, k.kind)
			}
		}
	}
	return kinds
}

const jsonPage = "../../docs/json.md"

// TestJSONPage compares docs/json.md with the types of the answers and the comments on their fields.
func TestJSONPage(t *testing.T) {
	want := jsonReference(t)
	if *update {
		if err := os.WriteFile(jsonPage, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(jsonPage)
	if err != nil || string(got) != want {
		t.Error("docs/json.md is stale: go test ./internal/cli -update")
	}
}

// TestEveryKindOfAnswerIsOnThePage compares answerKinds with the kinds that the code names, and its
// commands with those that exist.
func TestEveryKindOfAnswerIsOnThePage(t *testing.T) {
	printed := map[string]bool{"error": true}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	call := regexp.MustCompile(`\b(?:answer|printAnswer|drawn|EncodeLine)\([^"\n]*?, "([a-z-]+)"`)
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") {
			for _, m := range call.FindAllStringSubmatch(string(src), -1) {
				printed[m[1]] = true
			}
		}
	}
	root := docsRoot()
	for _, k := range answerKinds(t) {
		if !printed[k.kind] {
			t.Errorf("no command prints the kind %q", k.kind)
		}
		delete(printed, k.kind)
		if k.commands == "" {
			continue
		}
		for command := range strings.SplitSeq(k.commands, ", ") {
			checkExample(t, root, root, strings.Fields(command))
		}
	}
	for kind := range printed {
		t.Errorf("docs/json.md does not describe the kind %q", kind)
	}
}

func jsonReference(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(made + `
# JSON

With ` + "`--json`" + ` a command answers with one JSON object on standard output. It begins with two members, which the tables
leave out: ` + "`ckpt`" + `, the version of this reference, which is 1, and ` + "`kind`" + `, the title of a table. Version 1 only ever adds members.
A program should ignore members that it does not know.

A ? behind a type means that the member is absent if it is empty, false or 0. "or absent" means that it may be false or 0, and is
absent where it has no meaning. ` + "`a[].b`" + ` is the member b of each entry of the list a, and ` + "`a.b`" + ` that of the object a. A time is a
string such as "2026-01-02T10:00:00Z", in UTC. Paths begin at the root of the repository and have slashes, unless the table says
otherwise.

`)
	docs := fieldDocs{t: t, packages: map[string]map[string]*ast.StructType{}, used: map[reflect.Type]int{}}
	answers := map[reflect.Type]string{}
	for _, k := range answerKinds(t) {
		b.WriteString("- [" + k.kind + "](#" + k.kind + "): " + printedBy(k) + "\n")
		typ, _ := element(reflect.TypeOf(output.JSON(k.answer, output.Folder{})))
		if answers[typ] == "" {
			answers[typ] = k.kind
			docs.count(typ)
		}
	}
	for _, k := range answerKinds(t) {
		b.WriteString("\n## " + k.kind + "\n\n" + capital(printedBy(k)) + ".\n\n")
		typ, _ := element(reflect.TypeOf(output.JSON(k.answer, output.Folder{})))
		if first := answers[typ]; first != k.kind {
			b.WriteString("The members are those of [" + first + "](#" + first + ").\n")
			continue
		}
		docs.table(&b, typ)
	}
	b.WriteString("\n## Objects\n\nThese occur in more than one place.\n")
	for _, typ := range docs.shared() {
		b.WriteString("\n### Object " + objectName(typ) + "\n\n")
		docs.table(&b, typ)
	}
	return b.String()
}

// printedBy describes which commands print a kind.
func printedBy(k answerKind) string {
	switch k.kind {
	case "receipt":
		return "every command that changes something and has no kind of its own"
	case "plan":
		return "`ckpt plan run`, a line for each event"
	case "error":
		return "every command that fails; then standard error has the message, too"
	}
	return "`ckpt " + strings.ReplaceAll(k.commands, ", ", "`, `ckpt ") + "`"
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// fieldDocs finds the comments on fields.
type fieldDocs struct {
	t        *testing.T
	packages map[string]map[string]*ast.StructType // by path and name of the type
	used     map[reflect.Type]int                  // how many members have the type
}

// member is a member of an object in JSON.
type member struct {
	name, meaning string
	typ           reflect.Type    // the type of the elements if lists > 0
	lists         int             // how many lists are nested
	optional      bool            // absent if it is empty, false or 0
	pointer       bool            // absent only if the pointer is nil
	syntax        *ast.StructType // of a struct without a name
}

// members returns the members of a struct and of those embedded in it.
func (d *fieldDocs) members(typ reflect.Type, syntax *ast.StructType) []member {
	d.t.Helper()
	if typ.Name() != "" {
		syntax = d.structs(typ.PkgPath())[typ.Name()]
	}
	if syntax == nil {
		d.t.Fatalf("%s: no source", typ)
	}
	fields := map[string]*ast.Field{}
	for _, f := range syntax.Fields.List {
		for _, name := range f.Names {
			fields[name.Name] = f
		}
		if embedded, ok := f.Type.(*ast.Ident); ok && len(f.Names) == 0 {
			fields[embedded.Name] = f
		}
	}
	var all []member
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		inner, lists := element(f.Type)
		if f.Anonymous && name == "" {
			all = append(all, d.members(inner, nil)...)
			continue
		}
		if name == "-" || name == "" && !f.IsExported() {
			continue
		}
		m := member{name: name, meaning: meaningOf(fields[f.Name], name), typ: inner, lists: lists}
		m.optional = strings.Contains(options, "omit")
		m.pointer = f.Type.Kind() == reflect.Pointer && inner.Kind() != reflect.Struct
		if source := fields[f.Name]; source != nil {
			m.syntax, _ = source.Type.(*ast.StructType)
		}
		if name == "" || m.meaning == "" {
			d.t.Errorf("%s.%s, %q in JSON, has no comment", typ, f.Name, name)
		}
		all = append(all, m)
	}
	return all
}

// nested reports whether the member is an object with members of its own.
func (m member) nested() bool {
	return m.typ.Kind() == reflect.Struct && !slices.Contains(scalars(), m.typ)
}

// scalars returns the structs that are a string in JSON.
func scalars() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[result.Time](), reflect.TypeFor[time.Time]()}
}

// count counts how many members have each type.
func (d *fieldDocs) count(typ reflect.Type) {
	d.t.Helper()
	d.countMembers(d.members(typ, nil))
}

func (d *fieldDocs) countMembers(all []member) {
	d.t.Helper()
	for _, m := range all {
		if m.nested() {
			d.used[m.typ]++
			if d.used[m.typ] == 1 {
				d.countMembers(d.members(m.typ, m.syntax))
			}
		}
	}
}

// shared returns the structs that are the type of several members, sorted by name.
func (d *fieldDocs) shared() []reflect.Type {
	d.t.Helper()
	names := map[string]reflect.Type{}
	for typ, n := range d.used {
		if n < 2 {
			continue
		}
		if other, ok := names[objectName(typ)]; ok {
			d.t.Errorf("%s and %s have one name", typ, other)
		}
		names[objectName(typ)] = typ
	}
	var all []reflect.Type
	for _, name := range slices.Sorted(maps.Keys(names)) {
		all = append(all, names[name])
	}
	return all
}

// objectName returns the name of a struct on the page.
func objectName(typ reflect.Type) string { return capital(strings.TrimSuffix(typ.Name(), "JSON")) }

// table writes a table of the members of a struct.
func (d *fieldDocs) table(b *strings.Builder, typ reflect.Type) {
	d.t.Helper()
	b.WriteString("| Member | Type | Meaning |\n|--------|------|---------|\n")
	d.rows(b, "", d.members(typ, nil))
}

// rows writes a row for each member and for those in it.
func (d *fieldDocs) rows(b *strings.Builder, prefix string, all []member) {
	d.t.Helper()
	for _, m := range all {
		kind := d.typeName(m.typ)
		shared := d.used[m.typ] > 1
		if shared {
			kind = "[" + objectName(m.typ) + "](#object-" + strings.ToLower(objectName(m.typ)) + ")"
		}
		if m.lists > 0 && !shared {
			kind += "s"
		}
		kind = strings.TrimPrefix(strings.Repeat("lists of ", m.lists)+kind, "lists") // "list of lists of numbers"
		if m.lists > 0 {
			kind = "list" + kind
		}
		switch {
		case m.optional && m.pointer:
			kind += " or absent"
		case m.optional:
			kind += "?"
		}
		b.WriteString("| `" + prefix + m.name + "` | " + kind + " | " + m.meaning + " |\n")
		if m.nested() && !shared {
			d.rows(b, prefix+m.name+strings.Repeat("[]", m.lists)+".", d.members(m.typ, m.syntax))
		}
	}
}

// element returns the type behind pointers and lists, and the number of lists.
func element(typ reflect.Type) (reflect.Type, int) {
	lists := 0
	for {
		switch {
		case typ == reflect.TypeFor[json.RawMessage]() || typ == reflect.TypeFor[value.Object]():
			return typ, lists
		case typ.Kind() == reflect.Pointer:
			typ = typ.Elem()
		case typ.Kind() == reflect.Slice || typ.Kind() == reflect.Array:
			typ = typ.Elem()
			lists++
		default:
			return typ, lists
		}
	}
}

// typeName returns the type of a value in JSON.
func (d *fieldDocs) typeName(typ reflect.Type) string {
	d.t.Helper()
	switch {
	case slices.Contains(scalars(), typ):
		return "time"
	case typ == reflect.TypeFor[value.Object]():
		return "object"
	case typ == reflect.TypeFor[json.RawMessage]():
		return "value"
	}
	if typ.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return "string"
	}
	if typ.Implements(reflect.TypeFor[json.Marshaler]()) {
		d.t.Errorf("%s: the page does not know what it is in JSON", typ)
	}
	switch typ.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int, reflect.Int64, reflect.Float64:
		return "number"
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Interface:
		return "value"
	}
	d.t.Errorf("%s: the page does not know this type", typ)
	return ""
}

// structs returns the struct types of a package.
func (d *fieldDocs) structs(pkg string) map[string]*ast.StructType {
	d.t.Helper()
	if all, ok := d.packages[pkg]; ok {
		return all
	}
	all := map[string]*ast.StructType{}
	files, err := filepath.Glob(filepath.Join("../..", strings.TrimPrefix(pkg, "example.com/ckpt/"), "*.go"))
	if err != nil {
		d.t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			d.t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if s, ok := spec.Type.(*ast.StructType); ok {
					all[spec.Name.Name] = s
				}
			}
			return true
		})
	}
	d.packages[pkg] = all
	return all
}

// usual has the meaning of members without a comment whose name is enough.
var usual = map[string]string{
	"agent":       "the agent: \"claude\"",
	"anchor":      "the branch and commit at which it was begun",
	"created":     "the time at which it was begun",
	"description": "what it does",
	"id":          "the id of the checkpoint",
	"line":        "the line, from 1",
	"parent":      "the id of the checkpoint that it was forked from",
	"path":        "the file",
	"phase":       "the phase of the workflow",
	"session":     "the id of the agent's session",
	"status":      "current, active, archived or unreadable",
	"title":       "its name for people",
	"workflow":    "the workflow that it belongs to",

	"author":  "the author of the commit",
	"blob":    "the git object with the file",
	"commit":  "the full hash",
	"email":   "the author's address",
	"op":      "the operation that made it: \"delta\"",
	"pending": "why it is not published",
	"subject": "the subject of the commit",
	"time":    "the time of the commit",

	"dry_run":  "nothing was written",
	"remarks":  "what the user should know",
	"warnings": "what the user should know, such as files that cannot be read",
}

// meaningOf returns the comment on a field as a cell of a table.
func meaningOf(f *ast.Field, name string) string {
	text := usual[name]
	if f != nil && f.Comment != nil {
		text = f.Comment.Text()
	} else if f != nil && f.Doc != nil {
		text = f.Doc.Text()
	}
	text = strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`).Replace(strings.Join(strings.Fields(text), " "))
	if strings.HasPrefix(text, "The ") || strings.HasPrefix(text, "In ") {
		text = strings.ToLower(text[:1]) + text[1:]
	}
	if !strings.HasSuffix(text, "...") {
		text = strings.TrimSuffix(text, ".")
	}
	return text
}
