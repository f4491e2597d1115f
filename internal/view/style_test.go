package view

import (
	"bytes"
	"testing"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/term"
)

func TestChoose(t *testing.T) {
	tests := []struct {
		name string
		flag Style
		env  []string
		pipe bool
		want Style
	}{
		{"nobody knows", Auto, nil, false, Dark},
		{"pipe", Auto, nil, true, Plain},
		{"CKPT_STYLE", Auto, []string{"CKPT_STYLE=light"}, false, Light},
		{"CKPT_STYLE in a pipe", Auto, []string{"CKPT_STYLE=light"}, true, Plain},
		{"flag before CKPT_STYLE", Dark, []string{"CKPT_STYLE=light"}, false, Dark},
		{"flag in a pipe", Light, nil, true, Light},
		{"NO_COLOR", Auto, []string{"NO_COLOR=1", "CKPT_STYLE=light"}, false, Plain},
		{"dumb terminal", Auto, []string{"TERM=dumb"}, false, Plain},
		{"light COLORFGBG", Auto, []string{"COLORFGBG=0;15"}, false, Light},
		{"dark COLORFGBG of three", Auto, []string{"COLORFGBG=15;default;0"}, false, Dark},
		{"COLORFGBG without numbers", Auto, []string{"COLORFGBG=default;default"}, false, Dark},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := term.Streams{Out: term.Screen(&bytes.Buffer{}), Env: tt.env}
			if tt.pipe {
				s.Out = &bytes.Buffer{}
			}
			if got, err := choose(tt.flag, s); got != tt.want || err != nil {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func TestChooseRefusesAnUnknownStyle(t *testing.T) {
	_, err := choose(Auto, term.Streams{Out: &bytes.Buffer{}, Env: []string{"CKPT_STYLE=pink"}})
	if fault.KindOf(err) != fault.Usage {
		t.Errorf("got %v", err)
	}
}

func TestParseBackground(t *testing.T) {
	tests := []struct {
		answer string
		ok     bool
		light  bool
	}{
		{"\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?62c", true, false},
		{"\x1b]11;rgb:ffff/ffff/ffff\a\x1b[?62;22c", true, true},
		{"\x1b]11;rgb:f/f/f\a", true, true},
		{"\x1b]11;rgb:fd/f6/e3\a", true, true},      // solarized light
		{"\x1b]11;rgba:00/2b/36/ff\a", true, false}, // solarized dark
		{"\x1b[?62c", false, false},
		{"", false, false},
	}
	for _, tt := range tests {
		color, ok := parseBackground([]byte(tt.answer))
		if ok != tt.ok || ok && isLight(color) != tt.light {
			t.Errorf("%q: got %v, %v", tt.answer, color, ok)
		}
	}
}
