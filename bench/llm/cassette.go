package llm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/pacebench/pacebench/internal/plain"
)

// cassetteFile is the cassette's file in its directory: JSON lines, each one exchange.
const cassetteFile = "cassette.jsonl"

// An Exchange is a request and its answer, as a line of a cassette. Images are kept as digests.
type Exchange struct {
	Model   string  `json:"model"`
	Request Request `json:"request"`
	Reply   Reply   `json:"reply"`
}

// parseExchange reads a line of a cassette. Its error wraps ErrNoCassette.
func parseExchange(line []byte) (Exchange, error) {
	var x struct {
		Model   string   `json:"model"`
		Request *Request `json:"request"`
		Reply   *Reply   `json:"reply"`
	}
	err := json.Unmarshal(line, &x)
	if err != nil || x.Model == "" || x.Request == nil || x.Reply == nil {
		return Exchange{}, fmt.Errorf("%w: not a recorded exchange: %s",
			ErrNoCassette, oneLine(string(line[:min(len(line), 60)])))
	}
	return Exchange{x.Model, *x.Request, *x.Reply}, nil
}

// digestOf identifies a request by the JSON of all of it, Draw included, with images by
// their digests. A request that does not encode has a temperature that is not a number.
func digestOf(r Request) (key [sha256.Size]byte, err error) {
	data, err := json.Marshal(r)
	if err != nil {
		return key, fmt.Errorf("%w: a request does not encode: %v", ErrFatal, err)
	}
	if bytes.Contains(data, []byte(`\ufffd`)) {
		// Bytes that are not UTF-8 are escaped now, and will be plain letters once they were
		// written and read: take the form after that.
		var again Request
		if err := json.Unmarshal(data, &again); err != nil {
			return key, err
		}
		if data, err = json.Marshal(again); err != nil {
			return key, err
		}
	}
	return sha256.Sum256(data), nil
}

// withDigests fills in digests that are missing, without touching the caller's images.
func withDigests(r Request) Request {
	r.User = slices.Clone(r.User)
	for i, p := range r.User {
		if p.Image != nil && p.Image.Digest == "" {
			r.User[i].Image = NewImage(p.Image.MediaType, p.Image.Data)
		}
	}
	return r
}

// A Recorder is a model whose answers are kept in a cassette. Make one with Record.
type Recorder struct {
	Model
	path string

	mu     sync.Mutex                          // guards what follows
	known  map[[sha256.Size]byte]Reply         // what the file holds of this model, up to size
	asking map[[sha256.Size]byte]chan struct{} // closed when the call has an answer or failed
	size   int64                               // bytes of the file that are in known
}

var _ Model = (*Recorder)(nil)

// Record keeps every answer of m in dir, which it creates, for Replay. A request that the
// cassette holds already is answered from it: equal requests have equal draws and are one
// request, so a run that was killed pays for no answer twice, and what is recorded can be
// replayed. Several Recorders, also of several processes, may share a directory.
func Record(m Model, dir string) (*Recorder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	c := &Recorder{
		Model: m, path: filepath.Join(dir, cassetteFile),
		known: map[[sha256.Size]byte]Reply{}, asking: map[[sha256.Size]byte]chan struct{}{},
	}
	return c, c.locked(func(f *os.File) error { return c.catchUp(f) })
}

// Complete answers from the cassette, or asks and keeps the answer before it returns it. Of equal
// requests at once one asks, and the others wait for its answer.
func (c *Recorder) Complete(ctx context.Context, r Request) (Reply, error) {
	r = withDigests(r)
	key, err := digestOf(r)
	if err != nil {
		return Reply{}, err
	}
	for {
		c.mu.Lock()
		reply, found := c.known[key]
		busy := c.asking[key]
		if !found && busy == nil {
			c.asking[key] = make(chan struct{})
		}
		c.mu.Unlock()
		switch {
		case found:
			return reply, nil
		case busy == nil:
			return c.ask(ctx, key, r)
		}
		select {
		case <-busy:
		case <-ctx.Done():
			return Reply{}, ctx.Err()
		}
	}
}

