package checkpoint

import (
	"strings"
	"unicode"

	"example.com/ckpt/internal/text"
)

var none = text.Regexp(`^(none|no|nothing|nil|n[/.]?a|not applicable|not any|tbd)?( (were|was|noted|noteworthy|notable|yet|so far|recorded|new|pending|outstanding|learnings?|lessons?|learned|here|identified|captured|specific|particular|in particular|really|found|to (note|report|add|record|share)|(at )?this time|for now))*$`)

// noneBecause matches a word such as "None" with a remark: "None - all done."
var noneBecause = text.Regexp(`(?i)^[*_(]*(none|nothing|n/?a)( (noted|yet|so far|recorded|left|to (do|note|report|add|record|share)))*[*_]*(\s+[-–—(]|\s*[:;,.—–])`)

// IsNone reports whether a text only means that there is nothing to list: "None", "None noted.",
// "n/a", "-", "None: a small change", or an empty text. Before deleting the text, call IsBareNone:
// it returns false for a text with a remark.
func IsNone(text string) bool {
	if IsBareNone(text) {
		return true
	}
	return len(text) <= 200 && startsAsNone(text) && noneBecause.Get().MatchString(strings.TrimSpace(text))
}

// IsBareNone reports whether IsNone is true for a text and the text has no remark: it can be deleted without a loss.
func IsBareNone(text string) bool {
	if len(text) > 100 || !startsAsNone(text) {
		return false
	}
	plain := strings.ToLower(strings.Trim(strings.TrimSpace(text), "*_`-–—.!()[] \t\n"))
	return none.Get().MatchString(strings.Join(strings.Fields(plain), " "))
}

// startsAsNone reports whether a text may be a word such as "None". It is a fast check before the
// regular expressions.
func startsAsNone(text string) bool {
	word := strings.TrimLeftFunc(text,
		func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("*_`-–—.!()[]", r) })
	return word == "" || strings.IndexByte("nNtT", word[0]) >= 0
}
