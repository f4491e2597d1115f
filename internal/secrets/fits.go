package secrets

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode"

	"example.com/ckpt/internal/text"
)

// placeholder matches a placeholder for a secret in documentation and code: a variable, a
// template, a name in brackets, or a word such as "example" or "none".
var placeholder = text.Regexp(`(?i)^[$%{<\[(]|\$\{|\$\(|\{\{|\}\}|^[*.•x#_-]+$|\*{3}|\.{3}|…|x{4}|<[^>]*>|` +
	`example|placeholder|change[-_]?me|change[-_]?it|redacted|dummy|sample|your|insert|replace|removed|hidden|masked|^(?:todo|tbd|fixme)|` +
	`foobar|not[-_]?a|fake|undefined|unknown|none$|null$|^true|^false|os\.environ|process\.env|getenv|env\(|env\[|config[.(\[]|settings\.|vault:|^arn:|^file:|^sha\d|^env:|^@`)

// weak matches common user names and default passwords.
var weak = text.Regexp(`(?i)^(?:(?:post)?gres(?:ql)?|root|admin(?:istrator)?|guest|test(?:ing|er)?\d{0,4}|user(?:name)?\d{0,3}|pass|pw|pwd|mysql|redis|rabbitmq|mongo|docker|local(?:host)?|dev(?:el)?|demo|default|toor|minio(?:admin)?|token|key|apikey|api[-_]key|login|empty|optional|required|string|value)$`)

// wordy matches a word for a password, as in "my-secret".
var wordy = text.Regexp(`(?i)passw(?:or)?d?|passphrase|p[a@]ssw[o0]rd|secret`)

// beside matches the rest of a password that contains such a word: letters and digits, "hunter2" of "hunter2secret".
var beside = text.Regexp(`^(?:[A-Za-z]+[0-9]+|[0-9]+[A-Za-z]+)[A-Za-z0-9]*$`)

func isPlaceholder(v string) bool {
	if placeholder.Get().MatchString(v) || weak.Get().MatchString(v) {
		return true
	}
	rest := wordy.Get().ReplaceAllString(v, "")
	return rest != v && (kinds(v) < 3 || len(v) < 9) && !beside.Get().MatchString(rest)
}

// classesOf counts the characters of each kind in a value.
func classesOf(v string) (lower, upper, digit, special int) {
	for _, c := range v {
		switch {
		case unicode.IsLower(c):
			lower++
		case unicode.IsUpper(c):
			upper++
		case unicode.IsDigit(c):
			digit++
		case strings.ContainsRune("!@#$%^&*+=?~", c):
			special++
		}
	}
	return lower, upper, digit, special
}

func kinds(v string) (n int) {
	lower, upper, digit, special := classesOf(v)
	return min(lower, 1) + min(upper, 1) + min(digit, 1) + min(special, 1)
}

// turns counts how often a value changes from letters to digits or back.
func turns(v string) (n int) {
	for i := 1; i < len(v); i++ {
		toDigit := isLetter(v[i-1]) && isDigit(v[i])
		toLetter := isDigit(v[i-1]) && isLetter(v[i])
		if toDigit || toLetter {
			n++
		}
	}
	return n
}

// random reports whether a value is too irregular for words: it changes often between letters and
// digits, or between upper and lower case.
func random(v string) bool {
	flips := 0
	for i := 1; i < len(v); i++ {
		if classOf(v[i]) != classOf(v[i-1]) {
			flips++
		}
	}
	return turns(v) > 2 || flips*3 > len(v)
}

