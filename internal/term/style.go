package term

// Style colours text if On is set; the zero value returns it unchanged. It adds escape
// sequences and removes none: text from a file goes through [Plain] first.
type Style struct{ On bool }

// Bold emphasizes the one word that a reader looks for.
func (s Style) Bold(text string) string { return s.sgr("1", text, "22") }

// Dim marks text that a reader may skip.
func (s Style) Dim(text string) string { return s.sgr("2", text, "22") }

// Red marks what is wrong or lost.
func (s Style) Red(text string) string { return s.sgr("31", text, "39") }

// Yellow marks what needs attention.
func (s Style) Yellow(text string) string { return s.sgr("33", text, "39") }

// Green marks what is correct or new.
func (s Style) Green(text string) string { return s.sgr("32", text, "39") }

// sgr ends each attribute with its own code and not with a reset, so that styles can be nested.
func (s Style) sgr(begin, text, end string) string {
	if !s.On || text == "" {
		return text
	}
	return "\x1b[" + begin + "m" + text + "\x1b[" + end + "m"
}
