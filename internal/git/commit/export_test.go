package commit

import "time"

// WithSignLimit returns a committer that waits for a signer no longer than d.
func (c Committer) WithSignLimit(d time.Duration) Committer {
	c.signLimit = d
	return c
}
