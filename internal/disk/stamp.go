package disk

import "time"

// Stamp tells versions of a file apart without reading it, as git's index does.
type Stamp struct {
	Size              int64
	Modified, Changed int64 // in nanoseconds; Changed is the time at which the inode changed
	Inode, Device     uint64
}

// racy is longer than the coarsest tick of a file system's clock.
const racy = 3 * time.Second

// Settled reports whether every later change gives the file another stamp. The stamp was taken at
// or after the time now. A file that was changed a moment ago may change again within the same tick
// of the file system's clock.
func (s Stamp) Settled(now time.Time) bool {
	return max(s.Modified, s.Changed) < now.Add(-racy).UnixNano()
}
