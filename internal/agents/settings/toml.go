package settings

import (
	"bytes"
	"errors"

	"github.com/pelletier/go-toml/v2"

	"example.com/ckpt/internal/fault"
)

// parseTOML parses a TOML file.
func parseTOML(src []byte) (map[string]any, error) {
	values := map[string]any{}
	err := toml.Unmarshal(bytes.TrimPrefix(src, bom), &values)
	wrong, ok := errors.AsType[*toml.DecodeError](err)
	if ok {
		line, _ := wrong.Position()
		return nil, &Broken{Line: line, Err: fault.New(fault.Invalid, "%w", err)}
	}
	if err != nil {
		return nil, fault.New(fault.Invalid, "invalid TOML: %w", err)
	}
	return values, nil
}

// tableAt returns the table at the path keys, and nil if there is none.
func tableAt(values map[string]any, keys ...string) map[string]any {
	for _, key := range keys {
		values, _ = values[key].(map[string]any)
	}
	return values
}

// textAt returns the string at the path keys, and the empty string if there is none.
func textAt(values map[string]any, keys ...string) string {
	last := len(keys) - 1
	text, _ := tableAt(values, keys[:last]...)[keys[last]].(string)
	return text
}
