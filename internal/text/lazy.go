package text

import "sync"

// Lazy is a value that Make computes on first use. A package variable of this type costs nothing
// when the program starts, unlike one that calls [sync.OnceValue].
type Lazy[T any] struct {
	Make func() T

	once  sync.Once
	value T
}

// Get returns the value.
func (l *Lazy[T]) Get() T {
	l.once.Do(func() { l.value = l.Make() })
	return l.value
}
