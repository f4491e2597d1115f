package git

import "time"

// SetSignLimit shortens the wait for a signer.
func (r *Repo) SetSignLimit(d time.Duration) { r.signLimit = d }

// GitDir is the folder that holds this working tree's HEAD and index, absolute.
func (r *Repo) GitDir() string { return r.gitDir }
