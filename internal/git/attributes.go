package git

import (
	"bytes"
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/change"
	"example.com/ckpt/internal/disk"
	"example.com/ckpt/internal/git/object"
)

// attributes determines the blobs that git stores for files. Git stores the bytes of a file unchanged unless
// core.autocrlf or an attribute converts them: line ends, keywords, filters such as LFS. The few files with attributes
// show whether a conversion is possible. Usually none is; otherwise `git hash-object` computes the blob. A value of
// this type keeps what it has read, so it serves one operation only.
type attributes struct {
	repo  *Repo
	rules map[string]rules // rules by folder
}

// rules tells what the attribute files of a folder mention: attributes that may convert any content, line ends, or
// keywords.
type rules struct{ any, lineEnds, keywords bool }

// BlobsOf returns the blobs of the new contents of files, by path, and adds them to b. If git has to convert a file,
// git stores its blob instead.
func (o Objects) BlobsOf(ctx context.Context, b *object.Batch, files []change.File) (map[string]string, error) {
	a := attributes{repo: o.repo}
	blobs := map[string]string{}
	for _, f := range files {
		if f.Gone() {
			continue
		}
		var err error
		blobs[f.Path], err = a.blob(ctx, b, f.Path, f.After)
		if err != nil {
			return nil, err
		}
	}
	return blobs, nil
}

// BlobOf returns the name of the blob that git would make of a file at p (from the root) with this content.
func (o Objects) BlobOf(ctx context.Context, p string, content []byte) (string, error) {
	return (&attributes{repo: o.repo}).blob(ctx, nil, p, content)
}

// blob returns the name of the blob that git would store for a file at p (from the root) with this
// content. If b is not nil, the blob is added to b, or stored by git if git converts the content.
func (a *attributes) blob(ctx context.Context, b *object.Batch, p string, content []byte) (string, error) {
	converted, err := a.converts(ctx, p, content)
	switch {
	case err != nil:
		return "", err
	case !converted && b == nil:
		return a.repo.Objects().BlobHash(content), nil
	case !converted:
		return b.Add(object.Blob, content), nil
	}
	args := []string{"hash-object", "--stdin", "--path", p}
	if b != nil {
		args = append(args, "-w")
	}
	out, err := a.repo.Git(ctx, content, args...)
	return strings.TrimSpace(string(out)), err
}

// converts reports whether git might store other bytes than content. It may
// return true although git would not, but never false if git would.
func (a *attributes) converts(ctx context.Context, p string, content []byte) (bool, error) {
	hasCR, hasKeyword := bytes.IndexByte(content, '\r') >= 0, bytes.Contains(content, []byte("$Id"))
	if hasCR {
		auto, err := a.repo.Config().Setting(ctx, "core.autocrlf", "false")
		if err != nil || IsTrue(auto) || strings.EqualFold(auto, "input") {
			return true, err
		}
	}
	r, err := a.rulesFor(ctx, p)
	return r.any || hasCR && r.lineEnds || hasKeyword && r.keywords, err
}

// rulesFor returns the rules that may apply to the files in the folder of p.
func (a *attributes) rulesFor(ctx context.Context, p string) (r rules, err error) {
	dir := path.Dir(p)
	if r, known := a.rules[dir]; known {
		return r, nil
	}
	files, err := a.repo.Objects().attributeFiles(ctx, p)
	if err != nil {
		return r, err
	}
	for _, file := range files {
		text, err := disk.Bytes(file)
		if err != nil {
			continue // the file is missing, or git cannot read it either
		}
		has := func(word string) bool { return bytes.Contains(text, []byte(word)) }
		r.any = r.any || has("filter") || has("working-tree-encoding") || has("[attr]")
		r.lineEnds = r.lineEnds || has("text") || has("eol") || has("crlf")
		r.keywords = r.keywords || has("ident")
	}
	if a.rules == nil {
		a.rules = map[string]rules{}
	}
	a.rules[dir] = r
	return r, nil
}

// attributeFiles returns every file that may set attributes of p.
func (o Objects) attributeFiles(ctx context.Context, p string) ([]string, error) {
	files := []string{filepath.Join(o.repo.commonDir, "info", "attributes")}
	for dir := path.Dir(p); ; dir = path.Dir(dir) {
		files = append(files, o.repo.PathOf(dir+"/.gitattributes"))
		if dir == "." || dir == "/" {
			break
		}
	}
	if os.Getenv("GIT_ATTR_NOSYSTEM") == "" {
		files = append(files, "/etc/gitattributes", "/usr/local/etc/gitattributes", "/opt/homebrew/etc/gitattributes")
	}
	user, ok, err := o.repo.Config().Get(ctx, "core.attributesfile")
	if !ok {
		user = filepath.Join(UserConfigDir(), "attributes")
	}
	return append(files, fromHome(o.repo.root, user)), err
}
