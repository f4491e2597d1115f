package term

// Style puts text in colour where On says so; the zero value leaves it as it is.
// It adds escape sequences and removes none: text from a file goes through
// [Plain] first.
type Style struct{ On bool }

// Bold is for the one word that a reader looks for.
func (s Style) Bold(text string) string { return s.sgr("1", text, "22") }

// Dim is for what a reader may skip.
func (s Style) Dim(text string) string { return s.sgr("2", text, "22") }

// Red is for what is wrong or lost.
func (s Style) Red(text string) string { return s.sgr("31", text, "39") }

// Yellow is for what needs a look.
func (s Style) Yellow(text string) string { return s.sgr("33", text, "39") }

// Green is for what is well or new.
func (s Style) Green(text string) string { return s.sgr("32", text, "39") }

// sgr ends each attribute by its own code, not by a reset, so styles nest.
func (s Style) sgr(begin, text, end string) string {
	if !s.On || text == "" {
		return text
	}
	return "\x1b[" + begin + "m" + text + "\x1b[" + end + "m"
}
