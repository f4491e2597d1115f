package git

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"example.com/ckpt/internal/core/change"
	"example.com/ckpt/internal/core/fault"
)

// What only the git binary can read or write here: SHA-256 objects, reftables,
// split and sparse indexes, extensions that came after this was written.

func (r *Repo) headByGit(ctx context.Context) (Head, error) {
	var h Head
	out, err := r.git(ctx, nil, "symbolic-ref", "-q", "HEAD")
	if err != nil && exitCode(err) != 1 { // 1: detached
		return h, err
	}
	h.Ref = strings.TrimSpace(string(out))
	out, err = r.git(ctx, nil, "rev-parse", "-q", "--verify", "HEAD")
	if err != nil && exitCode(err) != 1 { // 1: unborn
		return h, err
	}
	h.Hash = strings.TrimSpace(string(out))
	return h, nil
}

func (r *Repo) blobByGit(ctx context.Context, name string) ([]byte, error) {
	return r.git(ctx, nil, "cat-file", "blob", name)
}

// treeByGit is every file below dir at HEAD.
func (r *Repo) treeByGit(ctx context.Context, dir string) (map[string]string, error) {
	files := map[string]string{}
	out, err := r.git(ctx, nil, "rev-parse", "-q", "--verify", "HEAD:"+strings.TrimSuffix(dir, "."))
	if exitCode(err) == 1 || exitCode(err) == 128 {
		return files, nil // unborn, or nothing there
	}
	if err != nil {
		return nil, err
	}
	out, err = r.git(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", strings.TrimSpace(string(out)))
	for path, e := range parseEntries(out) {
		files[path] = e.hash
	}
	if exitCode(err) == 128 { // dir is a file
		err = nil
	}
	return files, err
}

// stored is a line of ls-tree or ls-files: what a path holds. The hash is in hex, since
// it may be a SHA-256 one.
type stored struct {
	mode     filemode.FileMode
	hash     string
	conflict bool
}

func (p place) stored() stored {
	if p.mode == filemode.Empty {
		return stored{}
	}
	return stored{mode: p.mode, hash: p.hash.String()}
}

// parseEntries reads `ls-tree -z` ("MODE KIND HASH\tPATH") and `ls-files -s -z`
// ("MODE HASH STAGE\tPATH").
func parseEntries(out []byte) map[string]stored {
	entries := map[string]stored{}
	for line := range strings.SplitSeq(string(out), "\x00") {
		head, path, ok := strings.Cut(line, "\t")
		part := strings.Fields(head)
		if !ok || len(part) < 3 {
			continue
		}
		mode, err := filemode.New(part[0])
		if err != nil {
			continue
		}
		s := stored{mode: mode, hash: part[2]}
		if len(part[2]) == 1 {
			s = stored{mode: mode, hash: part[1], conflict: part[2] != "0"}
		}
		entries[path] = s
	}
	return entries
}

func paths(files []change.File) []string {
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	return paths
}

// atHead is what HEAD holds at these paths.
func (r *Repo) atHead(ctx context.Context, paths []string) (map[string]stored, error) {
	head, err := r.headByGit(ctx)
	if err != nil || head.Hash == "" {
		return nil, err
	}
	return r.entries(ctx, paths, "ls-tree", "-z", "--full-tree", head.Hash, "--")
}

// inIndex is what the index holds at these paths; a name that was only
// announced with intent-to-add has the hash of the empty blob there.
func (r *Repo) inIndex(ctx context.Context, paths []string) (map[string]stored, error) {
	return r.entries(ctx, paths, "ls-files", "-s", "-z", "--full-name", "--")
}

// entries is what a listing says of paths: not of all at once, since the arguments of
// a process have a limit.
func (r *Repo) entries(ctx context.Context, paths []string, listing ...string) (map[string]stored, error) {
	all := map[string]stored{}
	for some := range slices.Chunk(paths, 1000) {
		out, err := r.git(ctx, nil, slices.Concat(listing, some)...)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, parseEntries(out))
	}
	return all, nil
}

// hashByGit is the name that git gives to a file with this content.
func (r *Repo) hashByGit(ctx context.Context, path string, content []byte) (string, error) {
	out, err := r.git(ctx, content, "hash-object", "--stdin", "--path", path)
	return strings.TrimSpace(string(out)), err
}

// editIndexByGit makes the index hold the given entries (zero mode: nothing),
// and refuses paths in conflict, whose sides it would throw away.
func (r *Repo) editIndexByGit(ctx context.Context, entries map[string]stored) error {
	var names []string
	for path := range entries {
		names = append(names, path)
	}
	if err := r.refuseConflicts(ctx, names); err != nil {
		return err
	}
	return r.updateIndex(ctx, entries)
}

func (r *Repo) updateIndex(ctx context.Context, entries map[string]stored) error {
	in := []byte(r.indexInfo(entries))
	return r.patiently(func() error {
		_, err := r.gitForCommit(ctx, in, "update-index", "-z", "--index-info")
		return err
	})
}

// indexInfo is entries as `update-index -z --index-info` reads them.
func (r *Repo) indexInfo(entries map[string]stored) string {
	var in strings.Builder
	for path, e := range entries {
		if e.mode == filemode.Empty {
			e.hash = r.noName()
		}
		fmt.Fprintf(&in, "%o %s\t%s\x00", e.mode, e.hash, path)
	}
	return in.String()
}

func (r *Repo) refuseConflicts(ctx context.Context, paths []string) error {
	entries, err := r.inIndex(ctx, paths)
	if err != nil {
		return err
	}
	for path, e := range entries {
		if e.conflict {
			return fault.New(fault.Refused, "%q has a merge conflict", path).WithHint("ckpt resolve")
		}
	}
	return nil
}