func classOf(c byte) int {
	switch {
	case isDigit(c):
		return 1
	case 'A' <= c && c <= 'Z':
		return 2
	}
	return 0
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isKey reports whether a value is irregular, as a key is, and not a placeholder.
func isKey(groups []string) bool {
	v := groups[1]
	return (turns(v) > 1 || random(v)) && !placeholder.Get().MatchString(v)
}

// isToken reports whether a value is random, and neither a placeholder nor code.
func isToken(groups []string) bool {
	v := groups[1]
	return !isPlaceholder(v) && random(v) && entropy(v) > 3.2 && !code.Get().MatchString(v)
}

// isParameter reports whether the value of a URL parameter is a token or, if it is short, a password.
func isParameter(groups []string) bool {
	if len(groups[1]) < 16 {
		return isPassword(groups)
	}
	return isToken(groups)
}

// isFrameworkKey reports whether the secret key of a web framework is random, and not a placeholder.
// Such a key may have any characters.
func isFrameworkKey(groups []string) bool {
	v := groups[1] + groups[2]
	_, _, _, special := classesOf(v)
	words := strings.NewReplacer("$", "", "%", "", "(", "", "*", "", "@", "").Replace(v)
	return (random(v) || special > 4) && entropy(v) > 3.5 && !placeholder.Get().MatchString(words)
}

// isPassword reports whether a value where a password is expected is neither a placeholder nor a
// plain word.
func isPassword(groups []string) bool {
	v := strings.TrimRight(groups[1], ".,;:)")
	lower, upper, digit, special := classesOf(v)
	plain := digit+special == 0 && (upper == 0 || lower == 0 || upper == 1 && unicode.IsUpper(rune(v[0])))
	if len(v) < 5 || isPlaceholder(v) || strings.IndexByte("-/", v[0]) >= 0 {
		return false
	}
	return lower+upper+special > 0 && (!plain || len(v) >= 16 && entropy(v) > 3.3)
}

// isURLPassword reports whether the password in a URL is neither public nor a placeholder.
func isURLPassword(groups []string) bool {
	user, v, host := groups[1], groups[2], groups[3]
	number := strings.Trim(v, "0123456789") == ""
	public := v == user || number && len(v) < 8
	if public || strings.HasPrefix(host, "sha256") || strings.ContainsAny(user, "{}$") {
		return false
	}
	begins := func(name string) bool { return strings.HasPrefix(host, name) }
	local := slices.ContainsFunc([]string{"localhost", "127.0.0.1", "example."}, begins) ||
		strings.Contains(host, ".example.")
	if weak := local && kinds(v) < 3 && len(v) < 12; weak || len(v) < 5 {
		return false
	}
	return number || isPassword(groups[1:]) || !isPlaceholder(v) && len(v) >= 10 && entropy(v) > 3
}

// isBasic reports whether a value is the base64 of a name and a password.
func isBasic(groups []string) bool {
	text, ok := decoded(groups[1])
	_, v, pair := strings.Cut(text, ":")
	if !ok || !pair || strings.HasPrefix(text, "Aladdin:") { // skip the example of the HTTP standard
		return false
	}
	isWord := placeholder.Get().MatchString(v) || weak.Get().MatchString(wordy.Get().ReplaceAllString(v, "pass"))
	return len(v) > 4 && !isWord
}

// isEncoded reports whether a value is the base64 of a text that may be secret.
func isEncoded(groups []string) bool {
	text, ok := decoded(groups[1])
	public := strings.Contains(text, "CERTIFICATE") || strings.Contains(text, "PUBLIC KEY")
	return ok && !public && !placeholder.Get().MatchString(text)
}

// decoded decodes base64. The boolean is false if v is not base64 or the result is not printable ASCII.
func decoded(v string) (string, bool) {
	v = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(v, "="))
	v = v[:len(v)/4*4+[]int{0, 0, 2, 3}[len(v)%4]]
	src, err := base64.RawStdEncoding.DecodeString(v)
	if err != nil {
		return "", false
	}
	for _, c := range src {
		if (c < ' ' || c > '~') && !strings.ContainsRune("\n\r\t", rune(c)) {
			return "", false
		}
	}
	return string(src), true
}

// code matches a path, an address, a call or the name of a file.
var code = text.Regexp(`(?i)\w\(|^[\w.-]+/[\w./-]+$|^https?:|` +
	`\.(?:go|md|py|js|ts|ya?ml|json|env|txt|pem|rs|java|sh|sql|html|toml)\b`)

// technical matches names and numbers in texts about passwords: algorithms, dates, versions.
var technical = text.Regexp(`(?i)(?:sha|md)-?\d|base-?\d\d|argon|bcrypt|scrypt|pbkdf|hmac|` +
	`aes-?\d|rsa-?\d|ed25519|utf-?\d|oauth|x509|^v?\d+[.-]\d+[.-]\d|^ed-|^ssh-`)

// isAssigned reports whether a value that is assigned to a password variable is a password, and not code.
func isAssigned(groups []string) bool {
	v := strings.TrimRight(groups[1], ".,:*")
	_, _, digit, special := classesOf(v)
	plain := len(v) < 7 || digit+special == 0
	if plain || isPlaceholder(v) || isCode(v) {
		return false
	}
	mixed := digit > 0 && turns(v) > 1 && len(v) >= 9
	return mixed || kinds(v) >= 3 || special > 0 && kinds(v) >= 2
}

// isCode reports whether a value is code, or a technical name.
func isCode(v string) bool {
	return technical.Get().MatchString(v) || code.Get().MatchString(v) || strings.Contains(v, "()")
}

// isProsePassword reports whether a value in a sentence is a password. Unlike isAssigned it also
// accepts a short word with one number.
func isProsePassword(groups []string) bool {
	v := strings.TrimRight(groups[1], ".,:*")
	_, _, digit, special := classesOf(v)
	word := digit > 0 && turns(v) == 1 && special == 0
	short := len(v) >= 7 && len(v) < 9
	return isAssigned(groups) || word && short && !isCode(v) && isPassword(groups)
}
