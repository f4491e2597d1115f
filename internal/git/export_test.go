package git

import "time"

// SetSignLimit shortens the wait for a signer.
func (r *Repo) SetSignLimit(d time.Duration) { r.signLimit = d }
