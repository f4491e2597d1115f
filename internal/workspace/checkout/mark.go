package checkout

import (
	"bytes"
	"context"
	"strings"

	"example.com/ckpt/internal/checkpoint"
	"example.com/ckpt/internal/git"
	"example.com/ckpt/internal/workspace/store"
)

// Same reports whether the content of a file on disk (nil for no file) is that of a blob ("" for
// no file), apart from the mark of the current checkpoint.
func Same(repo *git.Repo, rel string, src []byte, blob string) (bool, error) {
	if src == nil || blob == "" {
		return src == nil && blob == "", nil
	}
	if repo.Objects().BlobHash(src) == blob {
		return true, nil
	}
	shown := marked(rel, src)
	if shown == nil {
		return false, nil
	}
	if repo.Objects().BlobHash(withStatus(shown, checkpoint.Active)) == blob {
		return true, nil
	}
	committed, err := repo.Objects().Blob(blob) // a file without a status is an active checkpoint, too
	return err == nil && sameButMark(rel, src, committed), err
}

// sameButMark reports whether two versions of a file are the same, apart from the mark of the current checkpoint.
func sameButMark(rel string, shown, shared []byte) bool {
	if shown == nil || shared == nil {
		return shown == nil && shared == nil
	}
	c := marked(rel, shown)
	if c == nil {
		return bytes.Equal(shown, shared)
	}
	return bytes.Equal(withStatus(c, checkpoint.Active), shared) || bytes.Equal(Shown(rel, shared, c.ID), shown)
}

// Stored returns the content of a file with the line endings that git stores. The path is from the root.
func Stored(repo *git.Repo, at string, src []byte) ([]byte, error) {
	if !bytes.Contains(src, []byte("\r\n")) {
		return src, nil
	}
	hash, err := repo.Objects().BlobOf(context.Background(), at, src)
	stored := bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	if err != nil || hash != repo.Objects().BlobHash(stored) {
		return src, err
	}
	return stored, nil
}

// withCR returns content with CRLF line ends, as git checks it out.
func withCR(src []byte) []byte {
	if src == nil || bytes.Contains(src, []byte("\r\n")) {
		return src
	}
	return bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))
}

// Shared returns the content of a file as the ref has it: with the status active in place of current.
func Shared(rel string, src []byte) []byte {
	c := marked(rel, src)
	if c == nil {
		return src
	}
	return withStatus(c, checkpoint.Active)
}

// Shown returns the content of a file of the ref as it is in a worktree whose current checkpoint is id.
func Shown(rel string, src []byte, id string) []byte {
	if id == "" || !strings.HasPrefix(rel, store.Active+"/") {
		return src
	}
	if !bytes.Contains(src, []byte(id)) {
		return src // another checkpoint, which need not be parsed
	}
	c, err := checkpoint.Parse(rel, src)
	if err != nil || c.ID != id {
		return src
	}
	return withStatus(c, checkpoint.Current)
}

// withStatus returns the content of a checkpoint with another status, in the same quotes and with the same capital.
// A file without a status is an active one, and stays as it is.
func withStatus(c *checkpoint.Checkpoint, status checkpoint.Status) []byte {
	was, has := c.Doc.Front.Get("status")
	if strings.EqualFold(was, string(status)) || !has && status == checkpoint.Active {
		return c.Doc.Bytes()
	}
	// Edit the field alone: package revise would also parse the body, four times for each file of an operation.
	word := string(status)
	if was != "" && was[0] < 'a' {
		word = strings.ToUpper(word[:1]) + word[1:]
	}
	edit := c.Doc.SetField("status", word, checkpoint.FieldsBefore("status")...)
	if raw := c.Doc.Slice(edit.Span); was != "" && strings.Contains(raw, was) {
		edit.Text = strings.Replace(raw, was, word, 1)
	}
	set, err := c.Doc.Apply(edit)
	if err != nil {
		return c.Doc.Bytes()
	}
	return set.Bytes()
}

// marked returns the checkpoint in a file if the file marks it as current, otherwise nil.
func marked(rel string, src []byte) *checkpoint.Checkpoint {
	if !strings.HasPrefix(rel, store.Active+"/") || !bytes.Contains(bytes.ToLower(src), []byte("current")) {
		return nil
	}
	c, err := checkpoint.Parse(rel, src)
	if err != nil || !c.MarkedCurrent() {
		return nil
	}
	return c
}

// MarkedID returns the id of the checkpoint in a file if the file marks it as current, otherwise "".
func MarkedID(rel string, src []byte) string {
	if c := marked(rel, src); c != nil {
		return c.ID
	}
	return ""
}
