package record_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/ckpt/internal/agents/record"
)

var begun = time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)

// history returns entries from lines "MINUTE SESSION EVENT WHAT". WHAT is +FILE..., a command
// followed by "= CODE", or an operation and a checkpoint.
func history(t *testing.T, lines string) []record.Entry {
	t.Helper()
	var all []record.Entry
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		f := strings.SplitN(line, " ", 4)
		var minute int
		if _, err := fmt.Sscan(f[0], &minute); err != nil {
			t.Fatal(err)
		}
		e := record.Entry{At: begun.Add(time.Duration(minute) * time.Minute), Agent: "claude", Session: f[1], Event: f[2]}
		switch {
		case len(f) < 4:
		case f[2] == record.Operation:
			e.Tool, e.Checkpoint, _ = strings.Cut(f[3], " ")
		case f[3][0] == '+':
			e.Tool, e.Files = "Write", strings.Fields(strings.ReplaceAll(f[3], "+", ""))
		default:
			command, code, ok := strings.Cut(f[3], " = ")
			if e.Tool, e.Command = "Bash", command; ok {
				var exit int
				if _, err := fmt.Sscan(code, &exit); err != nil {
					t.Fatal(err)
				}
				e.Exit = &exit
			}
		}
		all = append(all, e)
	}
	return all
}