// ask asks the model and writes the exchange. When another process recorded the same request
// meanwhile, its answer holds.
func (c *Recorder) ask(ctx context.Context, key [sha256.Size]byte, r Request) (Reply, error) {
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		close(c.asking[key])
		delete(c.asking, key)
	}()
	reply, err := c.Model.Complete(ctx, r)
	if err != nil {
		return Reply{}, err
	}
	// JSON would replace what is not UTF-8, and the replay would differ from the run.
	reply.Text = strings.ToValidUTF8(reply.Text, "\uFFFD")
	line, err := json.Marshal(Exchange{c.Name(), r, reply})
	if err != nil {
		return Reply{}, fmt.Errorf("%s: %w", c.path, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	err = c.locked(func(f *os.File) error {
		if err := c.catchUp(f); err != nil {
			return err
		}
		if _, ok := c.known[key]; ok {
			return nil
		}
		_, err := f.WriteAt(append(line, '\n'), c.size)
		if err == nil {
			err = f.Sync()
		}
		if err != nil {
			// What stays of it is a torn line, which the next catchUp cuts off.
			return fmt.Errorf("write %w", err)
		}
		c.size += int64(len(line)) + 1
		c.known[key] = reply
		return nil
	})
	return c.known[key], err
}

// locked opens the file, holds it against other processes while do runs, and closes it.
func (c *Recorder) locked(do func(*os.File) error) (err error) {
	f, err := plain.Open(c.path, os.O_CREATE|os.O_RDWR)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }() // the lock goes with the file
	if err := lock(f); err != nil {
		return err
	}
	return do(f)
}

// lock holds an open file against other processes, until it is closed.
func lock(f *os.File) error {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); {
		case err == nil:
			return nil
		case !errors.Is(err, syscall.EINTR):
			return fmt.Errorf("lock %s: %w", f.Name(), err)
		}
	}
}

// catchUp reads what the file holds beyond size, and cuts off a torn last line: under the
// lock it can only be the mark of a killed writer.
func (c *Recorder) catchUp(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() < c.size {
		return fmt.Errorf("%s: the cassette was cut while it was in use", c.path)
	}
	if info.Size() > plain.Larger {
		return fmt.Errorf("%s: %w", c.path, plain.ErrTooLarge)
	}
	data := make([]byte, info.Size()-c.size)
	if _, err := f.ReadAt(data, c.size); err != nil && len(data) > 0 {
		return fmt.Errorf("read %w", err)
	}
	lines, good, err := splitLines(data)
	if err != nil {
		return fmt.Errorf("%s: %w", c.path, err)
	}
	for _, line := range lines {
		l, err := parseExchange(line)
		if err != nil {
			return fmt.Errorf("%s: %w", c.path, err)
		}
		if l.Model != c.Name() {
			continue
		}
		key, err := digestOf(l.Request)
		if err != nil {
			return err
		}
		if _, ok := c.known[key]; !ok {
			c.known[key] = l.Reply
		}
	}
	c.size += good
	if c.size < info.Size() {
		return f.Truncate(c.size)
	}
	return nil
}

// splitLines returns the complete lines of JSON in data and how many bytes they take. A
// last line that is torn is left out; a bad line before it is an error.
func splitLines(data []byte) (lines [][]byte, good int64, err error) {
	for n := 1; len(data) > 0; n++ {
		line, rest, complete := bytes.Cut(data, []byte("\n"))
		if !complete {
			break
		}
		if !json.Valid(line) {
			if len(rest) == 0 {
				break // its blocks reached the disk out of order
			}
			return nil, 0, fmt.Errorf("line %d is not JSON", n)
		}
		lines = append(lines, line)
		good += int64(len(line)) + 1
		data = rest
	}
	return lines, good, nil
}
