package log

import (
	"context"
	"slices"
	"strings"

	"example.com/ckpt/internal/fault"
	"example.com/ckpt/internal/git"
)

// InIndex has [Repo.Grep] look at files as they are staged, which takes a quarter of
// the time that the working tree takes.
const InIndex = "--cached"

// Grep says which tracked files hold which words, outside the folder exclude: those
// of the working tree, or of a commit, or [InIndex]. Binary files are left out. It
// runs git, unless there is no word.
func (l Log) Grep(ctx context.Context, rev string, words []string, exclude string) (map[string][]string, error) {
	found := map[string][]string{}
	if len(words) == 0 {
		return found, nil
	}
	args := []string{"-c", "grep.lineNumber=false", "-c", "grep.column=false", "grep", "-z", "-o", "-w", "-F", "-I", "--no-color", "--full-name", "--no-recurse-submodules"}
	for _, w := range words {
		args = append(args, "-e", w)
	}
	if rev != "" {
		args = append(args, rev)
	}
	out, err := l.repo.GitGlob(ctx, append(args, "--", ".", ":(exclude,literal)"+exclude)...)
	if git.ExitCode(err) == 1 { // no such word
		return found, nil
	}
	for line := range strings.SplitSeq(string(out), "\n") {
		file, word, ok := strings.Cut(line, "\x00")
		if rev != "" {
			file = strings.TrimPrefix(file, rev+":")
		}
		if ok && !slices.Contains(found[word], file) {
			found[word] = append(found[word], file)
		}
	}
	return found, err
}

// EverSaid is every line with a text that a commit has brought to a Markdown file, of all
// commits that a ref, a reflog or the HEAD of a working tree reaches. Where this clone
// lacks some of them it is an error.
func (l Log) GrepHistory(ctx context.Context, text string) ([]byte, error) {
	if shallow, err := l.repo.Objects().Shallow(); err != nil || len(shallow) > 0 || l.repo.MayLack() {
		return nil, fault.New(fault.Unsupported, "this clone has not all of history")
	}
	return l.repo.GitGlob(ctx, "-c", "log.showRoot=true", "-c", "log.follow=false", "log", "--all", "--reflog", "--diff-merges=first-parent", "--format=",
		"-p", "-U0", "--text", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv", "-G"+text, "--", ":(glob)**/*.md")
}
