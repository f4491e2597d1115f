package term

import (
	"bytes"
	"os"
	"testing"
)

func TestColor(t *testing.T) {
	tests := []struct {
		name    string
		pipe    bool
		env     []string
		noColor bool
		want    bool
	}{
		{name: "terminal", env: []string{"TERM=xterm"}, want: true},
		{name: "pipe", pipe: true, env: []string{"TERM=xterm"}},
		{name: "--no-color", env: []string{"CLICOLOR_FORCE=1"}, noColor: true},
		{name: "NO_COLOR", env: []string{"NO_COLOR=1", "CLICOLOR_FORCE=1"}},
		{name: "empty NO_COLOR", env: []string{"NO_COLOR="}, want: true},
		{name: "CLICOLOR_FORCE", pipe: true, env: []string{"CLICOLOR_FORCE=1", "TERM=dumb"}, want: true},
		{name: "CLICOLOR_FORCE=0", pipe: true, env: []string{"CLICOLOR_FORCE=0"}},
		{name: "dumb terminal", env: []string{"TERM=dumb"}},
		{name: "the last of a name wins", env: []string{"TERM=dumb", "TERM=xterm"}, want: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			s := Streams{Out: Screen(&out), Err: &out, Env: tt.env, NoColor: tt.noColor}
			if tt.pipe {
				s.Out = &out
			}
			if got := s.Color(); got != tt.want {
				t.Errorf("Color() = %v, want %v", got, tt.want)
			}
			if s.ErrStyle().On != (tt.want && tt.pipe) {
				t.Error("messages that go to a file differ from an answer that goes there")
			}
			bold := s.Style().Bold("x")
			if (bold != "x") != tt.want {
				t.Errorf("Bold = %q", bold)
			}
		})
	}
}

func TestStylesNest(t *testing.T) {
	s := Style{On: true}
	if got, want := s.Bold("a"+s.Red("b")+"c"), "\x1b[1ma\x1b[31mb\x1b[39mc\x1b[22m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNothingIsATerminalInATest(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := Streams{In: file, Out: file, Err: file}
	if s.InIsTerminal() || s.OutIsTerminal() || s.ErrIsTerminal() {
		t.Error("a file is no terminal")
	}
	if (Streams{}).OutIsTerminal() {
		t.Error("nothing is no terminal")
	}
}

func TestWidth(t *testing.T) {
	for _, tt := range []struct {
		columns string
		want    int
	}{{"132", 132}, {"", 80}, {"0", 80}, {"-5", 80}, {"wide", 80}} {
		s := Streams{Out: &bytes.Buffer{}, Env: []string{"COLUMNS=" + tt.columns}}
		if got := s.Width(); got != tt.want {
			t.Errorf("COLUMNS=%q: %d, want %d", tt.columns, got, tt.want)
		}
	}
}
