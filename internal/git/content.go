package git

import (
	"bytes"
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/disk"
)

// Git stores a file's bytes as they are, unless attributes or core.autocrlf say
// otherwise: line ends, keywords, filters such as LFS. Nearly always nothing
// applies, and a few stats show it; else `git hash-object` does the work.

// namer names the blobs that git makes of files. What says how they are converted
// is read once: it is made for one operation.
type namer struct {
	repo  *Repo
	batch *batch // where new blobs are stored; nil: they are only named

	rules map[string]rules // by folder
}

// rules is which attributes the files that may give them to a folder's files speak of.
type rules struct{ any, lineEnds, crlf, keywords bool }

// file is blob of a file as it is to be.
func (n *namer) file(ctx context.Context, f change.File) (plumbing.Hash, error) {
	return n.blob(ctx, f.Path, f.After)
}

// blob is the name of the blob that git would make of a file at p (from the root)
// with this content.
func (n *namer) blob(ctx context.Context, p string, content []byte) (plumbing.Hash, error) {
	converted, err := n.converts(ctx, p, content)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if !converted {
		if n.batch == nil {
			return plumbing.ComputeHash(plumbing.BlobObject, content), nil
		}
		return n.batch.add(plumbing.BlobObject, content), nil
	}
	args := []string{"hash-object", "--stdin", "--path", p}
	if n.batch != nil {
		args = append(args, "-w")
	}
	out, err := n.repo.git(ctx, content, args...)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return parseHash(strings.TrimSpace(string(out)))
}

// converts says whether git could store other bytes than content. It may say
// yes in vain, never no.
func (n *namer) converts(ctx context.Context, p string, content []byte) (bool, error) {
	hasCR, hasKeyword := bytes.IndexByte(content, '\r') >= 0, bytes.Contains(content, []byte("$Id"))
	if hasCR {
		auto, err := n.repo.setting(ctx, "core.autocrlf", "false")
		if err != nil || truth(auto) || strings.EqualFold(auto, "input") {
			return true, err
		}
	}
	r, err := n.rulesFor(ctx, p)
	return r.any || hasCR && r.lineEnds || hasKeyword && r.keywords, err
}

// rulesFor is what applies to the files beside p.
func (n *namer) rulesFor(ctx context.Context, p string) (r rules, err error) {
	dir := path.Dir(p)
	if r, known := n.rules[dir]; known {
		return r, nil
	}
	files, err := n.repo.attributeFiles(ctx, p)
	if err != nil {
		return r, err
	}
	for _, file := range files {
		text, err := disk.Bytes(file)
		if err != nil {
			continue // not there, and what git cannot read it does not apply
		}
		has := func(word string) bool { return bytes.Contains(text, []byte(word)) }
		r.any = r.any || has("filter") || has("working-tree-encoding") || has("[attr]")
		r.lineEnds = r.lineEnds || has("text") || has("eol") || has("crlf")
		r.crlf = r.crlf || has("eol=crlf")
		r.keywords = r.keywords || has("ident")
	}
	if n.rules == nil {
		n.rules = map[string]rules{}
	}
	n.rules[dir] = r
	return r, nil
}

// attributeFiles is every file that may give attributes to p.
func (r *Repo) attributeFiles(ctx context.Context, p string) ([]string, error) {
	files := []string{filepath.Join(r.commonDir, "info", "attributes")}
	for dir := path.Dir(p); ; dir = path.Dir(dir) {
		files = append(files, filepath.Join(r.root, filepath.FromSlash(dir), ".gitattributes"))
		if dir == "." || dir == "/" {
			break
		}
	}
	if os.Getenv("GIT_ATTR_NOSYSTEM") == "" {
		files = append(files, "/etc/gitattributes", "/usr/local/etc/gitattributes", "/opt/homebrew/etc/gitattributes")
	}
	user, ok, err := r.Config(ctx, "core.attributesfile")
	if !ok {
		user = filepath.Join(userConfigDir(), "attributes")
	}
	return append(files, fromHome(r.root, user)), err
}
