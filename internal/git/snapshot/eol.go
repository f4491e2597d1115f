package snapshot

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/git"
)

// oddEnds returns the tracked files that have other line ends than git would give them: mixed
// ones, or LF where the configuration asks for CRLF. To git they are unchanged. If no
// configuration is about line ends there are none, and no file is read.
func (t *taking) oddEnds(ctx context.Context, held map[string]git.Entry) ([]string, error) {
	r := t.repo
	auto, _, err := r.Config().Get(ctx, "core.autocrlf")
	if err != nil {
		return nil, err
	}
	eol, _, err := r.Config().Get(ctx, "core.eol")
	if err != nil {
		return nil, err
	}
	auto = strings.ToLower(auto)
	crlf := auto == "true" || auto == "1" || auto == "yes" || auto == "on"
	if !crlf && auto != "input" && !strings.EqualFold(eol, "crlf") && !t.haveAttributes(ctx, held) {
		return nil, nil
	}
	out, err := t.git(ctx, nil, "ls-files", "--eol", "-z")
	if err != nil {
		return nil, err
	}
	var odd []string
	for line := range strings.SplitSeq(string(out), "\x00") {
		what, path, ok := strings.Cut(line, "\t") // i/lf w/crlf attr/text=auto
		part := strings.Fields(what)
		if !ok || len(part) < 2 {
			continue
		}
		attr := what[strings.Index(what, "attr/"):]
		wantsCRLF := (crlf || strings.EqualFold(eol, "crlf")) && !strings.Contains(attr, "-text") || strings.Contains(attr, "eol=crlf")
		inIndex, onDisk := strings.TrimPrefix(part[0], "i/"), strings.TrimPrefix(part[1], "w/")
		plain := inIndex == onDisk && onDisk != "mixed" && (!wantsCRLF || onDisk == "none")
		if !plain && !(wantsCRLF && inIndex == "lf" && onDisk == "crlf") {
			odd = append(odd, path)
		}
	}
	return odd, nil
}

// haveAttributes reports whether any file with attributes may apply.
func (t *taking) haveAttributes(ctx context.Context, held map[string]git.Entry) bool {
	for path := range held {
		if path == ".gitattributes" || strings.HasSuffix(path, "/.gitattributes") {
			return true
		}
	}
	if _, err := os.Stat(filepath.Join(t.repo.CommonDir(), "info", "attributes")); err == nil {
		return true
	}
	file, set, err := t.repo.Config().Get(ctx, "core.attributesFile")
	if err != nil || set && file != "" {
		return true
	}
	_, err = os.Stat(filepath.Join(git.UserConfigDir(), "attributes"))
	return err == nil
}
