package suite

import (
	"fmt"
	"io"
	"os"
)

// A UsageError is an error in the command or in its input files, not an error of a run.
type UsageError struct{ error }

func (u UsageError) Unwrap() error { return u.error }

func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

func Usage(err error) error { return UsageError{err} }

// MaxFile is the largest size in bytes of a file of suites, profiles or recorded scores, and of the
// small files that pacebench keeps, such as plans.
const MaxFile = 8 << 20

// ReadFile reads an input file of at most max bytes. The limit also ends a read of /dev/zero.
func ReadFile(path string, max int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Usage(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(max)+1))
	switch {
	case err != nil:
		return nil, Usage(err)
	case len(data) > max:
		return nil, Usagef("%s: longer than %d bytes", path, max)
	}
	return data, nil
}
