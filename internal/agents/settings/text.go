package settings

import (
	_ "embed"
	"strings"
)

//go:embed text/block.md
var blockText string

//go:embed text/skill.md
var skillText string

//go:embed text/handoff.md
var handoffText string

//go:embed text/opencode.js
var openCodeText string

// inFolder is a text as it is for a checkpoints folder, with its seal.
func inFolder(text, folder string) string {
	return sealed(strings.ReplaceAll(text, "%FOLDER%", folder))
}

// instructions are the block for a file that agents read. Claude Code alone reads a
// file that is named with an @.
func instructions(folder string, imports bool) string {
	text := blockText
	if imports {
		text += "\nLessons of earlier work: @%FOLDER%/LEARNINGS.md\n"
	}
	return inFolder(text+blockEnd, folder)
}
