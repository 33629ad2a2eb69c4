package llm

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/pacebench/pacebench/internal/plain"
)

// cassetteFile is the cassette's file in its directory: JSON lines, one exchange per line.
const cassetteFile = "cassette.jsonl"

// An Exchange is a request and its answer, as a line of a cassette. Images are kept as digests.
type Exchange struct {
	Model   string  `json:"model"`
	Request Request `json:"request"`
	Reply   Reply   `json:"reply"`
}

// digestOf identifies a request by its JSON, Draw included. Images are replaced by their digests.
// Encoding fails only if the temperature is not finite.
func digestOf(r Request) (key [sha256.Size]byte, err error) {
	data, err := json.Marshal(r)
	if err != nil {
		return key, fmt.Errorf("%w: a request does not encode: %v", ErrFatal, err)
	}
	if bytes.Contains(data, []byte(`\ufffd`)) {
		// Marshal writes bytes that are not UTF-8 as escapes. After the JSON has been read back,
		// Marshal writes them as plain characters. Use the second form.
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

// withDigests fills in missing digests without changing the caller's images.
func withDigests(r Request) Request {
	r.User = slices.Clone(r.User)
	for i, p := range r.User {
		if p.Image != nil && p.Image.Digest == "" {
			r.User[i].Image = NewImage(p.Image.MediaType, p.Image.Data)
		}
	}
	return r
}

// A Recorder is a model that keeps its answers in a cassette. Make one with Record.
type Recorder struct {
	Model
	path string

	mu     sync.Mutex                          // guards the fields below
	known  map[[sha256.Size]byte]Reply         // this model's answers up to size
	asking map[[sha256.Size]byte]chan struct{} // closed when the call has an answer or failed
	size   int64                               // bytes of the file that were read, of all models
	lines  int                                 // lines of the file that were read, of all models
}

var _ Model = (*Recorder)(nil)

// Record keeps every answer of m in dir for OpenPlayer; it creates dir. A request that is already
// in the cassette is answered from it, so a run that was killed and repeated pays for no recorded
// answer twice. Requests with different draws are different. Several Recorders, in several
// processes, may share a directory.
func Record(m Model, dir string) (*Recorder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	c := &Recorder{
		Model: m, path: filepath.Join(dir, cassetteFile),
		known: map[[sha256.Size]byte]Reply{}, asking: map[[sha256.Size]byte]chan struct{}{},
	}
	return c, c.locked(c.catchUp)
}

// Complete answers from the cassette, or asks the model and keeps the answer before it returns it.
// If equal requests arrive concurrently, one call asks and the other calls wait for its answer.
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

// ask asks the model and writes the exchange. If another process recorded the same request
// meanwhile, ask returns that answer.
func (c *Recorder) ask(ctx context.Context, key [sha256.Size]byte, r Request) (Reply, error) {
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		close(c.asking[key])
		delete(c.asking, key)
	}()
	// Another process may have recorded the answer since the last look.
	c.mu.Lock()
	err := c.locked(c.catchUp)
	reply, found := c.known[key]
	c.mu.Unlock()
	if err != nil || found {
		return reply, err
	}
	reply, err = c.Model.Complete(ctx, r)
	if err != nil {
		return Reply{}, err
	}
	// JSON would replace bytes that are not UTF-8, and a replay would then differ from the run.
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
			err = plain.Synced(f.Sync())
		}
		if err != nil {
			// The next catchUp cuts off the torn line that remains.
			return fmt.Errorf("the cassette: %w", err)
		}
		c.size += int64(len(line)) + 1
		c.lines++
		c.known[key] = reply
		return nil
	})
	return c.known[key], err
}

// locked opens the file, locks it against other processes while do runs, and closes it.
func (c *Recorder) locked(do func(*os.File) error) (err error) {
	f, err := plain.Open(c.path, os.O_CREATE|os.O_RDWR)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	release, err := plain.Hold(f)
	if err != nil {
		return err
	}
	defer release()
	return do(f)
}

// catchUp reads the file's lines after size and cuts off a torn last line. Under the lock, a
// torn line can only come from a killed writer.
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
		return fmt.Errorf("the cassette: %w", err)
	}
	exchanges, good, err := parse(data, c.lines)
	if err != nil {
		return fmt.Errorf("%s: %w", c.path, err)
	}
	for _, x := range exchanges {
		if x.Model != c.Name() {
			continue
		}
		key, err := digestOf(x.Request)
		if err != nil {
			return err
		}
		if _, ok := c.known[key]; !ok {
			c.known[key] = x.Reply
		}
	}
	c.size += good
	c.lines += bytes.Count(data[:good], []byte("\n"))
	if c.size < info.Size() {
		return f.Truncate(c.size)
	}
	return nil
}

