package protocol

import (
	"bytes"
	"encoding/json"
)

// A payload can contain the whole output of a command or the whole content of a file,
// which nobody needs here. So values are located, and decoded only if needed. JSON that
// ends too early is read up to its end.

// members calls yield for each member of the JSON object that src begins with, with the
// undecoded value.
func members(src []byte, yield func(key string, value []byte)) {
	i := blank(src, 0)
	if i == len(src) || src[i] != '{' {
		return
	}
	for {
		i = blank(src, i+1)
		if i == len(src) || src[i] != '"' {
			return
		}
		end := skip(src, i)
		key := text(src[i:end], end-i)
		if i = blank(src, end); i == len(src) || src[i] != ':' {
			return
		}
		if i = blank(src, i+1); i == len(src) {
			return
		}
		end = skip(src, i)
		yield(key, src[i:end])
		if i = blank(src, end); i == len(src) || src[i] != ',' {
			return
		}
	}
}

// blank returns the index of the first byte from i that is not a blank.
func blank(src []byte, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\n' || src[i] == '\t' || src[i] == '\r') {
		i++
	}
	return i
}

// skip returns the index after the value that begins at i.
func skip(src []byte, i int) int {
	depth := 0
	for i < len(src) {
		switch src[i] {
		case '"':
			i = skipString(src, i)
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\n', '\t', '\r':
			i++
			continue
		default: // a number or a word
			for i < len(src) && !bytes.ContainsRune([]byte(",:]}{[\" \n\t\r"), rune(src[i])) {
				i++
			}
		}
		if depth <= 0 {
			return i
		}
	}
	return len(src)
}

// skipString returns the index after the string that begins at i.
func skipString(src []byte, i int) int {
	for i++; ; i++ {
		n := bytes.IndexByte(src[i:], '"')
		if n < 0 {
			return len(src)
		}
		if i += n; !escaped(src, i) {
			return i + 1
		}
	}
}

// escaped reports whether the byte at i has an odd number of backslashes before it.
func escaped(src []byte, i int) bool {
	from := i
	for from > 0 && src[from-1] == '\\' {
		from--
	}
	return (i-from)%2 == 1
}

// text decodes the first most bytes of a JSON string. It returns the empty string for any
// other value.
func text(value []byte, most int) string {
	body, ok := quoted(value)
	if !ok {
		return ""
	}
	if len(body) > most {
		body = body[:most]
	}
	return unquote(body)
}

// tail decodes the last most bytes of a JSON string.
func tail(value []byte, most int) string {
	body, ok := quoted(value)
	if !ok {
		return ""
	}
	if from := len(body) - most; from > 0 {
		if escaped(body, from) {
			from++
		}
		body = body[from:]
	}
	return unquote(body)
}

// quoted returns the text between the quotes of a JSON string. The last quote may be missing.
func quoted(value []byte) ([]byte, bool) {
	if len(value) == 0 || value[0] != '"' {
		return nil, false
	}
	body := value[1:]
	if n := len(body) - 1; n >= 0 && body[n] == '"' && !escaped(body, n) {
		body = body[:n]
	}
	return body, true
}

// unquote decodes the inside of a JSON string, without an incomplete escape at its end.
func unquote(body []byte) string {
	if bytes.IndexByte(body, '\\') < 0 {
		return string(bytes.ToValidUTF8(body, nil))
	}
	body = body[:wholeEscapes(body)]
	var s string
	if json.Unmarshal(append(append([]byte{'"'}, body...), '"'), &s) != nil {
		return ""
	}
	return s
}

// wholeEscapes returns the length of the inside of a string without an incomplete escape
// at its end.
func wholeEscapes(body []byte) int {
	for i := len(body) - 1; i >= max(0, len(body)-5); i-- {
		if body[i] == '\\' && !escaped(body, i) {
			if i == len(body)-1 || body[i+1] == 'u' {
				return i
			}
			break
		}
	}
	return len(body)
}
