package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.com/ckpt/internal/core/fault"
)

// appendReflogs notes the move of the branch in the logs of HEAD and of every
// ref on the way, where git would.
func (r *Repo) appendReflogs(ctx context.Context, d *Draft) error {
	old, what := d.base.hash, reflogAction
	if old == "" {
		old, what = strings.Repeat("0", len(d.commit.String())), "commit (initial)"
	}
	if d.move != nil {
		what = moveAction
	}
	if action := os.Getenv("GIT_REFLOG_ACTION"); action != "" {
		what = action
	}
	line := old + " " + d.commit.String() + " " + string(d.committer) + "\t" + what + ": " + subject(d.message) + "\n"
	logs, err := r.setting(ctx, "core.logallrefupdates", "true")
	if err != nil {
		return err
	}
	for _, name := range d.base.chain {
		if err := r.appendReflog(ctx, name, line, logs); err != nil {
			return fault.New(fault.Failed, "write the reflog of %s: %w", name, err)
		}
	}
	return nil
}

// appendReflog appends to a log that exists; one that does not is made where
// core.logAllRefUpdates asks for it.
func (r *Repo) appendReflog(ctx context.Context, name, line, logs string) error {
	path := filepath.Join(r.refBase(name), "logs", filepath.FromSlash(name))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if errors.Is(err, fs.ErrNotExist) {
		wanted := strings.EqualFold(logs, "always") ||
			truth(logs) && (name == "HEAD" || strings.HasPrefix(name, "refs/heads/"))
		if !wanted {
			return nil
		}
		if err := r.sharing(ctx).MkdirAll(filepath.Dir(path)); err != nil {
			return err
		}
		if f, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666); err == nil {
			err = r.sharing(ctx).Apply(path)
		}
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Close())
}
