package view

import (
	"slices"
	"strconv"
	"strings"

	"github.com/muesli/termenv"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/term"
)

// Style is a set of colours for one kind of background.
type Style string

// The styles.
const (
	Dark  Style = "dark"
	Light Style = "light"
	Plain Style = "plain" // text without colours and weights
)

// choose returns Plain if colours are not permitted, else the value of CKPT_STYLE, else the style for the
// background, which COLORFGBG or the terminal itself reports. If neither does, the style is Dark.
func choose(s term.Streams) (Style, error) {
	wanted := Style(s.Getenv("CKPT_STYLE"))
	switch {
	case !slices.Contains([]Style{"", "auto", Dark, Light, Plain}, wanted):
		return "", fault.New(fault.Usage, "CKPT_STYLE is %q; it must be auto, dark, light or plain", wanted)
	case !s.Color():
		return Plain, nil
	case wanted != "" && wanted != "auto":
		return wanted, nil
	}
	if style, ok := styleOfColorFGBG(s.Getenv("COLORFGBG")); ok {
		return style, nil
	}
	if hasLightBackground(s.Out) {
		return Light, nil
	}
	return Dark, nil
}

// styleOfColorFGBG parses rxvt's "foreground;background", with colours from 0 to 15.
func styleOfColorFGBG(value string) (Style, bool) {
	i := strings.LastIndexByte(value, ';')
	background, err := strconv.Atoi(value[i+1:])
	switch {
	case i < 0 || err != nil || background < 0 || background > 15:
		return "", false
	case background == 7 || background > 8:
		return Light, true
	}
	return Dark, true
}

// colors returns the colours of the terminal that the environment describes, even if the output is a
// pipe. If it describes none, colors returns the 256 colours that a pager most likely supports.
func colors(s term.Streams) termenv.Profile {
	out := termenv.NewOutput(s.Out, termenv.WithTTY(true), termenv.WithEnvironment(environ(s.Env)))
	if profile := out.ColorProfile(); profile != termenv.Ascii {
		return profile
	}
	return termenv.ANSI256
}

// environ is an environment for termenv.
type environ []string

func (e environ) Environ() []string         { return e }
func (e environ) Getenv(name string) string { return term.Streams{Env: e}.Getenv(name) }
