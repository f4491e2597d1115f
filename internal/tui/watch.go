package tui

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// pause is how long changes are collected before they are reported, since an operation changes
// several files.
const pause = 150 * time.Millisecond

// watch calls changed when files in the folders change, until ctx ends. Where the system cannot watch, the
// user still can read again.
func watch(ctx context.Context, folders []string, changed func()) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return
	}
	for _, folder := range folders {
		addFolder(watcher, folder)
	}
	go func() {
		defer watcher.Close()
		var due <-chan time.Time
		for {
			select {
			case <-ctx.Done():
				return
			case event, open := <-watcher.Events:
				if !open {
					return
				}
				if event.Op == fsnotify.Chmod || !within(folders, event.Name) {
					continue
				}
				if event.Has(fsnotify.Create) {
					addFolder(watcher, event.Name)
				}
			case <-watcher.Errors: // an overflow: something has changed
			case <-due:
				due = nil
				changed()
				continue
			}
			if due == nil {
				due = time.After(pause)
			}
		}
	}()
}

// addFolder watches a folder and the folders below it. If the folder does not exist, it watches the
// parent.
func addFolder(watcher *fsnotify.Watcher, folder string) {
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == folder:
			_ = watcher.Add(filepath.Dir(folder))
		case err == nil && d.IsDir():
			_ = watcher.Add(path)
		}
		return nil // what cannot be read cannot be watched
	})
}

// within reports whether a path is one of the folders, or below one.
func within(folders []string, path string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		return path == folder || strings.HasPrefix(path, folder+string(filepath.Separator))
	})
}
