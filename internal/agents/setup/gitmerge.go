package setup

import (
	"context"
	"strings"
)

// Git merges a file by the driver that its attributes name, where the clone's
// configuration knows one of that name; else line by line, without a word. `ckpt init`
// writes the attribute into the checkpoints folder. Where it is not there (an older
// folder) it is put into this clone's own attributes, beside the configuration.

const (
	driverSection = "merge.ckpt"
	driverKey     = driverSection + ".driver"
)

// driver is what git runs. Where there is no ckpt, or it fails, git merges as it would
// have: a driver that fails leaves a file that looks whole and lacks theirs.
const driver = "if command -v ckpt >/dev/null 2>&1; then ckpt merge-driver %O %A %B %P %L %S %X %Y; case $? in 0) exit 0;; 1) exit 1;; esac; fi; " +
	"git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B"

// driverSettings name the driver in the clone's configuration.
var driverSettings = []setting{{driverSection + ".name", "checkpoints, section by section"}, {driverKey, driver}}

// MergesByDriver says whether git merges this clone's checkpoints by ckpt.
func MergesByDriver(ctx context.Context, at Place) bool {
	set, ok, err := at.Repo.Config().Get(ctx, driverKey)
	return err == nil && ok && strings.Contains(set, "ckpt merge-driver") && at.attributed(ctx)
}

// attributed says whether the attributes of checkpoint files name the driver.
func (at Place) attributed(ctx context.Context) bool {
	out, err := at.Repo.Run(ctx, "check-attr", "merge", "--", at.Folder+"/active/chk-a.md")
	return err == nil && strings.HasSuffix(strings.TrimSpace(string(out)), ": merge: ckpt")
}