// parse reads the complete lines of a cassette, and returns their number of bytes. It leaves out a
// torn last line; any other bad line is an error, which wraps ErrNoCassette if the line is JSON.
// Errors count the lines from the start of the file, which has n lines before data.
func parse(data []byte, n int) (all []Exchange, good int64, err error) {
	for line := range bytes.Lines(data) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		if n++; !json.Valid(line) {
			if int(good)+len(line) == len(data) {
				break // the line's blocks reached the disk out of order
			}
			return nil, 0, fmt.Errorf("line %d is not JSON", n)
		}
		var x struct {
			Model   string   `json:"model"`
			Request *Request `json:"request"`
			Reply   *Reply   `json:"reply"`
		}
		fails := json.Unmarshal(line, &x)
		if err == nil && (fails != nil || x.Model == "" || x.Request == nil || x.Reply == nil) {
			err = fmt.Errorf("line %d: %w: not a recorded exchange: %s",
				n, ErrNoCassette, oneLine(string(line[:min(len(line), 60)])))
		}
		if good += int64(len(line)); err == nil {
			all = append(all, Exchange{x.Model, *x.Request, *x.Reply})
		}
	}
	return all, good, err
}

// ErrNotRecorded means that a replayed model was asked something that is not in its cassette.
var ErrNotRecorded = errors.New("this request is not recorded")

// A Player answers from a cassette. Make one with OpenPlayer.
type Player struct {
	path     string
	name     string
	models   map[string]string // by role, as the recorded run's header had them
	replies  map[[sha256.Size]byte]recorded
	requests []Request // as recorded, to find the nearest request
}

type recorded struct {
	model string
	reply Reply
	clash string // another model for which the same request was recorded, or ""
}

var _ Model = (*Player)(nil)

// ErrNoCassette means that a path is not a cassette. It may be a run instead: see package results.
var ErrNoCassette = errors.New("no cassette")

// OpenPlayer returns a Player for the cassette at path, which is the directory that Record wrote or
// the file in it. A torn last line is skipped. The player keeps no file open.
func OpenPlayer(path string) (*Player, error) {
	file := path
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if info.IsDir() {
		file = filepath.Join(path, cassetteFile)
	}
	data, err := plain.Read(file, plain.Larger)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf(
			"%s: %w: it contains neither %s (see --record) nor a run's journal.jsonl",
			path, ErrNoCassette, cassetteFile)
	}
	if err != nil {
		return nil, err
	}
	p, err := playLines(path, data)
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return p, err
}

func playLines(path string, data []byte) (*Player, error) {
	exchanges, _, err := parse(data, 0)
	if err != nil {
		return nil, err
	}
	return Play(path, modelsByRole(exchanges), exchanges)
}

// Play answers from exchanges that were read from path. If one model answered a request several
// times, the first answer counts. models are the names of the recorded run's models by role.
func Play(path string, models map[string]string, exchanges []Exchange) (*Player, error) {
	p := &Player{path: path, models: models, replies: map[[sha256.Size]byte]recorded{}}
	for i, x := range exchanges {
		key, err := digestOf(x.Request)
		if err != nil {
			return nil, fmt.Errorf("exchange %d: %w", i+1, err)
		}
		old, ok := p.replies[key]
		switch {
		case !ok:
			p.replies[key] = recorded{model: x.Model, reply: x.Reply}
			p.requests = append(p.requests, x.Request)
		case old.model != x.Model && old.clash == "":
			old.clash = x.Model
			p.replies[key] = old
		}
	}
	if len(p.replies) == 0 {
		return nil, errors.New("no exchange is recorded here")
	}
	names := slices.Compact(slices.Sorted(maps.Values(p.models)))
	p.name = cmp.Or(strings.Join(names, "+"), "replay")
	return p, nil
}

