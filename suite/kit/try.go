package kit

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

// Try runs a check outside of tests, with files below dir, and returns the failures.
func Try(ctx context.Context, dir string, check func(T)) (failed []string) {
	t := &trial{ctx: ctx, dir: dir}
	defer func() {
		if r := recover(); r != nil && r != errStop {
			panic(r)
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		failed = t.failed
	}()
	check(t)
	return nil
}

// errStop ends a check that called Fatal.
var errStop = fmt.Errorf("the check has failed")

// A trial is a T outside of tests.
type trial struct {
	ctx context.Context
	dir string

	mu     sync.Mutex
	dirs   int      // guarded by mu
	failed []string // guarded by mu
}

func (t *trial) Helper()                  {}
func (t *trial) Context() context.Context { return t.ctx }

func (t *trial) TempDir() string {
	t.mu.Lock()
	t.dirs++
	dir := filepath.Join(t.dir, strconv.Itoa(t.dirs))
	t.mu.Unlock()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (t *trial) say(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failed = append(t.failed, text)
}

func (t *trial) Error(args ...any)                 { t.say(fmt.Sprint(args...)) }
func (t *trial) Errorf(format string, args ...any) { t.say(fmt.Sprintf(format, args...)) }
func (t *trial) Fatal(args ...any)                 { t.Error(args...); panic(errStop) }
func (t *trial) Fatalf(format string, args ...any) { t.Errorf(format, args...); panic(errStop) }
