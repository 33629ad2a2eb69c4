package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/pacebench/pacebench/llm"
)

var (
	// ErrDiverged means that a journal was written by another method, another prompt or another
	// stream of random numbers than the ones that replay it. Nothing is overwritten.
	ErrDiverged = errors.New("the journal does not match this method")
	// ErrIncomplete means that a replay reached the end of its journal before the method's end.
	ErrIncomplete = errors.New("the journal ends before the run does")
)

// sameRequest compares what the journal holds with what the method asks now, as the journal writes
// it: of an image the digest.
func sameRequest(old, now llm.Request) error {
	was, err := json.Marshal(old)
	if err != nil {
		return err
	}
	is, err := json.Marshal(now)
	if err != nil {
		return err
	}
	if bytes.Equal(was, is) {
		return nil
	}
	if old.Purpose != now.Purpose {
		return fmt.Errorf("the journal has a request for %s here: %w", old.Purpose, ErrDiverged)
	}
	if was, is := requestText(old), requestText(now); was != is {
		return fmt.Errorf("the prompt differs: %w\n%s", ErrDiverged, diff(was, is))
	}
	return fmt.Errorf("%w\n%s", ErrDiverged, diff(string(was), string(is)))
}

func requestText(r llm.Request) string {
	var b strings.Builder
	b.WriteString(r.System)
	for _, p := range r.User {
		b.WriteString(p.Text)
		if p.Image != nil {
			b.WriteString("[image " + p.Image.Digest + "]")
		}
	}
	return b.String()
}

// diff shows the first line at which two texts differ.
func diff(old, now string) string {
	a, b := strings.Split(old, "\n"), strings.Split(now, "\n")
	for i := 0; ; i++ {
		switch {
		case i >= len(a) && i >= len(b):
			return ""
		case i >= len(a):
			return fmt.Sprintf("line %d\n  journal: (ends)\n  now:     %s", i+1, b[i])
		case i >= len(b):
			return fmt.Sprintf("line %d\n  journal: %s\n  now:     (ends)", i+1, a[i])
		case a[i] != b[i]:
			return fmt.Sprintf("line %d\n  journal: %s\n  now:     %s", i+1, a[i], b[i])
		}
	}
}
