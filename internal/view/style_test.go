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
		env  []string
		pipe bool
		want Style
	}{
		{"nobody knows", nil, false, Dark},
		{"pipe", nil, true, Plain},
		{"CKPT_STYLE", []string{"CKPT_STYLE=light"}, false, Light},
		{"CKPT_STYLE in a pipe", []string{"CKPT_STYLE=light"}, true, Plain},
		{"NO_COLOR", []string{"NO_COLOR=1", "CKPT_STYLE=light"}, false, Plain},
		{"dumb terminal", []string{"TERM=dumb"}, false, Plain},
		{"light COLORFGBG", []string{"COLORFGBG=0;15"}, false, Light},
		{"dark COLORFGBG of three", []string{"COLORFGBG=15;default;0"}, false, Dark},
		{"COLORFGBG without numbers", []string{"COLORFGBG=default;default"}, false, Dark},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := term.Streams{Out: term.Screen(&bytes.Buffer{}), Env: tt.env}
			if tt.pipe {
				s.Out = &bytes.Buffer{}
			}
			if got, err := choose(s); got != tt.want || err != nil {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func TestChooseRefusesAnUnknownStyle(t *testing.T) {
	_, err := choose(term.Streams{Out: &bytes.Buffer{}, Env: []string{"CKPT_STYLE=pink"}})
	if fault.KindOf(err) != fault.Usage {
		t.Errorf("got %v", err)
	}
}
