package record

import (
	"path"
	"slices"
	"strings"

	"example.com/ckpt/internal/text"
)

// part is one command of a command line.
type part struct {
	words  []string // without quotes and redirections
	writes bool     // its output goes to a file
	joint  string   // the operator after it: "&&", "|", ...; empty at the end
}

// token matches a word, an operator or a redirection with the word that belongs to it.
var token = text.Regexp(`(?s)[0-9]*[<>]&[0-9]*|<<[<-]* *` + word + `?|[0-9&]*>[>| ]*` + word + `?|&&|\|\||[|;&()\n]|` + word)

const word = `(?:(?:'[^']*'?|"(?:\\.|[^"])*"?|\\.|[^ \t\r\n'"|;&()<>])+)`

// split returns the commands of a line as a shell would run them. It knows quotes,
// operators and redirections. The line must come from unfold, without here-documents.
func split(command string) []part {
	var all []part
	var now part
	next := func(joint string) {
		now.joint = joint
		if len(now.words) > 0 {
			all = append(all, now)
		}
		now = part{}
	}
	for _, t := range token.Get().FindAllString(command, -1) {
		operator := strings.TrimLeft(t, "0123456789")
		switch {
		case strings.HasPrefix(operator, "<<"), strings.HasPrefix(operator, ">&"), strings.HasPrefix(operator, "<&"):
		case strings.HasPrefix(operator, ">"), strings.HasPrefix(operator, "&>"):
			now.writes = now.writes || unquote(strings.TrimLeft(operator, "&>| ")) != "/dev/null"
		case strings.ContainsRune("|;&()\n", rune(t[0])):
			next(t)
		default:
			now.words = append(now.words, unquote(t))
		}
	}
	next("")
	return all
}

