package disk

import "sync"

// Each calls do(0) to do(n-1). It runs a few calls at a time if there are many, or if each of them
// waits for the device, which can complete several syncs at once. Otherwise it runs them one after
// the other, since starting a thread takes longer than writing a small file.
func Each(n int, waits bool, do func(int)) {
	const many = 16
	if n == 1 || !waits && n < many {
		for i := range n {
			do(i)
		}
		return
	}
	var wg sync.WaitGroup
	slots := make(chan struct{}, 8)
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			do(i)
		})
	}
	wg.Wait()
}
