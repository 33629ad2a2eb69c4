package suite

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
)

// searched loads a finished run whose search found a program, and the task of the run. takes
// describes the command's argument for messages. searched also sets o.Lock to the run's lock
// (ChooseLock).
func (o *Options) searched(dir, takes string) (*record.Loaded, *bench.Task, error) {
	l, err := record.LoadFinished(dir)
	switch {
	case errors.Is(err, os.ErrNotExist) && hint.Of(err) == "":
		return nil, nil, hint.Add(Usage(err), HintVerify)
	case err != nil:
		return nil, nil, err
	case l.Result.Best == nil || l.Header.Family == record.Trained || !l.Journal:
		return nil, nil, hint.Add(
			fmt.Errorf("%s: the run is not a search that found a program", dir), takes)
	}
	if *o, err = ChooseLock(*o, l); err != nil {
		return nil, nil, err
	}
	task, err := o.taskOf(l)
	return l, task, err
}

// placeOf returns the directory for a file about a run: the run's own directory, or a directory
// below into.
func placeOf(l *record.Loaded, into string) string {
	if into == "" {
		return l.Dir
	}
	return RunDir(into, l.Header)
}

// A kept is a file of measurements: its first line is the plan, and each other line is a
// measurement. It holds the lock of its directory.
type kept struct {
	*journal.File
	path  string
	lines [][]byte // the lines of the file when it was opened
	lock  *journal.Lock
}

// keep opens the file of measurements dir/name. If the file has another plan, keep replaces it with
// a file that contains only plan.
func keep(dir, name string, plan any) (k *kept, err error) {
	first, err := json.Marshal(plan)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	lock, err := journal.TryLock(dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, lock.Remove())
		}
	}()
	k = &kept{path: filepath.Join(dir, name), lock: lock}
	if lock.TookOver {
		if err := journal.Renew(k.path); err != nil {
			return nil, err
		}
	}
	lines, _, err := journal.Read(k.path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, hint.Add(err, "remove it to begin again")
	}
	if len(lines) == 0 || !bytes.Equal(lines[0], first) {
		if err := journal.Replace(k.path, [][]byte{first}); err != nil {
			return nil, err
		}
	}
	if k.File, k.lines, err = journal.Open(k.path); err == nil {
		k.Guard(k.lock)
	}
	return k, err
}

func (k *kept) add(measurement any) error {
	line, err := json.Marshal(measurement)
	if err != nil {
		return err
	}
	return k.Append(line)
}

// end closes the file and unlocks its directory. After a success, it removes the checksums, because
// a finished file is never continued.
func (k *kept) end(err error) error {
	err = cmp.Or(err, k.Close())
	if err == nil {
		err = journal.RemoveSums(k.path)
	}
	return errors.Join(err, k.lock.Remove())
}
