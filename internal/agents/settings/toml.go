package settings

import (
	"bytes"
	"strconv"
	"strings"
)

// tomlValues returns the strings in a TOML file, by [tomlPath]. It reads tables, dotted
// keys and inline tables, in which Codex and people write the settings that ckpt reads;
// it skips anything else.
func tomlValues(src []byte) map[string]string {
	values := map[string]string{}
	var table []string
	inside := "" // the quotes of the string over several lines that we are in
	for line := range bytes.Lines(src) {
		text := strings.TrimSpace(string(line))
		if inside != "" {
			if strings.Contains(text, inside) {
				inside = ""
			}
			continue
		}
		for _, quotes := range []string{`"""`, `'''`} {
			if strings.Count(text, quotes)%2 == 1 {
				inside = quotes
			}
		}
		switch {
		case inside != "" || text == "" || text[0] == '#':
		case strings.HasPrefix(text, "[["):
			table = []string{text} // ckpt reads no values in arrays of tables
		case text[0] == '[':
			table, _ = tomlKey(text[1:], ']')
		default:
			tomlAssign(values, table, text)
		}
	}
	return values
}

// tomlAssign reads `key = "text"` or `key = { key = "text", ... }`.
func tomlAssign(values map[string]string, table []string, text string) {
	key, rest := tomlKey(text, '=')
	full := append(append([]string(nil), table...), key...)
	rest = strings.TrimSpace(rest)
	if inner, ok := strings.CutPrefix(rest, "{"); ok {
		for _, one := range strings.Split(strings.TrimSpace(strings.TrimSuffix(inner, "}")), ",") {
			one = strings.TrimSpace(one)
			if one != "" && !strings.HasPrefix(one, "{") {
				tomlAssign(values, full, one)
			}
		}
		return
	}
	if value, _, ok := tomlString(rest); ok {
		values[tomlPath(full...)] = value
	}
}

// tomlKey parses a key with dots up to the character end, and returns the text after it.
func tomlKey(text string, end byte) (parts []string, rest string) {
	part := ""
	for text != "" {
		if value, after, ok := tomlString(text); ok {
			part, text = part+value, after
			continue
		}
		c := text[0]
		text = text[1:]
		switch c {
		case end:
			return append(parts, part), text
		case '.':
			parts, part = append(parts, part), ""
		case ' ', '\t':
		default:
			part += string(c)
		}
	}
	return append(parts, part), ""
}

// tomlString parses a quoted string at the beginning of a text.
func tomlString(text string) (value, rest string, ok bool) {
	if strings.HasPrefix(text, "'") {
		value, rest, ok = strings.Cut(text[1:], "'")
		return value, rest, ok
	}
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil || quoted[0] != '"' {
		return "", text, false
	}
	value, err = strconv.Unquote(quoted)
	return value, text[len(quoted):], err == nil
}

// tomlPath joins the parts of a key with line breaks, which no part contains.
func tomlPath(parts ...string) string { return strings.Join(parts, "\n") }
