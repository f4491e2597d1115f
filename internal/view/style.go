package view

import (
	"strconv"
	"strings"

	"github.com/muesli/termenv"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/term"
)

// Style is a set of colours for one kind of background.
type Style string

// The styles. Auto selects one of the others.
const (
	Auto  Style = "auto"
	Dark  Style = "dark"
	Light Style = "light"
	Plain Style = "plain" // text without colours and weights
)

// ParseStyle parses the name of a style; an empty one is Auto. What names the source of the value
// in an error, such as "--style".
func ParseStyle(what, typed string) (Style, error) {
	s := Style(typed)
	switch s {
	case "":
		return Auto, nil
	case Auto, Dark, Light, Plain:
		return s, nil
	}
	return "", fault.New(fault.Usage, "%s is %q; it must be auto, dark, light or plain", what, typed)
}

// choose replaces Auto: by Plain if colours are not permitted, else by the value of CKPT_STYLE,
// else by the style for the background, which COLORFGBG or the terminal itself reports. If neither
// does, the style is Dark.
func choose(style Style, s term.Streams) (Style, error) {
	if style != Auto {
		return style, nil
	}
	wanted, err := ParseStyle("CKPT_STYLE", s.Getenv("CKPT_STYLE"))
	switch {
	case err != nil:
		return "", err
	case !s.Color():
		return Plain, nil
	case wanted != Auto:
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
