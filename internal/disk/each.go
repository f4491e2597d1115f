package disk

import "sync"

// Each calls do(0) to do(n-1). Where each waits for the device, which takes several
// syncs in one go, or where there are many, they run side by side, a handful at a
// time; else one after the other, since a thread costs more than a small file does.
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
