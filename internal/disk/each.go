package disk

import "sync"

// Each calls do(0) to do(n-1) side by side, a handful at a time: where each waits
// for the device, which takes several syncs in one go.
func Each(n int, do func(int)) {
	if n == 1 {
		do(0)
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
