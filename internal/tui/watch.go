package tui

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// pause is how long changes are collected before they are reported, since an operation changes
// several files.
const pause = 150 * time.Millisecond

// watch calls changed when files in the folders change, until ctx ends: with true if it is the first
// folder. Where the system cannot watch, the user still can read again.
func watch(ctx context.Context, folders []string, changed func(own bool)) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return
	}
	for _, folder := range folders {
		addFolder(watcher, folder)
	}
	go func() {
		defer watcher.Close()
		pending := map[bool]bool{}
		var due <-chan time.Time
		for {
			select {
			case <-ctx.Done():
				return
			case event, open := <-watcher.Events:
				i := within(folders, event.Name)
				switch {
				case !open:
					return
				case i < 0 || event.Op == fsnotify.Chmod:
					continue
				case event.Has(fsnotify.Create):
					addFolder(watcher, folders[i])
				}
				pending[i == 0] = true
				if due == nil {
					due = time.After(pause)
				}
			case <-watcher.Errors: // an overflow: something has changed
				pending[true] = true
				if due == nil {
					due = time.After(pause)
				}
			case <-due:
				due = nil
				for own := range pending {
					changed(own)
				}
				clear(pending)
			}
		}
	}()
}

// addFolder watches a folder and those below it. As long as it does not exist it watches the folder
// in which it would be made.
func addFolder(watcher *fsnotify.Watcher, folder string) {
	missing := false
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			missing = missing || path == folder
			return nil // what cannot be read cannot be watched
		}
		if d.IsDir() {
			_ = watcher.Add(path)
		}
		return nil
	})
	if missing {
		_ = watcher.Add(filepath.Dir(folder))
	}
}

// within returns the index of the folder that has the path, or is it; -1 for none.
func within(folders []string, path string) int {
	for i, folder := range folders {
		if path == folder || strings.HasPrefix(path, folder+string(filepath.Separator)) {
			return i
		}
	}
	return -1
}
