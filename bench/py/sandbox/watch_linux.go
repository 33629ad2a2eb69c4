//go:build amd64 || arm64

package sandbox

import (
	"context"
	"sync"
)

// A watch kills a child when a context ends while the child is asked something. It stays for
// the next question, which mostly comes with the same context: asking costs two locks and no
// registration. Between questions the end of the context changes nothing.
type watch struct {
	done <-chan struct{}
	stop func() bool

	mu     sync.Mutex // guards the following
	asking bool
	killed bool
}

// watching returns the watch of ctx.
func (p *process) watching(ctx context.Context) *watch {
	if p.watch != nil {
		if p.watch.done == ctx.Done() {
			return p.watch
		}
		p.watch.stop()
	}
	w := &watch{done: ctx.Done()}
	w.stop = context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.asking {
			w.killed = true
			p.child.kill()
		}
	})
	p.watch = w
	return w
}

// begin is for a question with the watched context, which may have ended since it was looked at.
func (w *watch) begin(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	w.asking = true
	return nil
}

// end reports whether the context ended during the question.
func (w *watch) end() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asking = false
	return w.killed
}
