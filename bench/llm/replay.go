package llm

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/internal/plain"
)

// ErrNotRecorded means that a replayed model was asked something that its cassette does not hold.
var ErrNotRecorded = errors.New("this request is not recorded")

// A Player answers from a cassette. Make one with Replay.
type Player struct {
	path     string
	name     string
	models   map[string]string // by role, as the recorded run's header had them
	replies  map[[sha256.Size]byte]recorded
	requests []Request // as recorded, to find the nearest one
}

type recorded struct {
	model string
	reply Reply
	clash string // another model that the same request was recorded of, or ""
}

var _ Model = (*Player)(nil)

// ErrNoCassette means that a path is not a cassette. It may still be a run: see package results.
var ErrNoCassette = errors.New("no cassette")

// Replay answers from the cassette that Record wrote in dir. path may also be the file itself. A
// torn last line is passed over. The player keeps no file open.
func Replay(path string) (*Player, error) {
	file := path
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if info.IsDir() {
		file = filepath.Join(path, cassetteFile)
	}
	data, err := plain.Read(file, plain.Larger)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w: holds neither %s (see --record) nor a run's journal.jsonl",
			path, ErrNoCassette, cassetteFile)
	}
	if err != nil {
		return nil, err
	}
	p, err := playLines(path, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}

// playLines answers from the content of a cassette.
func playLines(path string, data []byte) (*Player, error) {
	lines, _, err := splitLines(data)
	if err != nil {
		return nil, err
	}
	var exchanges []Exchange
	for i, line := range lines {
		x, err := parseExchange(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		exchanges = append(exchanges, x)
	}
	return Play(path, modelsByRole(exchanges), exchanges)
}

// Play answers from exchanges that were read from path, each request as it was answered first.
// models are the names of the recorded run's models by role.
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

// modelsByRole tells from the models that each role was answered by which models the
// recorded run had: the one of the role "algorithm" for all roles, and another one for each
// role that differs. Where a role was answered by several, the recordings of several runs
// are mixed, and all names are joined by "+".
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

// Name is the name of the model that was recorded, since its answers are that model's.
// Several names are joined by "+".
func (p *Player) Name() string { return p.name }

// Models is the names by role, so that the header of a replayed run is that of the run itself.
func (p *Player) Models() map[string]string { return maps.Clone(p.models) }

// Complete answers what was recorded. Anything else is an error that wraps ErrNotRecorded
// and ErrFatal and names the nearest recorded request.
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
		p.path, hex.EncodeToString(key[:6]), r.Purpose, r.Draw) // enough to find it by eye
	switch {
	case !ok:
		return Reply{}, &missing{fmt.Sprintf("%s: %v: %s", what, ErrNotRecorded, p.nearest(r))}
	case found.clash != "":
		return Reply{}, &missing{fmt.Sprintf("%s: it is recorded of two models, %s and %s",
			what, found.model, found.clash)}
	}
	return found.reply, nil
}

// missing is an answer that a cassette does not have.
type missing struct{ text string }

func (m *missing) Error() string   { return m.text }
func (m *missing) Unwrap() []error { return []error{ErrNotRecorded, ErrFatal} }

// Hint says what makes a replay ask what was not asked before.
func (m *missing) Hint() string {
	return "a replay needs the task, method, seed and settings that were recorded, " +
		"and the same version of pacebench"
}

// nearest says in one line how the recorded request that is most like r differs from it.
func (p *Player) nearest(r Request) string {
	best, similarity := -1, -1
	text := promptText(r)
	for i, old := range p.requests {
		s := commonPrefix(promptText(old), text)
		if old.Purpose == r.Purpose {
			s += 1 << 30 // another purpose is another prompt, however much they share
		}
		if s > similarity || s == similarity && old.Draw == r.Draw {
			best, similarity = i, s
		}
	}
	return "the nearest one " + difference(p.requests[best], r)
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
	return "is divided into other parts"
}

// promptText is all text of a request, images as their digests.
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
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// excerpt is the line around a position, bounded; where the line ends there, with some of the next.
func excerpt(text string, at int) string {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	start = max(start, at-30)
	rest, _, _ := strings.Cut(text[at:], "\n")
	if rest == "" {
		rest = text[at:]
	}
	return strings.ToValidUTF8(text[start:at]+rest[:min(len(rest), 30)], "")
}
