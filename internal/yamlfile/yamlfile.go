// Package yamlfile puts the errors of yaml.v3 into words for the person who wrote a file.
package yamlfile

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"example.com/ckpt/internal/text"
)

// Recover turns a panic of yaml.v3 into an error. Callers defer it. A merge key beside a key that is a list
// causes such a panic.
func Recover(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%v", r)
	}
}

var (
	wrongKind  = text.Regexp(`^line (\d+): cannot unmarshal !!(\w+) .*into .*$`)
	unknownKey = text.Regexp(`^line (\d+): field (.*) not found in type .*$`)
)

// kinds returns the kinds of values in plain words.
func kinds() map[string]string {
	return map[string]string{
		"seq": "a list", "map": "a list of keys", "str": "a text",
		"int": "a number", "float": "a number", "bool": "a yes or no",
	}
}

// InWords returns the message of an error: "line 3: a list has no place there".
func InWords(err error) string {
	types, ok := errors.AsType[*yaml.TypeError](err)
	if !ok {
		return strings.TrimPrefix(err.Error(), "yaml: ")
	}
	first := types.Errors[0]
	if found := unknownKey.Get().FindStringSubmatch(first); found != nil {
		return fmt.Sprintf("line %s: unknown key %q", found[1], found[2])
	}
	if found := wrongKind.Get().FindStringSubmatch(first); found != nil {
		return fmt.Sprintf("line %s: %s has no place there", found[1], cmp.Or(kinds()[found[2]], "such a value"))
	}
	return first
}
