package settings

import (
	"bytes"
	"errors"

	"github.com/pelletier/go-toml/v2"

	"example.com/ckpt/internal/fault"
)

// tomlTable is the table of the server in Codex's config.toml.
const tomlTable = "[mcp_servers." + serverName + "]"

// newTOMLServer returns the server as a block at the end of a TOML file. The two comments around it
// are necessary because a table extends to the next table.
func newTOMLServer() block {
	b := newLines(tomlTable + "\ncommand = \"ckpt\"\nargs = [\"mcp\"]")
	b.remark = ownServer
	b.foreign = func(src []byte) (bool, error) {
		values, err := decodeTOML(src)
		return tableAt(values, "mcp_servers", serverName) != nil, err
	}
	return b
}

// decodeTOML returns the values of a TOML file.
func decodeTOML(src []byte) (values map[string]any, err error) {
	err = toml.Unmarshal(bytes.TrimPrefix(src, bom), &values)
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ := wrong.Position()
		return nil, fault.New(fault.Invalid, "line %d: %w", line, err)
	}
	return values, err
}
