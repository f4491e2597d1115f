package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/view"
)

// TestKeys types keys and checks what is on the screen then.
func TestKeys(t *testing.T) {
	for _, tc := range []struct {
		name, keys string
		want       []string // on the screen, in this order
		never      string
	}{
		{"the current one comes first, then what changed last, what cannot be read, the archive", "",
			[]string{"▸ Checkpoints 6", "▌ ● chk-now", "active/chk-now.md current", "○ chk-late", "○ chk-child", "✗ active/torn.md !", "◉ chk-old"}, ""},
		{"its page stands beside it", "", []string{"active/chk-now.md current", "created"}, ""},
		{"a row has the problem, the age, the next action and the deltas", "",
			[]string{"chk-now  Problem of chk-now", "2mo", "→ Mend the fence", "2 deltas"}, ""},
		{"an archived one has its outcome", "G", []string{"▌ ◉ chk-old", "✓ It is done"}, ""},
		{"down", "j", []string{"▌ ○ chk-late", "Problem of chk-late."}, ""},
		{"down and up", "j j k", []string{"▌ ○ chk-late"}, ""},
		{"no further than the last", "G j j", []string{"▌ ◉ chk-old"}, ""},
		{"no further than the first", "k g pgup", []string{"▌ ● chk-now"}, ""},
		{"arrows", "down end home down", []string{"▌ ○ chk-late"}, ""},
		{"one that cannot be read, with the reason", "j j j j", []string{"active/torn.md unreadable", "unreadable: half a file", "▌ ✗ active/torn.md !"}, ""},
		{"what is wrong with a place", "j j", []string{"parent \"chk-gone\" does not exist", "▌ ○ chk-lost !"}, ""},
		{"as a tree", "t", []string{"as a tree", "◉ chk-old", "▌   ● chk-now", "    ○ chk-child", "○ chk-lost !", "✗ active/torn.md"}, ""},
		{"tree and back", "t t", []string{"▌ ● chk-now", "◉ chk-old"}, "as a tree"},

		{"a search for an id", "/ l a t e", []string{"Checkpoints 1 of 6 with late", "▌ ○ chk-late", "/late"}, "○ chk-child"},
		{"for what it is about", "/ p r o b l e m space o l d . enter", []string{"1 of 6", "▌ ◉ chk-old"}, ""},
		{"for a word in a body, to which the page goes", "/ n e e d l e enter", []string{"1 of 6", "▌ ● chk-now", "needle 17"}, "Problem of chk-now.\n"},
		{"n goes to the next hit", "/ n e e d l e enter n n", []string{"hit 2 of 3", "needle 18"}, ""},
		{"N goes back", "/ n e e d l e enter n n N", []string{"hit 1 of 3"}, ""},
		{"behind the last hit comes the next checkpoint", "/ o f space c h k enter n n n n", []string{"▌ ○ chk-late"}, "hit"},
		{"for a state", "/ u n r e a d", []string{"1 of 6", "✗ active/torn.md"}, ""},
		{"corrected", "/ l x backspace a t", []string{"1 of 6", "chk-late"}, ""},
		{"in vain", "/ z z", []string{"0 of 6", "Nothing contains zz"}, "chk-now"},
		{"dropped", "/ z z esc", []string{"Checkpoints 6", "▌ ● chk-now"}, "zz"},
		{"kept, then dropped", "/ l a t e enter j esc", []string{"Checkpoints 6", "▌ ○ chk-late"}, ""},
		{"letters are text while one types", "/ q", []string{"0 of 6"}, ""},
		{"an arrow ends the search", "/ c h k down", []string{"5 of 6", "▌ ○ chk-late"}, ""},

		{"the page moves under J", "J J J", []string{"▌ ● chk-now", "current, 4 %"}, ""},
		{"and back", "ctrl+d J ctrl+u K", []string{"Problem of chk-now.", "0 %"}, ""},
		{"inside j moves the page", "enter j j j j", []string{"▌ ● chk-now", "▸ active/chk-now.md"}, "0 %"},
		{"inside G goes to its end", "enter G", []string{"100 %"}, ""},
		{"out again", "enter j h j", []string{"▸ Checkpoints", "▌ ○ chk-late"}, ""},
		{"details", "d", []string{"current, details", "show chk-now --details"}, "Problem of chk-now.\n"},
		{"details of the next", "d j", []string{"show chk-late --details"}, ""},
		{"and no details", "d d", []string{"Problem of chk-now."}, "details"},
		{"the log", "l", []string{"current, log", "log chk-now"}, ""},
		{"the last change", "D", []string{"current, last change", "diff @{1} -c chk-now"}, ""},
		{"esc goes back to the text", "l esc", []string{"active/chk-now.md current"}, "current, log"},
		{"a page that goes wrong", "l G", []string{"no log of the archive", "hint: read it"}, ""},
		{"one that cannot be read has no log", "l j j j j", []string{"ckpt validate active/torn.md"}, ""},
		{"read again, the chosen one stays", "j r", []string{"▌ ○ chk-late"}, "reading"},

		{"help", "?", []string{"Help", "Work", "Look", "More", "Move", "u use", "ckpt undo takes it back"}, "chk-now"},
		{"and back", "? ?", []string{"▸ Checkpoints 6"}, "Help"},
		{"q leaves the help only", "? q", []string{"▸ Checkpoints 6"}, ""},

		{"use", "j u", []string{"did: use chk-late"}, ""},
		{"by the path where the id may be another one's", "j j u", []string{"did: use active/chk-lost.md"}, ""},
		{"undo asks", "z", []string{"Undo the last change (y/n)?"}, "did"},
		{"and one key does it", "z y", []string{"did: undo"}, ""},
		{"or does not", "z n", []string{"? help"}, "did"},
		{"archive asks for the outcome", "a d o n e", []string{"Outcome of chk-now: done"}, "did"},
		{"and archives", "a d o n e enter", []string{"did: archive chk-now --outcome=done"}, "Outcome of"},
		{"esc does not archive", "a d o n e esc", []string{"▌ ● chk-now"}, "Outcome of"},
		{"what goes wrong is shown, and the text is there again", "a f a i l enter", []string{"this went wrong", "hint: try again", "Outcome of chk-now: fail"}, ""},
		{"and can be corrected", "a f a i l enter backspace backspace backspace backspace o k enter", []string{"did: archive chk-now --outcome=ok"}, "went wrong"},
		{"edit", "j e", []string{"edit …"}, ""},

		{"an id is copied", "j y", []string{"copied chk-late"}, ""},
		{"a brief is copied", "Y", []string{"copied the brief of chk-now (18 bytes)"}, ""},
		{"a message lasts until the next key", "y j", []string{"? help"}, "copied"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := start(t, 100, 18, "")
			press(t, m, tc.keys)
			text := m.bare()
			at := 0
			for _, want := range tc.want {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not there", want)
				}
				at += max(strings.Index(text[at:], want), 0)
			}
			if tc.never != "" && strings.Contains(text, tc.never) {
				t.Errorf("%q is there", tc.never)
			}
			if t.Failed() {
				t.Log("\n" + text)
			}
		})
	}
}

