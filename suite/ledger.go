package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record/journal"
)

// A ledger is a directory with the accounts of the processes that spend money on runs. Each process
// writes only its own files, so that hosts that share the directory need no lock.
type ledger struct {
	dir, name string
	closed    map[string]llm.Account // closed accounts, by file
}

func ledgerOf(out string) *ledger {
	l := &ledger{dir: filepath.Join(out, ".limits", "usd"), closed: map[string]llm.Account{}}
	l.rename()
	return l
}

func (l *ledger) rename() {
	host, _ := os.Hostname()
	l.name = fmt.Sprintf("%s-%d-%08x.json", shorten(SafeName(host)), os.Getpid(), rand.Uint32())
}

// An account is the content of one file of a ledger.
type account struct {
	llm.Account
	Closed bool `json:"closed,omitempty"`
}

func (a account) valid() bool {
	return a.USD >= 0 && a.Held >= 0 && a.USD+a.Held <= math.MaxFloat64 &&
		a.Flight >= 0 && a.Flight <= maxFlight && a.Dearest >= 0 && a.Dearest <= math.MaxFloat64
}

// maxFlight bounds the requests that one process has in flight.
const maxFlight = 1 << 20

func (l *ledger) Keep(own llm.Account) error { return l.write(account{Account: own}) }

func (l *ledger) write(a account) error {
	data, err := json.Marshal(a)
	if err != nil {
		return err
	}
	for _, dir := range []string{filepath.Dir(l.dir), l.dir} {
		if err := plain.MkdirAll(dir); err != nil {
			return err
		}
	}
	return journal.WriteFile(filepath.Join(l.dir, l.name), append(data, '\n'))
}

// Close closes this process's account. A later Keep begins a new account.
func (l *ledger) Close(own llm.Account) error {
	if err := l.write(account{own, true}); err != nil {
		return err
	}
	l.closed[l.name] = own.Settled()
	l.rename()
	return nil
}

// Others returns the sum of all accounts except this process's open account.
func (l *ledger) Others() (sum llm.Account, err error) {
	entries, err := os.ReadDir(l.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return sum, nil
	}
	for _, e := range entries {
		name := e.Name()
		if name == l.name || strings.HasPrefix(name, ".") {
			continue
		}
		if a, ok := l.closed[name]; ok {
			sum = sum.Plus(a)
			continue
		}
		path := filepath.Join(l.dir, name)
		data, rerr := plain.Read(path, MaxFile)
		var a account
		if rerr == nil {
			rerr = hint.JSON(json.Unmarshal(data, &a))
		}
		if rerr == nil && !a.valid() {
			rerr = errors.New("its amounts are not valid")
		}
		if rerr != nil {
			return sum, hint.Add(fmt.Errorf("%s: not an account of --max-usd: %w", path, rerr),
				"remove it; its costs then count only if the journals of this command's runs "+
					"contain them")
		}
		if a.Closed {
			a.Account = a.Settled()
			l.closed[name] = a.Account
		}
		sum = sum.Plus(a.Account)
	}
	return sum, err
}
