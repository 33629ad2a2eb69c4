package sandbox

import (
	"container/list"
	"crypto/sha256"
	"sync"

	"github.com/pacebench/pacebench/bench/program"
)

// An lru keeps the analyses of the sources that were asked for last.
type lru struct {
	limit int

	mu      sync.Mutex // guards the following
	order   *list.List // of entry, last used first
	entries map[[sha256.Size]byte]*list.Element
}

type entry struct {
	digest   [sha256.Size]byte
	analysis program.Analysis
}

func newLRU(limit int) *lru {
	return &lru{limit: limit, order: list.New(), entries: map[[sha256.Size]byte]*list.Element{}}
}

func (l *lru) get(source string) (program.Analysis, bool) {
	digest := sha256.Sum256([]byte(source))
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.entries[digest]
	if !ok {
		return program.Analysis{}, false
	}
	l.order.MoveToFront(e)
	return e.Value.(entry).analysis, true
}

func (l *lru) add(source string, a program.Analysis) {
	digest := sha256.Sum256([]byte(source))
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.entries[digest]; ok {
		return
	}
	l.entries[digest] = l.order.PushFront(entry{digest, a})
	if l.order.Len() > l.limit {
		oldest := l.order.Remove(l.order.Back()).(entry)
		delete(l.entries, oldest.digest)
	}
}
