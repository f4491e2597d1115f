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