// modelsByRole infers the recorded run's models from the models that answered each role: the model
// of the role "algorithm" for all roles, and another for each role that differs. If several models
// answered a role, as in recordings of several runs, or no model answered "algorithm", the names of
// all models are joined by "+".
func modelsByRole(exchanges []Exchange) map[string]string {
	all, byRole, mixed := []string{}, map[string]string{}, false
	for _, x := range exchanges {
		role := x.Request.Purpose.Role()
		mixed = mixed || byRole[role] != "" && byRole[role] != x.Model
		byRole[role] = x.Model
		all = append(all, x.Model)
	}
	main, ok := byRole["algorithm"]
	if !ok || mixed {
		slices.Sort(all)
		return map[string]string{"": strings.Join(slices.Compact(all), "+")}
	}
	maps.DeleteFunc(byRole, func(_, name string) bool { return name == main })
	byRole[""] = main
	return byRole
}

// Name returns the name of the recorded model, because the answers come from that model. Several
// names are joined by "+".
func (p *Player) Name() string { return p.name }

// Models returns the names by role, so that a replayed run has the header of the recorded run.
func (p *Player) Models() map[string]string { return maps.Clone(p.models) }

// Complete returns the recorded answer. A request without an answer, or with answers of two models,
// is an error that wraps ErrNotRecorded and ErrFatal.
func (p *Player) Complete(ctx context.Context, r Request) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	r = withDigests(r)
	key, err := digestOf(r)
	if err != nil {
		return Reply{}, err
	}
	found, ok := p.replies[key]
	what := fmt.Sprintf("replay:%s: request %s (%s, draw %d)",
		p.path, hex.EncodeToString(key[:6]), r.Purpose, r.Draw) // enough to recognise the request
	switch {
	case !ok:
		return Reply{}, &missing{fmt.Sprintf("%s: %v: %s", what, ErrNotRecorded, p.nearest(r)),
			"a replay needs the task, method, seed and settings that were recorded, " +
				"and the same version of pacebench"}
	case found.clash != "":
		return Reply{}, &missing{fmt.Sprintf(
			"%s: answers of two models are recorded for it, %s and %s",
			what, found.model, found.clash),
			"replay one of the runs instead, or a recording of one model"}
	}
	return found.reply, nil
}

// missing is the error for a request without an answer, or with answers of two models.
type missing struct{ text, advice string }

func (m *missing) Error() string   { return m.text }
func (m *missing) Unwrap() []error { return []error{ErrNotRecorded, ErrFatal} }
func (m *missing) Hint() string    { return m.advice }

// nearest describes in one line how the most similar recorded request differs from r.
func (p *Player) nearest(r Request) string {
	best, similarity := -1, -1
	text := promptText(r)
	for i, old := range p.requests {
		s := commonPrefix(promptText(old), text)
		if old.Purpose == r.Purpose {
			s += 1 << 30 // the same purpose counts more than any common text
		}
		if s > similarity || s == similarity && old.Draw == r.Draw {
			best, similarity = i, s
		}
	}
	return "the nearest request " + difference(p.requests[best], r)
}

// difference names the first field that differs, with both values.
func difference(old, now Request) string {
	was, is := promptText(old), promptText(now)
	if old.Purpose == now.Purpose && was != is {
		at := commonPrefix(was, is)
		line := strings.Count(is[:at], "\n") + 1
		return fmt.Sprintf("differs in line %d of its prompt: recorded %q, asked %q",
			line, excerpt(was, at), excerpt(is, at))
	}
	for _, f := range []struct {
		name    string
		was, is any
	}{
		{"purpose", old.Purpose, now.Purpose}, {"draw", old.Draw, now.Draw},
		{"temperature", old.Temperature, now.Temperature},
		{"max_tokens", old.MaxTokens, now.MaxTokens},
	} {
		if f.was != f.is {
			return fmt.Sprintf("has %s %v, not %v", f.name, f.was, f.is)
		}
	}
	return "has the same text in different parts"
}

// promptText is all text of a request, with images as their digests.
func promptText(r Request) string {
	var b strings.Builder
	b.WriteString(r.System)
	for _, p := range r.User {
		b.WriteString("\n" + p.Text)
		if p.Image != nil {
			b.WriteString("[image " + p.Image.Digest + "]")
		}
	}
	return b.String()
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// excerpt returns a bounded part of the line around a position. If the line ends there, the excerpt
// continues into the next line.
func excerpt(text string, at int) string {
	start := max(strings.LastIndexByte(text[:at], '\n')+1, at-30)
	rest, _, _ := strings.Cut(text[at:], "\n")
	if rest == "" {
		rest = text[at:]
	}
	return strings.ToValidUTF8(text[start:at]+rest[:min(len(rest), 30)], "")
}
