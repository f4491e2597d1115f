package git

import (
	"context"
	"errors"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"example.com/ckpt/internal/core/fault"
)

// signLimit is how long a signer may take; one that waits for a passphrase that
// nobody is there to type would hold up an agent for ever.
const signLimit = 10 * time.Second

// ErrSigner is in the error of Prepare (or of Land, where git commits) when the
// signer did not answer in time. Nothing has changed then.
var ErrSigner = errors.New("the signer did not answer in time")

// signs says whether the user wants commits signed: commit.gpgSign.
func (r *Repo) signs(ctx context.Context) (bool, error) {
	value, err := r.setting(ctx, "commit.gpgsign", "false")
	return truth(value), err
}

// signed makes a signed commit of root on d.base. Git does it, since it knows
// the user's keys and formats; its objects have to be stored before.
func (d *Draft) signed(ctx context.Context, root plumbing.Hash) (plumbing.Hash, error) {
	var parents []string
	if d.base.hash != "" {
		parents = []string{d.base.hash}
	}
	commit, err := d.repo.commitTree(ctx, root.String(), parents, d.message, d.author, d.committer, true)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return parseHash(commit)
}

// signFault is err, or that the limited context ended while ctx did not.
func signFault(ctx, limited context.Context, err error) error {
	if ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
		return fault.New(fault.Busy, "sign the commit: %w", ErrSigner).
			WithHint("unlock your key and try again, or: git config commit.gpgsign false")
	}
	return err
}
