package git

import (
	"context"
	"errors"
	"strings"
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
	r := d.repo
	args, err := r.durable(ctx)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	args = append(args, "-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-S", "-F", "-")
	if d.base.hash != "" {
		args = append(args, "-p", d.base.hash)
	}
	limited, cancel := context.WithTimeout(ctx, r.signLimit)
	defer cancel()
	cmd := r.command(limited, append(args, root.String())...)
	cmd.Env = append(cmd.Env, d.identityEnv()...)
	out, err := output(cmd, []byte(d.message))
	if err != nil {
		return plumbing.ZeroHash, signFault(ctx, limited, err)
	}
	return parseHash(strings.TrimSpace(string(out)))
}

// signFault is err, or that the limited context ended while ctx did not.
func signFault(ctx, limited context.Context, err error) error {
	if ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
		return fault.New(fault.Busy, "sign the commit: %w", ErrSigner).
			WithHint("unlock your key and try again, or: git config commit.gpgsign false")
	}
	return err
}
