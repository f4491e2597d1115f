package git

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"example.com/ckpt/internal/core/fault"
)

// The two cylinders, as [Repo.Cylinder] names them.
const (
	ownCylinder = "ckpt" // trees, index and refs are written by this package
	gitCylinder = "git"  // `git commit --only` does it
)

// Cylinder says who makes the commits in this repository, "ckpt" itself or the
// "git" binary, and why; why is empty where nothing is out of the ordinary.
func (r *Repo) Cylinder(ctx context.Context) (name, why string, err error) {
	if why, err = r.needsGit(ctx); err != nil || why != "" {
		return gitCylinder, why, err
	}
	x, _, err := r.readIndex()
	if err == nil {
		_, err = newIndex(x, nil, 0)
	}
	if u, ok := errors.AsType[unsupportedIndex](err); ok {
		return ownCylinder, "git updates the index: " + u.Error(), nil
	}
	return ownCylinder, "", err
}

// needsGit is why only the git binary can commit here; "" where ckpt can. It
// looks at what is known of the repository already, and at a few files.
func (r *Repo) needsGit(ctx context.Context) (why string, err error) {
	if why := r.foreign(); why != "" {
		return why, nil
	}
	if owner, known := ownerOf(r.gitDir); known && owner != os.Geteuid() {
		return "the repository belongs to another user", nil // git knows whom to trust
	}
	mode, err := r.hookMode(ctx)
	if err != nil || mode != hooksAll {
		return "", err
	}
	for _, name := range hookNames() {
		has, err := r.hasHook(ctx, name)
		if err != nil {
			return "", err
		}
		if has && name != "commit-msg" {
			return "ckpt.hooks is all and there is a " + name + " hook", nil
		}
	}
	return "", nil
}

// foreign is why the objects or refs here cannot be read by this package; ""
// where they can.
func (r *Repo) foreign() string {
	known := []string{"noop", "noop-v1", "preciousobjects", "partialclone", "worktreeconfig", "relativeworktrees"}
	for name, value := range r.format.extensions {
		switch {
		case name == "objectformat":
			if !strings.EqualFold(value, "sha1") {
				return "its objects are named by " + value
			}
		case name == "refstorage":
			if !strings.EqualFold(value, "files") {
				return "its refs are kept as a " + value
			}
		case !slices.Contains(known, name):
			return "it uses the extension " + name
		}
	}
	return ""
}

// hookMode is which of the user's hooks run: git config ckpt.hooks.
type hookMode string

const (
	hooksMessage hookMode = ""     // commit-msg only: message policy
	hooksAll     hookMode = "all"  // all, through the git binary
	hooksNone    hookMode = "none" // none
)

func (r *Repo) hookMode(ctx context.Context) (hookMode, error) {
	value, err := r.setting(ctx, "ckpt.hooks", "")
	switch mode := hookMode(value); mode {
	case hooksMessage, hooksAll, hooksNone:
		return mode, err
	}
	return "", fault.New(fault.Invalid, "git config ckpt.hooks: %q is neither all nor none", value).
		WithHint("git config --unset ckpt.hooks   (runs commit-msg only)")
}
