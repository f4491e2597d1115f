//go:build !unix

package disk

import "errors"

// Stamp returns an error: a file of the same size and time of modification may be another one, and
// nothing else is known without opening it.
func (f *Folder) Stamp(string) (Stamp, error) { return Stamp{}, errors.ErrUnsupported }

// Program returns an error, as Stamp does.
func Program() (Stamp, error) { return Stamp{}, errors.ErrUnsupported }
