package checkpoint

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"example.com/ckpt/internal/fault"
)

// CheckID returns an error if id is not a valid id as docs/spec defines it. The id of a new
// checkpoint must pass CheckNewID, too.
func CheckID(id string) error {
	lower := strings.ToLower(id)
	switch {
	case id == "":
		return fmt.Errorf("an id cannot be empty")
	case len(id) > 100 || !isAlphanumeric(id[0]) || strings.ContainsFunc(id, func(r rune) bool { return !plainRune(r) }):
		return fmt.Errorf("%q is not a valid id: letters, digits, dots, dashes and underscores, at most 100, "+
			"the first a letter or digit", id)
	case strings.Contains(id, ".."), strings.HasSuffix(lower, ".md"), strings.HasSuffix(lower, ".lock"):
		return fmt.Errorf("%q is not a valid id: it must not contain \"..\" or end in .md or .lock", id)
	case lower == "index":
		return fmt.Errorf("%q is not a valid id: INDEX.md is not a checkpoint", id)
	}
	return nil
}

// CheckNewID returns an error if a new checkpoint cannot have the id. Beyond CheckID it refuses the
// names that Windows reserves for devices, since such a file cannot be checked out there. Existing
// files with such an id are read.
func CheckNewID(id string) error {
	if err := CheckID(id); err != nil {
		return err
	}
	if name := Reserved(id); name != "" {
		return fmt.Errorf("%q is not a valid id: Windows reserves the name %s", id, name)
	}
	return nil
}

// Reserved returns the device that Windows opens in place of the given file ("CON"), or "". The
// extension does not matter.
func Reserved(file string) string {
	name, _, _ := strings.Cut(strings.ToLower(file), ".")
	port, numbered := strings.CutPrefix(name, "com")
	if !numbered {
		port, numbered = strings.CutPrefix(name, "lpt")
	}
	numbered = numbered && len(port) == 1 && '1' <= port[0] && port[0] <= '9'
	if numbered || slices.Contains([]string{"con", "prn", "aux", "nul"}, name) {
		return strings.ToUpper(name)
	}
	return ""
}

// IDFor returns the id for a name: chk-auth for `auth`, chk-fix-the-login for "Fix the
// login".
func IDFor(name string) (string, error) {
	if strings.ContainsAny(name, `/\`) || strings.Contains(name, "..") {
		return "", fault.New(fault.Usage, "%q is a path, not a name", name).WithHint("ckpt new NAME, or ckpt new --id ID")
	}
	if i := strings.IndexFunc(name, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }); i >= 0 {
		r, _ := utf8.DecodeRuneInString(name[i:])
		return "", fault.New(fault.Usage, "%q contains %q, which an id cannot contain", name, r).
			WithHint("ckpt new --id ID, in plain letters")
	}
	id := name
	if strings.ContainsFunc(name, func(r rune) bool { return !plainRune(r) }) {
		id = strings.ToLower(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return !plainRune(r) }), "-"))
	}
	id = "chk-" + strings.Trim(strings.TrimPrefix(strings.Trim(id, "-._")+"-", "chk-"), "-._")
	if id == "chk-" {
		return "", fault.New(fault.Usage, "%q has no letter or digit for an id", name).WithHint("ckpt new --id ID")
	}
	if err := CheckNewID(id); err != nil {
		return "", fault.New(fault.Usage, "%w", err).WithHint("ckpt new --id ID")
	}
	return id, nil
}

func plainRune(r rune) bool {
	return r < utf8.RuneSelf && isAlphanumeric(byte(r)) || r == '.' || r == '_' || r == '-'
}

func isAlphanumeric(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }
