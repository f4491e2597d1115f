package cli

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"sync"
	"syscall"

	"example.com/ckpt/internal/term"
)

// Run is the program ckpt: it runs the command line of this process on its standard streams and
// returns the exit code.
func Run(w World) int {
	delayCollection()
	w.Streams = term.System()
	return Main(interruptible(), os.Args[1:], w)
}

// delayCollection lets the heap reach 16 MB instead of 4 before the first garbage collection: most
// commands end before that, and one collection takes a tenth of their time. Later collections run
// as usual, so large operations need no more memory.
func delayCollection() {
	debug.SetGCPercent(400)
	runtime.AddCleanup(new([16]byte), func(int) { debug.SetGCPercent(100) }, 0)
}

// interruptible returns a context that ends with the first interrupt, so that locks are released.
func interruptible() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	listen := func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		<-signals
		signal.Stop(signals) // a second interrupt ends the process
		cancel()
	}
	return interruption{ctx, sync.OnceFunc(func() { go listen() })}
}

// interruption is a context that listens for signals as soon as something waits for its end: a
// process of git, a lock. To listen takes two threads, a twentieth of a short command. Without that
// an interrupt ends the process, and the next command cleans up.
type interruption struct {
	context.Context
	listen func()
}

// Done starts to listen for signals.
func (i interruption) Done() <-chan struct{} {
	i.listen()
	return i.Context.Done()
}