// told returns work in the notation of the tests.
func told(all []record.Work) string {
	var b strings.Builder
	for _, w := range all {
		fmt.Fprintf(&b, "%s %d", w.Session, int(w.Last.Sub(begun).Minutes()))
		if w.Ended {
			b.WriteString(" ended")
		}
		for _, f := range w.Files {
			b.WriteString(" +" + f)
		}
		for _, r := range w.Commands {
			exit := "?"
			if r.Exit != nil {
				exit = fmt.Sprint(*r.Exit)
			}
			if r.ExitOf != "" {
				exit += " of " + r.ExitOf
			}
			fmt.Fprintf(&b, " [%s = %s]", r.Command, exit)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestUnrecorded(t *testing.T) {
	for _, c := range []struct{ name, entries, want string }{
		{"no entries", "", ""},
		{"files, the newest first, each once", "1 a tool +x.go\n2 a tool +y.go +z.go\n3 a tool +x.go", "a 3 +x.go +z.go +y.go\n"},
		{"tests first, the last run counts", "1 a tool go test ./... = 0\n2 a tool ./gen.sh = 0\n3 a tool go test ./... = 1\n4 a tool npm ci = 0", "a 4 [go test ./... = 1] [npm ci = 0] [./gen.sh = 0]\n"},
		{"an exit code that nobody knows", "1 a tool go test ./... = 0\n2 a tool go test ./...", "a 2 [go test ./... = ?]\n"},
		{"what the delta records is left out", "-1 a tool +old.go\n1 a tool +new.go", "a 1 +new.go\n"},
		{"commands that only look are no work", "1 a tool git status && ls | head\n2 a tool cat x.go = 0", ""},
		{"prompts are no work", "1 a prompt\n2 a stop", ""},
		{"a session that worked last comes first", "1 a tool +a.go\n2 b tool +b.go\n3 a tool cat b.go", "b 2 +b.go\na 1 +a.go\n"},
		{"an end", "1 a tool +a.go\n2 a session-end", "a 1 ended +a.go\n"},
		{"resumed after its end", "1 a tool +a.go\n2 a session-end\n3 a session-start", "a 1 +a.go\n"},
		{"at work on another checkpoint", "1 a ckpt use chk-other\n2 a tool +a.go", ""},
		{"recorded by a delta of another checkpoint", "1 a tool +a.go\n2 a ckpt delta chk-other\n3 a ckpt use chk-x\n4 a tool +b.go", "a 4 +b.go\n"},
		{"read another checkpoint in between", "1 a tool +a.go\n2 a ckpt note chk-other\n3 a ckpt note chk-x\n4 a tool +b.go", "a 4 +b.go +a.go\n"},
		{"before and after the current checkpoint became another one", "1 a ckpt use chk-other\n2 a tool +a.go\n61 a tool +b.go", "a 61 +b.go\n"},
		{"on another checkpoint since then", "61 a ckpt use chk-other\n62 a tool +a.go", ""},
		{"in the second of the delta", "0 a tool +a.go\n0 a ckpt delta chk-x\n0 a tool +b.go\n0 b tool +c.go", "a 0 +b.go\nb 0 +c.go\n"},
		{"two operations in the second of the delta", "0 a ckpt new chk-x\n0 a tool +a.go\n0 a ckpt delta chk-x\n0 a tool +b.go", "a 0 +b.go\n"},
		{"only reads behind its delta", "0 a ckpt delta chk-x\n1 a tool bash -lc 'grep -n x a.go | head' = 0\n2 a tool git stash list && nl a.go = 0", ""},
		{"the command line that wrote the delta", "0 a ckpt delta chk-x\n1 a tool go test ./... && git commit -m x && ckpt delta -F - = 0", ""},
		{"the command line that wrote the delta, and then more", "0 a ckpt delta chk-x\n1 a tool ckpt delta -m x && ./gen.sh = 0", "a 1 [ckpt delta -m x && ./gen.sh = 0]\n"},
		{"a command line whose delta failed", "0 a ckpt delta chk-x\n1 a tool go test ./... ; ckpt delta -m x = 1", "a 1 [go test ./... ; ckpt delta -m x = 1 of ckpt]\n"},
		{"an own delta that was undone", "1 a tool +a.go\n2 a ckpt delta chk-x\n3 a ckpt undo chk-x", "a 1 +a.go\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := told(record.Unrecorded(history(t, c.entries), record.Recorded{ID: "chk-x", Since: begun, Moved: begun.Add(time.Hour)})); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
	if got := record.Unrecorded(history(t, "1 a tool +x.go"), record.Recorded{ID: "chk-x"}); got != nil {
		t.Errorf("nobody knows since when: got %v", got)
	}
}

// TestUnrecordedIsOfTheRecord checks with random records that no work is from entries before the
// delta, and includes every file written since.
func TestUnrecordedIsOfTheRecord(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	commands := []string{"go test ./... = 0", "go test ./... = 1", "go test ./...", "go test ./a = 0", "npm test = 1", "./gen.sh = 1", "make = 2", "ls = 0", "cat a | wc = 0"}
	for range 500 {
		var lines strings.Builder
		since := begun.Add(time.Duration(rnd.Intn(20)) * time.Minute)
		written := map[string]bool{}
		for minute := range 30 {
			session := string(rune('a' + rnd.Intn(3)))
			switch rnd.Intn(3) {
			case 0:
				file := fmt.Sprintf("f%d", rnd.Intn(5))
				if fmt.Fprintf(&lines, "%d %s tool +%s\n", minute, session, file); !begun.Add(time.Duration(minute) * time.Minute).Before(since) {
					written[session+" "+file] = true
				}
			case 1:
				fmt.Fprintf(&lines, "%d %s tool %s\n", minute, session, commands[rnd.Intn(len(commands))])
			default:
				fmt.Fprintf(&lines, "%d %s %s\n", minute, session, []string{"prompt", "stop", "session-end"}[rnd.Intn(3)])
			}
		}
		entries := history(t, lines.String())
		found := map[string]bool{}
		for _, w := range record.Unrecorded(entries, record.Recorded{ID: "chk-x", Since: since}) {
			if w.Last.Before(since) {
				t.Fatalf("%s\nsince %s: last %s", lines.String(), since, w.Last)
			}
			for _, f := range w.Files {
				if key := w.Session + " " + f; found[key] || !written[key] {
					t.Fatalf("%s\nsince %s: %s is told twice, or was not written", lines.String(), since, key)
				} else {
					found[key] = true
				}
			}
			newestFailure := -1
			tests := true
			for i, r := range w.Commands {
				at := slices.IndexFunc(entries, func(e record.Entry) bool {
					return e.Session == w.Session && e.Command == r.Command && e.At.Equal(r.At) && (e.Exit == nil) == (r.Exit == nil) && (e.Exit == nil || *e.Exit == *r.Exit)
				})
				later := slices.ContainsFunc(entries, func(e record.Entry) bool {
					return e.Session == w.Session && e.Command == r.Command && e.At.After(r.At)
				})
				if at < 0 || later || r.Test && !tests {
					t.Fatalf("%s\n%s: not its last run, or a test behind other commands", lines.String(), r.Command)
				}
				fails := r.Exit != nil && *r.Exit != 0
				if fails && (newestFailure < 0 || r.At.After(w.Commands[newestFailure].At)) {
					newestFailure = i
				}
				tests = r.Test || fails && i <= 1 // the newest failure precedes all tests but one
			}
			if newestFailure > 1 {
				t.Fatalf("%s\nthe newest failure is number %d", lines.String(), newestFailure+1)
			}
		}
		if len(found) != len(written) {
			t.Fatalf("%s\nsince %s: found %v, written %v", lines.String(), since, found, written)
		}
	}
}

func TestTestsAreKnown(t *testing.T) {
	for _, command := range []string{
		"go test ./...", "go -C sub test ./...", "cd web && npm test", "npm run test:unit -- --watch=false", "pnpm -r test", "yarn test", "CI=1 yarn test", "npx jest src",
		"bun test", "deno test -A", "vitest run", "pytest -q", "python -m pytest tests", "python3 -m unittest", "uv run pytest -x", "poetry run pytest", "tox -e py312", "cargo test",
		"cargo nextest run", "make test", "make -C src check", "mvn -q test", "./mvnw verify", "./gradlew :app:test", "gradle check", "dotnet test", "bundle exec rspec", "bin/rails test",
		"vendor/bin/phpunit", "php artisan test", "mix test", "ctest --output-on-failure", "bazel test //...", "swift test", "timeout 60 go test ./x", "time go test", "env A=b go test",
		"./run-tests.sh", "bash scripts/test.sh", "python manage.py test app", "python test_login.py", "node --test", "go build ./... && go test ./... 2>&1 | tail -5", "(cd a; go test)",
		"set -o pipefail; go test ./... | tee out.log", "bash -lc 'cd x && go test ./...'", "if go test; then echo ok; fi", "C:/go/bin/go.exe test",
	} {
		if w := only(t, command); w == nil || !w.Test {
			t.Errorf("%q runs tests", command)
		}
	}
	for _, command := range []string{
		"go build ./...", "go vet ./...", "npm ci", "cargo check", "make", "./deploy.sh", "cat > test.sh <<'EOF' go test ./... EOF", "echo 'go test'> run.txt", "python gen.py", "sed -i s/a/b/ x",
		"ls > list", "git stash", "git checkout main", "find . -delete", "rm -rf test", "sh -c 'grep x y > z'", "sh -c 'ls' > z", "git stash pop", "go mod tidy", "bash -c './gen.sh'", "mkdir tests", "echo hi | tee out", "npm install jest", "go run ./cmd/x",
	} {
		if w := only(t, command); w == nil || w.Test {
			t.Errorf("%q is work and runs no tests", command)
		}
	}
	for _, command := range []string{
		"", "ls", "cd x && cat y.go", "git status", "git -C sub log --oneline | head -3", "git add -A && git commit -m 'go test'", "grep -rn test . | wc -l", "find . -name '*.go' | xargs grep foo",
		"sed -n 1,10p x", "test -f x && echo yes", "[ -d x ] || echo no", "echo 'a; b > c'", "ls 2>/dev/null", "ls >/dev/null 2>&1", "cat <<EOF", "'", "&&", "for f in a b; do cat $f; done",
		"/bin/bash -lc 'grep -rn foo . | wc -l'", "git stash list", "git stash show -p", "nl -ba x | sed -n 1,9p", "[[ -f x ]] && cat x", "go doc fmt", "go list ./...",
	} {
		if only(t, command) != nil {
			t.Errorf("%q is only a look", command)
		}
	}
}

func TestWhoseExitCode(t *testing.T) {
	for command, want := range map[string]string{
		"go test ./...":                                "",
		"cd x; go test ./...":                          "",
		"go vet && go test && git commit -m x":         "",
		"go test ./... 2>&1 | tail -20":                "tail",
		"go test ./... || true":                        "true",
		"go test ./...; echo done":                     "echo",
		"set -o pipefail; go test ./... | tee x":       "",
		"(cd x && go test)":                            "",
		"npm run build | grep error":                   "grep",
		"cat list | ./load.sh":                         "",
		"go test ./a | tail -1 && go test ./b":         "",
		"go test ./b && go test ./a 2>&1 | tail -n 30": "tail",
	} {
		if w := only(t, command); w == nil || w.ExitOf != want {
			t.Errorf("%q: got %+v, want the exit code of %q", command, w, want)
		}
	}
}

// only returns the run of a command as Unrecorded returns it, or nil.
func only(t *testing.T, command string) *record.Run {
	t.Helper()
	all := record.Unrecorded([]record.Entry{{At: begun.Add(time.Minute), Session: "a", Event: "tool", Command: command}}, record.Recorded{ID: "chk-x", Since: begun})
	if len(all) == 0 {
		return nil
	}
	return &all[0].Commands[0]
}

func FuzzUnrecorded(f *testing.F) {
	for _, seed := range []string{"go test ./... | tail", "a 'b", `x \`, "2>&1", ">", "&>x", "timeout 5", "sudo", "bash -c", "python -m"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, command string) { only(t, command) })
}

func TestOperationIsWritten(t *testing.T) {
	want := record.Entry{At: begun, Agent: "claude", Session: "a", Event: record.Operation, Tool: "delta", Checkpoint: "chk-x"}
	got := record.Parse(record.Encode(want))
	if len(got) != 1 || fmt.Sprint(got[0]) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestLastLineIsOfTheNewest checks that only the newest failed command and the newest tests have their last
// line of output.
func TestLastLineIsOfTheNewest(t *testing.T) {
	entries := history(t, "1 a tool ./gen.sh = 1\n2 a tool go test ./a = 1\n3 a tool make = 2\n4 a tool go test ./b | tail = 0")
	for i, last := range []string{"old", "old FAIL", "error", "ok"} {
		entries[i].Last = last
	}
	var told []string
	for _, r := range record.Unrecorded(entries, record.Recorded{ID: "chk-x", Since: begun})[0].Commands {
		told = append(told, r.Command+": "+r.Last)
	}
	if want := []string{"go test ./b | tail: ok", "make: error", "go test ./a: ", "./gen.sh: "}; !slices.Equal(told, want) {
		t.Errorf("got %q", told)
	}
}

func TestAlive(t *testing.T) {
	const entries = "1 a tool +a.go\n3 a session-end\n2 b prompt"
	for _, c := range []struct {
		reader string
		minute int
		want   bool
	}{
		{"", 4, true},
		{"b", 4, false},
		{"a", 16, true},
		{"a", 17, false},
	} {
		if got := record.Alive(history(t, entries), c.reader, begun.Add(time.Duration(c.minute)*time.Minute), 15*time.Minute); got != c.want {
			t.Errorf("to %q at minute %d: got %t", c.reader, c.minute, got)
		}
	}
}
