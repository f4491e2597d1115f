package tui

import (
	"context"
	"fmt"
	"hash/fnv"
	"io/fs"
	"path/filepath"
	"time"
)

// watch calls changed when files in the folders have changed, until ctx ends. It checks once a second.
func watch(ctx context.Context, folders []string, changed func()) {
	go func() {
		was, ticks := stamp(folders), time.NewTicker(time.Second)
		defer ticks.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
			}
			if now := stamp(folders); now != was {
				was = now
				changed()
			}
		}
	}()
}

// stamp returns a number that changes with the names, sizes and times of the files in folders.
func stamp(folders []string) uint64 {
	sum := fnv.New64a()
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if info, err := d.Info(); err == nil {
				fmt.Fprintln(sum, path, info.Size(), info.ModTime().UnixNano())
			}
			return nil // skip a file that cannot be read
		})
	}
	return sum.Sum64()
}
