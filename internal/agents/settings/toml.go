package settings

import (
	"bytes"
	"errors"

	"github.com/pelletier/go-toml/v2"

	"example.com/ckpt/internal/fault"
)

// tomlTable is the table of the server in Codex's config.toml.
const tomlTable = "[mcp_servers." + serverName + "]"

// newTOMLServer returns ckpt's server as a block at the end of a TOML file. The two marker lines are
// necessary because a TOML table extends to the next table.
func newTOMLServer() block {
	b := newLines(tomlTable + "\ncommand = \"ckpt\"\nargs = [\"mcp\"]")
	b.remark = ownServer
	b.foreign = func(src []byte) (bool, error) {
		var values map[string]any
		err := toml.Unmarshal(bytes.TrimPrefix(src, bom), &values)
		if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, _ := wrong.Position()
			return false, fault.New(fault.Invalid, "line %d: %w", line, err)
		}
		return tableAt(values, "mcp_servers", serverName) != nil, err
	}
	return b
}