// unquote returns a word without its quotes and backslashes.
func unquote(word string) string {
	var b strings.Builder
	quote := byte(0) // the quote that is open
	for i := 0; i < len(word); i++ {
		c := word[i]
		switch {
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == '\\' && quote != '\'' && i+1 < len(word):
			i++
			b.WriteByte(word[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// commands returns the commands of a line as split does. In place of a shell that gets a line as an argument
// (`bash -lc 'grep x y'`), it returns the commands of that inner line.
func commands(line string) []part {
	var all []part
	for _, p := range split(line) {
		inner := p.shellLine()
		if inner == "" {
			all = append(all, p)
			continue
		}
		parts := split(unfold(inner))
		for i := range parts {
			parts[i].writes = parts[i].writes || p.writes
		}
		if len(parts) > 0 {
			parts[len(parts)-1].joint = p.joint
		}
		all = append(all, parts...)
	}
	return all
}

// shellLine returns the argument "x" of a command like `sh -c x`. It is empty for any other command.
func (p part) shellLine() string {
	if len(p.words) != 3 || p.words[1] == "" || !shells.has(program(p.words[0])) {
		return ""
	}
	if flags := p.words[1]; flags[0] != '-' || flags[len(flags)-1] != 'c' {
		return ""
	}
	return p.words[2]
}

const shells words = "sh bash zsh dash"

// wrappers are the programs and keywords before a command that run it unchanged.
const wrappers words = "sudo time env nice nohup command exec xargs if then elif else while until do ! { " +
	"xvfb-run npx bunx uvx uv pipx poetry pipenv pdm rye hatch bundle corepack dotenv stdbuf unbuffer"

// subcommands are the words after a wrapper that run the rest of the line: "uv run", "npm exec".
const subcommands words = "run exec tool"

// programWords returns the name of the program that a command runs, and its arguments, without the variables,
// wrappers and interpreters before it. The name has no folder and no ending of Windows.
func programWords(words []string) []string {
	for len(words) > 0 {
		name := program(words[0])
		switch {
		case name == "timeout" && len(words) > 1:
			words = words[1:]
			for len(words) > 0 && (strings.Trim(words[0][:min(1, len(words[0]))], "-0123456789") == "") {
				words = words[1:]
			}
			continue
		case isAssignment(words[0]), wrappers.has(name) && len(words) > 1:
			words = words[1:]
			for len(words) > 1 && (strings.HasPrefix(words[0], "-") || subcommands.has(words[0])) {
				words = words[1:]
			}
			continue
		case interpreters.has(strings.TrimRight(name, "0123456789.")):
			rest := slices.DeleteFunc(slices.Clone(words[1:]),
				func(w string) bool { return strings.HasPrefix(w, "-") && w != "--test" })
			if len(rest) > 0 {
				return append([]string{program(rest[0])}, rest[1:]...)
			}
			return []string{name}
		default:
			return append([]string{name}, words[1:]...)
		}
	}
	return nil
}

const interpreters words = "python py pypy node ruby php perl sh bash zsh pwsh tsx ts-node"

// program returns a program's name without its folder, and without an ending of Windows.
func program(word string) string {
	name := strings.ToLower(path.Base(strings.ReplaceAll(word, `\`, "/")))
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// testPrograms run tests with any arguments.
const testPrograms words = "pytest py.test unittest nose2 nosetests tox nox trial behave jest vitest mocha ava " +
	"tap karma rspec cucumber phpunit pest ctest gotestsum ginkgo bats busted prove elm-test --test"

// taskPrograms run tests if one of their arguments is "test", "test:unit", or one
// of the program's own words, which testWords returns.
const taskPrograms words = "go cargo npm pnpm yarn bun deno nx turbo ng react-scripts playwright cypress make " +
	"gmake ninja meson just task mage rake rails composer artisan manage.py " +
	"mvn mvnw gradle gradlew ant sbt lein bazel bazelisk buck2 dotnet swift xcodebuild flutter dart mix zig stack " +
	"cabal invoke inv setup.py"

func testWords(program string) words {
	switch program {
	case "cargo":
		return "t nextest"
	case "npm", "pnpm":
		return "t"
	case "cypress":
		return "run"
	case "make", "gmake", "just", "task", "gradle", "gradlew":
		return "check"
	case "rake", "rails":
		return "spec"
	case "mvn", "mvnw":
		return "verify"
	}
	return ""
}

// runsTests reports whether a command runs tests.
func runsTests(words []string) bool {
	words = programWords(words)
	if len(words) == 0 {
		return false
	}
	name := words[0]
	if taskPrograms.has(name) {
		own := testWords(name)
		return slices.ContainsFunc(words[1:], func(w string) bool {
			isNamed := strings.HasPrefix(w, "test:") || strings.HasPrefix(w, "test-") || strings.HasSuffix(w, ":test")
			return w == "test" || w == "tests" || isNamed || own.has(w)
		})
	}
	if testPrograms.has(name) {
		return true
	}
	isSeparator := func(r rune) bool { return strings.ContainsRune("-_.", r) }
	parts := strings.FieldsFunc(name, isSeparator) // the parts of a script's name: run-tests.sh, test_login.py
	return strings.ContainsAny(name, "-_.") && slices.ContainsFunc(parts, scriptWords.has)
}

// scriptWords are the parts of a script's name that show that it runs tests.
const scriptWords words = "test tests spec"

// looking lists the programs and words of the shell that change nothing.
const looking words = "ls cat nl tac bat head tail less more grep egrep fgrep rg ag ack fd find pwd cd pushd popd wc " +
	"tree stat file which whereis type echo printf sort uniq cut awk tr diff cmp comm column " +
	"jq yq nl date id whoami uname du df ps sleep true false test [ realpath readlink dirname basename xxd od " +
	"hexdump strings sed export set unset clear exit history man help env printenv hash ulimit wait read md5sum " +
	"sha256sum for case done fi esac } source . [[ fold expand paste"

// gitTells are the commands of git that change nothing, or whose effect on the work git shows anyway.
const gitTells words = "status log diff show blame branch rev-parse ls-files ls-tree grep remote describe " +
	"shortlog reflog cat-file config rev-list merge-base tag version help add commit push fetch check-ignore for-each-ref"

// goTells are the commands of Go that change nothing.
const goTells words = "doc list env version"

// changesNothing reports whether a command changes nothing, or only something that git shows anyway.
func (p part) changesNothing() bool {
	words := programWords(p.words)
	if len(words) == 0 {
		return true
	}
	switch {
	case words[0] == "go" && len(words) > 1:
		return goTells.has(words[1])
	case words[0] == "git":
		for i := 1; i < len(words); i++ {
			w := words[i]
			switch {
			case w == "-C" || w == "-c":
				i++
			case w == "stash":
				return i+1 < len(words) && (words[i+1] == "list" || words[i+1] == "show")
			case !strings.HasPrefix(w, "-"):
				return gitTells.has(w)
			}
		}
		return true
	}
	has := func(flags ...string) bool {
		return slices.ContainsFunc(words[1:], func(w string) bool {
			return slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(w, f) })
		})
	}
	switch words[0] {
	case "find", "fd":
		return !has("-delete", "-exec", "-ok", "-fprint")
	case "sed":
		return !p.writes && !has("-i", "--in-place")
	}
	return looking.has(words[0]) && !p.writes
}

// classify reports whether a command line runs tests, and whether it only looks: it runs no tests and changes
// nothing. ExitOf is the last program, "tail" in `go test | tail`, if its exit code hides that of tests or changes.
func classify(command string) (test, look bool, exitOf string) {
	parts := commands(command)
	decisive := -1 // the index of the last command that runs tests, or else of the last change
	pipefail := false
	for i, p := range parts {
		switch {
		case runsTests(p.words):
			test = true
			decisive = i
		case !test && !p.changesNothing():
			decisive = i
		}
		pipefail = pipefail || slices.Contains(p.words, "pipefail")
	}
	if decisive < 0 {
		return false, true, ""
	}
	for _, p := range parts[decisive : len(parts)-1] {
		keepsCode := slices.Contains([]string{"&&", "(", ")"}, p.joint) || p.joint == "|" && pipefail
		if !keepsCode {
			last := parts[len(parts)-1]
			return test, false, program(last.words[0])
		}
	}
	return test, false, ""
}

// recordsItself reports whether a command line records its own work: it calls ckpt to update a checkpoint, and
// changes nothing after that call.
func recordsItself(line string) bool {
	parts := commands(line)
	last := -1
	for i, p := range parts {
		words := programWords(p.words)
		if len(words) > 1 && words[0] == "ckpt" && slices.ContainsFunc(words[1:], isRecording) {
			last = i
		}
	}
	return last >= 0 && !slices.ContainsFunc(parts[last+1:], func(p part) bool { return !p.changesNothing() })
}

// words is a list of words separated by spaces. A map would cost time at each start of
// ckpt.
type words string

func (list words) has(word string) bool {
	return word != "" && !strings.Contains(word, " ") && strings.Contains(" "+string(list)+" ", " "+word+" ")
}
