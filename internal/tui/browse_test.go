package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/lineage"
	"example.com/ckpt/internal/term"
	"example.com/ckpt/internal/view"
)

// TestKeys: what a reader types, and what stands on the screen then.
func TestKeys(t *testing.T) {
	for _, tc := range []struct {
		name, keys string
		want       []string // on the screen, in this order
		never      string
	}{
		{"the current one comes first, then what changed last, what cannot be read, the archive", "",
			[]string{"Checkpoints 6", "> ● chk-now", "active/chk-now.md current", "○ chk-late", "○ chk-child", "✗ active/torn.md !", "◉ chk-old"}, ""},
		{"its page stands beside it", "", []string{"Problem of chk-now."}, "Problem of chk-late"},
		{"down", "j", []string{"> ○ chk-late", "Problem of chk-late."}, "Problem of chk-now"},
		{"down and up", "j j k", []string{"> ○ chk-late"}, ""},
		{"no further than the last", "G j j", []string{"> ◉ chk-old"}, ""},
		{"no further than the first", "k g pgup", []string{"> ● chk-now"}, ""},
		{"arrows", "down end home down", []string{"> ○ chk-late"}, ""},
		{"one that cannot be read, with the reason", "j j j j", []string{"active/torn.md unreadable", "> ✗ active/torn.md !", "unreadable: half a file"}, ""},
		{"what is wrong with a place", "j j", []string{"parent \"chk-gone\" does not exist", "> ○ chk-lost !"}, ""},
		{"as a tree", "t", []string{"◉ chk-old", ">   ● chk-now", "    ○ chk-child", "○ chk-lost !", "✗ active/torn.md"}, ""},
		{"tree and back", "t t", []string{"> ● chk-now", "◉ chk-old"}, ""},
		{"a search for an id", "/ l a t e", []string{"Checkpoints 1 of 6", "> ○ chk-late", "/late"}, "chk-child"},
		{"for what it is about", "/ p r o b l e m space n o w enter", []string{"1 of 6", "> ● chk-now"}, ""},
		{"for a state", "/ u n r e a d", []string{"1 of 6", "✗ active/torn.md"}, ""},
		{"corrected", "/ l x backspace a t", []string{"1 of 6", "chk-late"}, ""},
		{"in vain", "/ z z", []string{"0 of 6", "nothing holds zz"}, "chk-now"},
		{"dropped", "/ z z esc", []string{"Checkpoints 6", "> ● chk-now"}, "zz"},
		{"kept, then dropped", "/ l a t e enter j esc", []string{"Checkpoints 6", "> ○ chk-late"}, ""},
		{"letters are text while one types", "/ q", []string{"0 of 6"}, ""},
		{"the page moves under space", "space", []string{"> ● chk-now", "line 8"}, "Problem of chk-now"},
		{"and back", "space b", []string{"Problem of chk-now."}, ""},
		{"inside j moves the page", "enter j j j j", []string{"> ● chk-now", "h back"}, "checkpoint  chk-now"},
		{"out again", "enter j h j", []string{"> ○ chk-late"}, ""},
		{"details", "d", []string{"current, details", "details of active/chk-now.md"}, "Problem of"},
		{"details of the next", "d j", []string{"details of active/chk-late.md"}, ""},
		{"and no details", "d d", []string{"Problem of chk-now."}, ""},
		{"details that go wrong", "d G", []string{"no details of the archive"}, ""},
		{"read again, the chosen one stays", "j r", []string{"> ○ chk-late"}, "reading"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := start(t, 100, 16, "")
			press(t, m, tc.keys)
			text := m.screen()
			at := 0
			for _, want := range tc.want {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not there", want)
				}
				at += strings.Index(text[at:], want) + 1
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

func TestLeaving(t *testing.T) {
	for _, keys := range []string{"q", "ctrl+c", "j enter q", "/ a ctrl+c"} {
		if m := start(t, 100, 16, ""); !press(t, m, keys) {
			t.Errorf("%s: still there", keys)
		}
	}
}

// TestFits: whatever the size, each line is as wide as the screen and there are as many.
func TestFits(t *testing.T) {
	for _, size := range [][2]int{{100, 16}, {70, 8}, {69, 8}, {40, 5}, {20, 3}, {5, 2}, {1, 1}, {300, 90}} {
		for _, keys := range []string{"", "j j j j", "enter", "t", "/ x", "d"} {
			m := start(t, size[0], size[1], "")
			press(t, m, keys)
			lines := strings.Split(m.screen(), "\n")
			if len(lines) != max(size[1], 3) {
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

// TestNarrow: on a narrow screen list and page take turns.
func TestNarrow(t *testing.T) {
	m := start(t, 50, 12, "")
	if s := m.screen(); !strings.Contains(s, "> ● chk-now") || strings.Contains(s, "Problem of") {
		t.Errorf("not the list:\n%s", s)
	}
	press(t, m, "enter")
	if s := m.screen(); strings.Contains(s, "> ● chk-now") || !strings.Contains(s, "Problem of") {
		t.Errorf("not the page:\n%s", s)
	}
}

func TestResize(t *testing.T) {
	m := start(t, 100, 8, "")
	press(t, m, "G")
	play(t, m, tea.WindowSizeMsg{Width: 90, Height: 4})
	if s := m.screen(); !strings.Contains(s, "> ◉ chk-old") {
		t.Errorf("the chosen one is out of sight:\n%s", s)
	}
	play(t, m, tea.WindowSizeMsg{Width: 90, Height: 40})
	if s := m.screen(); !strings.Contains(s, "> ◉ chk-old") || !strings.Contains(s, "● chk-now") {
		t.Errorf("the list does not fill the screen:\n%s", s)
	}
}

func TestFirst(t *testing.T) {
	if s := start(t, 100, 16, "active/chk-late.md").screen(); !strings.Contains(s, "> ○ chk-late") {
		t.Errorf("not the one that was asked for:\n%s", s)
	}
}

// TestUnfit: nothing there, and nothing that can be read.
func TestUnfit(t *testing.T) {
	m := newModel(t.Context(), source{forest: func(context.Context) (*lineage.Forest, error) { return lineage.Build(&checkpoint.Set{}), nil }}, view.Look{Style: view.Plain}, term.Style{})
	play(t, m, m.Init()())
	if press(t, m, "j k G g enter d t / x esc space r"); !strings.Contains(m.screen(), "no checkpoint") {
		t.Errorf("empty:\n%s", m.screen())
	}
	m = newModel(t.Context(), source{forest: func(context.Context) (*lineage.Forest, error) { return nil, errors.New("no disk") }}, view.Look{Style: view.Plain}, term.Style{})
	if quit := play(t, m, m.Init()()); !quit || m.fatal == nil {
		t.Error("it stays without anything to show")
	}
}

// TestTroubleLater: where reading again fails, what was read stays.
func TestTroubleLater(t *testing.T) {
	m := start(t, 100, 16, "")
	play(t, m, forestMsg{err: errors.New("another ckpt is busy")})
	if s := m.screen(); !strings.Contains(s, "another ckpt is busy") || !strings.Contains(s, "> ● chk-now") {
		t.Errorf("\n%s", s)
	}
}

// TestManyKeysOnePage: while a page is on its way no other is begun, and the newest wish
// is next.
func TestManyKeysOnePage(t *testing.T) {
	m := start(t, 100, 16, "")
	var cmds []tea.Cmd
	for range 3 {
		if _, cmd := m.Update(key("j")); cmd != nil {
			cmds = append(cmds, cmd)
		}
	}
	if len(cmds) != 1 {
		t.Fatalf("%d pages are drawn", len(cmds))
	}
	_, next := m.Update(cmds[0]())
	if done, ok := next().(page); !ok || done.key != m.wanted {
		t.Error("the newest wish is not next")
	}
}

// TestNothingIsObeyed: neither the list nor the page passes an escape sequence on.
func TestNothingIsObeyed(t *testing.T) {
	const evil = "\x1b[2J\x1b]0;owned\x07\u009b2J\u202e"
	c := parse(t, "active/a"+evil+".md", "checkpoint: chk-a\nparent: \"x\\e[2Jy\"\nnote: \"\\e]0;owned\\a\"", "Why"+evil+"?")
	set := &checkpoint.Set{All: []*checkpoint.Checkpoint{c}, Broken: []checkpoint.Broken{{Path: "active/b" + evil + ".md", Err: errors.New("torn" + evil)}}}
	for _, style := range []view.Style{view.Plain, view.Dark} {
		m := newModel(t.Context(), source{
			forest:  func(context.Context) (*lineage.Forest, error) { return lineage.Build(set), nil },
			details: func(context.Context, string) (string, error) { return "so" + evil, nil },
		}, view.Look{Style: style}, term.Style{On: style == view.Dark})
		play(t, m, m.Init()())
		for _, keys := range []string{"", "j", "d", "k", "/ w h y"} {
			press(t, m, keys)
			if s := m.screen(); term.PlainKeepColor(s) != s || style == view.Plain && term.Plain(s) != s {
				t.Errorf("%s, %s: %q", style, keys, s)
			}
		}
	}
}

// TestMany: of ten thousand only those on the screen are looked into.
func TestMany(t *testing.T) {
	set := &checkpoint.Set{}
	for i := range 10_000 {
		set.All = append(set.All, parse(t, fmt.Sprintf("archive/c%d.md", i), fmt.Sprintf("checkpoint: c%d\ncreated: 2026-01-01", i), "Why."))
	}
	m := newModel(t.Context(), source{forest: func(context.Context) (*lineage.Forest, error) { return lineage.Build(set), nil }}, view.Look{Style: view.Plain}, term.Style{})
	play(t, m, m.Init()())
	press(t, m, "G g / c 9 9 9 enter")
	if s := m.screen(); !strings.Contains(s, "11 of 10000") {
		t.Errorf("\n%s", s)
	}
}

func TestColoursStayInTheirLine(t *testing.T) {
	got := alone("a\x1b[1mb\nc\nd\x1b[0me\x1b[31mf\ng\x1b[m\nh")
	want := []string{"a\x1b[1mb\x1b[m", "\x1b[1mc\x1b[m", "\x1b[1md\x1b[0me\x1b[31mf\x1b[m", "\x1b[31mg\x1b[m", "h"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// start is a browser of six files, with everything read and drawn.
func start(t *testing.T, width, height int, first string) *model {
	t.Helper()
	long := ""
	for i := range 30 {
		long += fmt.Sprintf("\n\nline %d", i)
	}
	set := &checkpoint.Set{Broken: []checkpoint.Broken{{Path: "active/torn.md", Err: errors.New("half a file")}}}
	for _, c := range [][3]string{
		{"archive/chk-old.md", "checkpoint: chk-old\ncreated: 2025-01-01", ""},
		{"active/chk-now.md", "checkpoint: chk-now\ncreated: 2026-01-01\nparent: chk-old\nstatus: current", long},
		{"active/chk-child.md", "checkpoint: chk-child\ncreated: 2026-01-02\nparent: chk-now", ""},
		{"active/chk-late.md", "checkpoint: chk-late\ncreated: 2026-03-01", ""},
		{"active/chk-lost.md", "checkpoint: chk-lost\ncreated: 2026-02-01\nparent: chk-gone", ""},
	} {
		id := strings.TrimSuffix(c[0][strings.IndexByte(c[0], '/')+1:], ".md")
		set.All = append(set.All, parse(t, c[0], c[1], "Problem of "+id+"."+c[2]))
	}
	m := newModel(t.Context(), source{
		forest: func(context.Context) (*lineage.Forest, error) { return lineage.Build(set), nil },
		details: func(_ context.Context, path string) (string, error) {
			if checkpoint.InArchive(path) {
				return "", errors.New("no details of the archive")
			}
			return "# details of " + path, nil
		},
		first: first,
	}, view.Look{Style: view.Plain}, term.Style{})
	play(t, m, tea.WindowSizeMsg{Width: width, Height: height})
	play(t, m, m.Init()())
	return m
}

func parse(t *testing.T, path, front, problem string) *checkpoint.Checkpoint {
	t.Helper()
	c, err := checkpoint.Parse(path, []byte("---\n"+front+"\n---\n\n## Problem\n\n"+problem+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// press types keys, which blanks separate, and waits for what they ask for. It says
// whether the browser left.
func press(t *testing.T, m *model, keys string) (left bool) {
	t.Helper()
	for _, k := range strings.Fields(keys) {
		left = play(t, m, key(k)) || left
	}
	return left
}

// play sends a message, and whatever its commands answer.
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

func key(name string) tea.KeyPressMsg {
	special := map[string]tea.Key{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "backspace": {Code: tea.KeyBackspace}, "space": {Code: ' ', Text: " "},
		"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "pgup": {Code: tea.KeyPgUp},
		"ctrl+c": {Code: 'c', Mod: tea.ModCtrl},
	}
	if k, ok := special[name]; ok {
		return tea.KeyPressMsg(k)
	}
	return tea.KeyPressMsg(tea.Key{Code: []rune(name)[0], Text: name})
}
