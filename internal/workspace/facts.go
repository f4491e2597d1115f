package workspace

import (
	"context"
	"time"

	"example.com/ckpt/internal/git/changes"
)

// gitStatus is `git status`, begun before anybody knows whether it is needed: it takes as
// long as the rest of a brief.
type GitStatus struct {
	Ctx    context.Context
	Cancel context.CancelFunc
	Done   chan struct{}
	Files  []changes.Edit // once done is closed; err likewise
	Err    error
}

// end leaves no git process behind that can be ended.
func (status *GitStatus) End() {
	status.Cancel()
	select {
	case <-status.Done:
	case <-time.After(100 * time.Millisecond):
	}
}
