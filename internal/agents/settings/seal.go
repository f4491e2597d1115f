package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// A text that ckpt writes into a file for people carries a seal: who made it, and a
// short hash of the rest. While the hash is right nobody has edited the text, whatever
// version wrote it, and it may be replaced or removed. Otherwise it is somebody's own.
const (
	sealBefore = "made by ckpt setup ("
	sealAfter  = "); ckpt unsetup removes it"
)

// sealed is a text with its seal in place of %SEAL%.
func sealed(text string) string {
	return strings.Replace(text, "%SEAL%", sealBefore+hash(text)+sealAfter, 1)
}

// intact says whether a text, with line ends as git may have made them, is as its
// seal says.
func intact(text string) bool {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	before, rest, ok := strings.Cut(text, sealBefore)
	if !ok {
		return false
	}
	sum, after, ok := strings.Cut(rest, sealAfter)
	return ok && hash(before+"%SEAL%"+after) == sum
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(text)))
	return hex.EncodeToString(sum[:4])
}
