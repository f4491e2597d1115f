package git

import (
	"bytes"
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/disk"
)

// Git stores a file's bytes as they are, unless attributes or core.autocrlf say
// otherwise: line ends, keywords, filters such as LFS. Nearly always nothing
// applies, and a few stats show it; else `git hash-object` does the work.

// hashContent is the name of the blob that git would make of a file at p (from
// the root) with this content; with a batch the blob is stored, too.
func (r *Repo) hashContent(ctx context.Context, p string, content []byte, b *batch) (hash, error) {
	converted, err := r.converts(ctx, p, content)
	if err != nil {
		return hash{}, err
	}
	if !converted {
		if b == nil {
			return sum("blob", content), nil
		}
		return b.add("blob", content), nil
	}
	args := []string{"hash-object", "--stdin", "--path", p}
	if b != nil {
		args = append(args, "-w")
	}
	out, err := r.git(ctx, content, args...)
	if err != nil {
		return hash{}, err
	}
	return parseHash(strings.TrimSpace(string(out)))
}

// converts says whether git could store other bytes than content. It may say
// yes in vain, never no.
func (r *Repo) converts(ctx context.Context, p string, content []byte) (bool, error) {
	hasCR, hasKeyword := bytes.IndexByte(content, '\r') >= 0, bytes.Contains(content, []byte("$Id"))
	if hasCR {
		auto, err := r.setting(ctx, "core.autocrlf", "false")
		if err != nil || truth(auto) || strings.EqualFold(auto, "input") {
			return true, err
		}
	}
	files, err := r.attributeFiles(ctx, p)
	if err != nil {
		return false, err
	}
	for _, file := range files {
		rules, err := disk.Bytes(file)
		if err != nil {
			continue // not there, and what git cannot read it does not apply
		}
		has := func(word string) bool { return bytes.Contains(rules, []byte(word)) }
		if has("filter") || has("working-tree-encoding") || has("[attr]") ||
			hasCR && (has("text") || has("eol") || has("crlf")) || hasKeyword && has("ident") {
			return true, nil
		}
	}
	return false, nil
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
	if rest, home := strings.CutPrefix(user, "~/"); home {
		user = filepath.Join(os.Getenv("HOME"), rest)
	}
	if !ok {
		base := os.Getenv("XDG_CONFIG_HOME")
		if base == "" {
			base = filepath.Join(os.Getenv("HOME"), ".config")
		}
		user = filepath.Join(base, "git", "attributes")
	}
	return append(files, from(r.root, user)), err
}