// TestScreens compares the screens of 60, 80 and 120 columns with testdata/screens. UPDATE=1 writes them.
func TestScreens(t *testing.T) {
	for _, width := range []int{60, 80, 120} {
		var screens strings.Builder
		for _, keys := range []string{"", "j enter", "t", "?", "z", "a d o n e", "/ n e e d l e"} {
			m := start(t, width, 14, "")
			press(t, m, keys)
			fmt.Fprintf(&screens, "-- keys: %s --\n%s\n", keys, regexp.MustCompile(` +(\n|$)`).ReplaceAllString(m.bare(), "$1"))
		}
		file := filepath.Join("testdata", "screens", fmt.Sprint(width)+".txt")
		if os.Getenv("UPDATE") != "" {
			if err := os.WriteFile(file, []byte(screens.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || screens.String() != string(want) {
			t.Errorf("%s: %v; UPDATE=1 go test ./internal/tui writes it; got\n%s", file, err, screens.String())
		}
	}
}

func TestLeaving(t *testing.T) {
	for _, keys := range []string{"q", "ctrl+c", "j enter q", "/ a ctrl+c", "space q", "? ctrl+c"} {
		if m := start(t, 100, 16, ""); !press(t, m, keys) {
			t.Errorf("%s: still there", keys)
		}
	}
	m := start(t, 100, 16, "")
	m.perform("use", "use", "chk-late")
	if press(t, m, "q") {
		t.Error("it left while a command was running")
	}
	if !play(t, m, doneMsg{}) {
		t.Error("it did not leave after the command")
	}
}

// TestFits checks that the lines fill the screen exactly, in any size.
func TestFits(t *testing.T) {
	for _, size := range [][2]int{{100, 16}, {60, 20}, {59, 8}, {50, 12}, {40, 5}, {25, 8}, {20, 3}, {5, 2}, {1, 1}, {300, 90}} {
		for _, keys := range []string{"", "j j j j", "enter", "t", "/ x", "/ n e e", "d", "?", "a f a i l enter", "y"} {
			m := start(t, size[0], size[1], "")
			press(t, m, keys)
			lines := strings.Split(m.screen(), "\n")
			if len(lines) != size[1] {
				t.Errorf("%v, %q: %d lines", size, keys, len(lines))
			}
			for _, line := range lines {
				if ansi.StringWidth(line) != size[0] {
					t.Errorf("%v, %q: %d columns: %q", size, keys, ansi.StringWidth(line), line)
				}
			}
		}
	}
}

// TestShortHelp checks that the last line begins with the keys for help and quit, and is cut between two keys.
func TestShortHelp(t *testing.T) {
	for _, tc := range []struct {
		width int
		want  string
	}{
		{105, "? help · q quit · u use · e edit · a archive · / search · enter read · y copy id · l log …"},
		{50, "? help · q quit · u use · e edit · a archive …"},
		{25, "? help · q quit · u use …"},
	} {
		lines := strings.Split(start(t, tc.width, 16, "").bare(), "\n")
		if got := strings.TrimRight(lines[15], " "); got != tc.want {
			t.Errorf("%d columns: %q, not %q", tc.width, got, tc.want)
		}
	}
}

// TestNarrow checks that a narrow screen shows either the list or the page.
func TestNarrow(t *testing.T) {
	m := start(t, 50, 12, "")
	if s := m.bare(); !strings.Contains(s, "▌ ● chk-now") || strings.Contains(s, "created") {
		t.Errorf("not the list:\n%s", s)
	}
	press(t, m, "enter")
	if s := m.bare(); strings.Contains(s, "▌ ● chk-now") || !strings.Contains(s, "created") {
		t.Errorf("not the page:\n%s", s)
	}
	press(t, m, "esc l")
	if s := m.bare(); !strings.Contains(s, "log chk-now") {
		t.Errorf("not the log:\n%s", s)
	}
}

// TestLines checks that rows have two lines if there is space for them.
func TestLines(t *testing.T) {
	for height, want := range map[int]bool{16: true, 8: false} {
		if got := strings.Contains(start(t, 100, height, "").bare(), "→ Mend"); got != want {
			t.Errorf("%d lines: next actions %t", height, got)
		}
	}
}

func TestResize(t *testing.T) {
	m := start(t, 100, 8, "")
	press(t, m, "G")
	play(t, m, tea.WindowSizeMsg{Width: 90, Height: 4})
	if s := m.bare(); !strings.Contains(s, "▌ ◉ chk-old") {
		t.Errorf("the chosen one is out of sight:\n%s", s)
	}
	play(t, m, tea.WindowSizeMsg{Width: 90, Height: 40})
	if s := m.bare(); !strings.Contains(s, "▌ ◉ chk-old") || !strings.Contains(s, "● chk-now") {
		t.Errorf("the list does not fill the screen:\n%s", s)
	}
}

func TestFirst(t *testing.T) {
	if s := start(t, 100, 16, "active/chk-late.md").bare(); !strings.Contains(s, "▌ ○ chk-late") {
		t.Errorf("not the one that was asked for:\n%s", s)
	}
}

// TestUnfit checks the screen without checkpoints, and that the browser ends if it cannot read them.
func TestUnfit(t *testing.T) {
	m := newModel(t.Context(), &repository{}, view.Look{Style: view.Plain})
	play(t, m, m.Init()())
	press(t, m, "j k G g enter d t / x esc r n N u e a y Y J z esc l D esc")
	if s := m.bare(); !strings.Contains(s, "No checkpoints yet.") || !strings.Contains(s, "ckpt new NAME") {
		t.Errorf("empty:\n%s", s)
	}
	for _, keys := range []string{"esc", "q"} {
		if !press(t, m, keys) {
			t.Errorf("%s does not leave", keys)
		}
	}
	m = newModel(t.Context(), &repository{err: errors.New("no disk")}, view.Look{Style: view.Plain})
	if quit := play(t, m, m.Init()()); !quit || m.fatal == nil {
		t.Error("it stays without anything to show")
	}
}

// TestTroubleLater checks that the rows stay if reading them again fails.
func TestTroubleLater(t *testing.T) {
	m := start(t, 100, 16, "")
	play(t, m, forestMsg{err: errors.New("another ckpt is busy")})
	if s := m.bare(); !strings.Contains(s, "another ckpt is busy") || !strings.Contains(s, "▌ ● chk-now") {
		t.Errorf("\n%s", s)
	}
}

// TestWarning checks that a warning has a line of its own.
func TestWarning(t *testing.T) {
	m := start(t, 100, 16, "")
	m.source.(*repository).warnings = []string{"two are current"}
	press(t, m, "r")
	if s := m.bare(); !strings.Contains(s, "two are current") || !strings.Contains(s, "? help") {
		t.Errorf("\n%s", s)
	}
}

// TestFollowing checks that the selection and the page stay where they are while files change.
func TestFollowing(t *testing.T) {
	m := start(t, 100, 18, "")
	r := m.source.(*repository)
	r.add(t, "active/chk-late.md", "checkpoint: chk-late\ncreated: 2026-03-01", "Problem."+lines)
	press(t, m, "r j enter J J J")
	r.add(t, "active/chk-new.md", "checkpoint: chk-new\ncreated: 2026-06-01", "Problem of chk-new.")
	r.add(t, "active/chk-late.md", "checkpoint: chk-late\ncreated: 2026-03-01", "Another problem."+lines)
	at := m.reader.text.YOffset()
	play(t, m, changedMsg{})
	if s := m.bare(); !strings.Contains(s, "○ chk-new") || !strings.Contains(s, "▌ ○ chk-late  Another problem.") || m.reader.text.YOffset() != at || at == 0 {
		t.Errorf("offset %d, was %d:\n%s", m.reader.text.YOffset(), at, s)
	}
	press(t, m, "esc")
	r.remove("active/chk-late.md")
	play(t, m, changedMsg{})
	if s := m.bare(); !strings.Contains(s, "▌ ○ chk-lost") {
		t.Errorf("not the one in its place:\n%s", s)
	}
}

// TestOneAtATime checks that a command does not begin while another one runs.
func TestOneAtATime(t *testing.T) {
	m := start(t, 100, 18, "")
	if m.perform("use", "use", "chk-late") == nil {
		t.Fatal("nothing is run")
	}
	press(t, m, "u")
	if s := m.bare(); !strings.Contains(s, "wait: use is still running") {
		t.Errorf("\n%s", s)
	}
	press(t, m, "a x enter")
	if s := m.bare(); !strings.Contains(s, "Outcome of chk-now: x") {
		t.Errorf("the text is lost:\n%s", s)
	}
}

// TestManyKeysOnePage checks that only one page is drawn at a time, and that the page wanted
// last is drawn next.
func TestManyKeysOnePage(t *testing.T) {
	m := start(t, 100, 16, "")
	var cmds []tea.Cmd
	for range 3 {
		if _, cmd := m.Update(keyPress("j")); cmd != nil {
			cmds = append(cmds, cmd)
		}
	}
	if len(cmds) != 1 {
		t.Fatalf("%d pages are drawn", len(cmds))
	}
	_, next := m.Update(cmds[0]())
	if done, ok := next().(page); !ok || done.key != m.reader.wanted {
		t.Error("the newest wish is not next")
	}
}

// TestNothingIsObeyed checks that no part of the screen passes an escape sequence on.
func TestNothingIsObeyed(t *testing.T) {
	const evil = "\x1b[2J\x1b]0;owned\x07\u009b2J\u202e"
	r := &repository{evil: evil}
	r.add(t, "active/a"+evil+".md", "checkpoint: chk-a\nparent: \"x\\e[2Jy\"\nnote: \"\\e]0;owned\\a\"", "Why"+evil+"?\n\n### Next Actions\n\n1. Go"+evil+" on\n")
	r.broken = []checkpoint.Broken{{Path: "active/b" + evil + ".md", Err: errors.New("torn" + evil)}}
	r.warnings = []string{"warned" + evil}
	for _, style := range []view.Style{view.Plain, view.Dark} {
		m := newModel(t.Context(), r, view.Look{Style: style})
		play(t, m, m.Init()())
		for _, keys := range []string{"", "j", "d", "k", "l", "esc / w h y enter", "esc u", "y", "a", "x enter", "esc Y"} {
			press(t, m, keys)
			if s := m.screen(); term.PlainKeepColor(s) != s {
				t.Errorf("%s, %s: %q", style, keys, s)
			}
		}
		play(t, m, tea.PasteMsg{Content: evil})
		if s := m.screen(); term.PlainKeepColor(s) != s {
			t.Errorf("%s, pasted: %q", style, s)
		}
	}
}

// TestSelectionIsVisible checks that the selected row and the hits are marked, also without colours.
func TestSelectionIsVisible(t *testing.T) {
	for style, codes := range map[view.Style][2]string{
		view.Plain: {"\x1b[7m", "\x1b[4;4m"}, view.Dark: {"48;5;237", "43m"}, view.Light: {"48;5;254", "43m"},
	} {
		m := start(t, 100, 18, "")
		m = newModel(t.Context(), m.source, view.Look{Style: style})
		play(t, m, tea.WindowSizeMsg{Width: 100, Height: 18})
		play(t, m, m.Init()())
		selected := strings.Split(m.screen(), "\n")[1]
		if !strings.Contains(selected, codes[0]) || !strings.Contains(selected, "▌") {
			t.Errorf("%s: the selected row is %q", style, selected)
		}
		press(t, m, "/ n e e d l e enter")
		if s := m.screen(); !strings.Contains(s, codes[1]) {
			t.Errorf("%s: hits are not marked: %q", style, s)
		}
	}
}

// TestMany searches ten thousand checkpoints.
func TestMany(t *testing.T) {
	r := &repository{}
	for i := range 10_000 {
		r.set.All = append(r.set.All, parse(t, fmt.Sprintf("archive/c%d.md", i), fmt.Sprintf("checkpoint: c%d\ncreated: 2026-01-01", i), "Why."))
	}
	m := newModel(t.Context(), r, view.Look{Style: view.Plain})
	play(t, m, m.Init()())
	press(t, m, "G g / c 9 9 9 enter")
	if s := m.bare(); !strings.Contains(s, "11 of 10000") {
		t.Errorf("\n%s", s)
	}
}

func TestAge(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for ago, want := range map[time.Duration]string{
		0: "now", 59 * time.Second: "now", time.Minute: "1m", 119 * time.Minute: "1h", 47 * time.Hour: "1d",
		13 * 24 * time.Hour: "13d", 30 * 24 * time.Hour: "4w", 100 * 24 * time.Hour: "3mo", 800 * 24 * time.Hour: "2y", -time.Hour: "",
	} {
		if got := age(now, now.Add(-ago)); got != want {
			t.Errorf("%s: %q, not %q", ago, got, want)
		}
	}
}

func TestColoursStayInTheirLine(t *testing.T) {
	got := alone("a\x1b[1mb\nc\nd\x1b[0me\x1b[31mf\ng\x1b[m\nh")
	want := []string{"a\x1b[1mb\x1b[m", "\x1b[1mc\x1b[m", "\x1b[1md\x1b[0me\x1b[31mf\x1b[m", "\x1b[31mg\x1b[m", "h"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// repository is a source of checkpoints in memory. Its commands answer with their arguments.
type repository struct {
	set      checkpoint.Set
	broken   []checkpoint.Broken
	warnings []string
	first    string
	evil     string // is in every answer
	err      error

	mu   sync.Mutex
	runs []string
}

func (r *repository) First() string     { return r.first }
func (r *repository) Folders() []string { return nil }
func (r *repository) Now() time.Time    { return time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC) }

func (r *repository) Forest(context.Context) (*lineage.Forest, error) {
	if r.err != nil {
		return nil, r.err
	}
	f := lineage.Build(&checkpoint.Set{All: slices.Clone(r.set.All), Broken: r.broken})
	f.Warnings = r.warnings
	return f, nil
}

func (r *repository) Command(_ context.Context, _ int, args ...string) (answer, remarks string, err error) {
	line := strings.Join(args, " ")
	r.mu.Lock()
	r.runs = append(r.runs, line)
	r.mu.Unlock()
	switch {
	case args[0] == "log" && strings.Contains(line, "old"):
		return "", "", fault.New(fault.Failed, "no log of the archive").WithHint("read it")
	case strings.Contains(line, "fail"), r.evil != "" && args[0] != "resume":
		return "", "", fault.New(fault.Failed, "this went wrong%s", r.evil).WithHint("try again")
	case args[0] == "resume":
		return "brief of " + args[1] + "\n" + "\n", "", nil
	}
	if slices.Contains([]string{"show", "log", "diff"}, args[0]) {
		return line, "", nil
	}
	return "did: " + line + "\n", "", nil
}

func (r *repository) Edit(_ context.Context, id string) (string, error) { return "edited " + id, nil }

// add adds a checkpoint, or replaces the one at the same path.
func (r *repository) add(t *testing.T, path, front, text string) {
	t.Helper()
	r.remove(path)
	r.set.All = append(r.set.All, parse(t, path, front, text))
}

func (r *repository) remove(path string) {
	r.set.All = slices.DeleteFunc(r.set.All, func(c *checkpoint.Checkpoint) bool { return c.Path == path })
}

// lines is the rest of a long problem.
var lines = func() string {
	var b strings.Builder
	for i := range 30 {
		word := "line"
		if i >= 17 && i < 20 {
			word = "needle"
		}
		fmt.Fprintf(&b, "\n\n%s %d", word, i)
	}
	return b.String()
}()

const (
	nowText = "\n\n### Next Actions\n\n1. Mend the fence\n2. Paint it\n\n## Delta: 2026-01-02\n\n### What Changed\n\n- a\n\n## Delta: 2026-01-03\n\n### What Changed\n\n- b\n"
	oldText = "\n\n## Completion\n\n- **Outcome**: It is done\n"
)

// start returns a browser of six files, which has read and drawn everything.
func start(t *testing.T, width, height int, first string) *model {
	t.Helper()
	r := &repository{
		first:  first,
		broken: []checkpoint.Broken{{Path: "active/torn.md", Err: errors.New("half a file")}},
	}
	for _, c := range [][3]string{
		{"archive/chk-old.md", "checkpoint: chk-old\ncreated: 2025-01-01", oldText},
		{"active/chk-now.md", "checkpoint: chk-now\ncreated: 2026-01-01\nparent: chk-old\nstatus: current", lines + nowText},
		{"active/chk-child.md", "checkpoint: chk-child\ncreated: 2026-01-02\nparent: chk-now", ""},
		{"active/chk-late.md", "checkpoint: chk-late\ncreated: 2026-03-01", ""},
		{"active/chk-lost.md", "checkpoint: chk-lost\ncreated: 2026-02-01\nparent: chk-gone", ""},
	} {
		id := strings.TrimSuffix(c[0][strings.IndexByte(c[0], '/')+1:], ".md")
		r.add(t, c[0], c[1], "Problem of "+id+"."+c[2])
	}
	m := newModel(t.Context(), r, view.Look{Style: view.Plain})
	play(t, m, tea.WindowSizeMsg{Width: width, Height: height})
	play(t, m, m.Init()())
	return m
}

// bare returns the screen without colours.
func (m *model) bare() string { return ansi.Strip(m.screen()) }

func parse(t *testing.T, path, front, problem string) *checkpoint.Checkpoint {
	t.Helper()
	c, err := checkpoint.Parse(path, []byte("---\n"+front+"\n---\n\n## Problem\n\n"+problem+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// press types keys, which spaces separate, and runs the commands that they cause. It
// reports whether the browser has quit.
func press(t *testing.T, m *model, keys string) (left bool) {
	t.Helper()
	for _, k := range strings.Fields(keys) {
		left = play(t, m, keyPress(k)) || left
	}
	return left
}

// play sends a message, then the messages that its commands return.
func play(t *testing.T, m *model, msg tea.Msg) (left bool) {
	t.Helper()
	switch msg := msg.(type) {
	case nil:
		return false
	case tea.QuitMsg:
		return true
	case tea.BatchMsg:
		for _, cmd := range msg {
			left = cmd != nil && play(t, m, cmd()) || left
		}
		return left
	}
	_, cmd := m.Update(msg)
	return cmd != nil && play(t, m, cmd())
}

func keyPress(name string) tea.KeyPressMsg {
	special := map[string]tea.Key{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "backspace": {Code: tea.KeyBackspace}, "space": {Code: ' ', Text: " "},
		"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "pgup": {Code: tea.KeyPgUp},
		"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+d": {Code: 'd', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl},
	}
	if k, ok := special[name]; ok {
		return tea.KeyPressMsg(k)
	}
	return tea.KeyPressMsg(tea.Key{Code: []rune(name)[0], Text: name})
}
