package deepaco

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// The pickles of checkpoints are programs for a stack machine that can call any Python
// function. This reader knows the instructions and the four names that a state dictionary
// needs, and refuses everything else; nothing is ever executed. What it builds is at most as large as what it reads.

// Values of the machine: int, bool, string, tuple, *dict, name, storage, *tensor, and mark.
type (
	tuple []any
	dict  struct {
		keys   []string
		values map[string]any
	}
	name    string // a global: "torch.FloatStorage"
	storage struct {
		kind  name
		key   string // member of the archive that holds the data
		count int
	}
	// tensor is a tensor whose data is still in the archive.
	tensor struct {
		storage
		offset        int
		shape, stride []int
	}
	mark struct{}
)

// Names that a checkpoint may use.
const (
	orderedDict   name = "collections.OrderedDict"
	rebuildTensor name = "torch._utils._rebuild_tensor_v2"
	floatStorage  name = "torch.FloatStorage"
	longStorage   name = "torch.LongStorage"
)

// unpickle runs a pickle of a state dictionary and returns the dictionary.
func unpickle(raw []byte) (*dict, error) {
	m := machine{raw: raw, memo: map[int]any{}}
	for {
		at := m.at
		done, err := m.step()
		if err != nil {
			return nil, fmt.Errorf("pickle, byte %d: %w", at, err)
		}
		if !done {
			continue
		}
		if d, ok := m.stack[len(m.stack)-1].(*dict); ok && len(m.stack) == 1 {
			return d, nil
		}
		return nil, fmt.Errorf("pickle, byte %d: the result is no dictionary", at)
	}
}

type machine struct {
	raw   []byte
	at    int
	stack []any
	memo  map[int]any
}

// step executes one instruction. It reports whether that was the last one.
func (m *machine) step() (done bool, err error) {
	op, err := m.take(1)
	if err != nil {
		return false, err
	}
	switch op[0] {
	case 0x80: // PROTO
		v, err := m.take(1)
		if err == nil && v[0] != 2 {
			err = fmt.Errorf("protocol %d, want 2", v[0])
		}
		return false, err
	case '.': // STOP
		_, err := m.top()
		return true, err
	case '(': // MARK
		return false, m.push(mark{})
	case '}': // EMPTY_DICT
		return false, m.push(newDict())
	case ')': // EMPTY_TUPLE
		return false, m.push(tuple{})
	case 0x89: // NEWFALSE
		return false, m.push(false)
	case 'K', 'M': // BININT1, BININT2
		size := 1
		if op[0] == 'M' {
			size = 2
		}
		n, err := m.number(size)
		if err != nil {
			return false, err
		}
		return false, m.push(n)
	case 'X': // BINUNICODE
		s, err := m.text()
		if err != nil {
			return false, err
		}
		return false, m.push(s)
	case 'c': // GLOBAL
		return false, m.global()
	case 'q', 'r', 'h', 'j': // BINPUT, LONG_BINPUT, BINGET, LONG_BINGET
		return false, m.remember(op[0])
	case 't', 0x85, 0x86: // TUPLE, TUPLE1, TUPLE2
		return false, m.tuple(op[0])
	case 's', 'u': // SETITEM, SETITEMS
		return false, m.set(op[0] == 's')
	case 'Q': // BINPERSID
		return false, m.persistent()
	case 'R': // REDUCE
		return false, m.reduce()
	case 'b': // BUILD
		return false, m.build()
	}
	return false, fmt.Errorf("instruction 0x%02x is not one of a checkpoint", op[0])
}

func (m *machine) take(n int) ([]byte, error) {
	if n > len(m.raw)-m.at {
		return nil, fmt.Errorf("it ends early")
	}
	b := m.raw[m.at : m.at+n]
	m.at += n
	return b, nil
}

// number reads a little-endian unsigned integer of 1, 2 or 4 bytes.
func (m *machine) number(size int) (int, error) {
	b, err := m.take(size)
	if err != nil {
		return 0, err
	}
	return int(binary.LittleEndian.Uint32(append(slices.Clone(b), 0, 0, 0)[:4])), nil
}

func (m *machine) text() (string, error) {
	n, err := m.number(4)
	if err != nil {
		return "", err
	}
	b, err := m.take(n)
	return string(b), err
}

func (m *machine) push(v any) error {
	m.stack = append(m.stack, v)
	return nil
}

func (m *machine) top() (any, error) {
	if len(m.stack) == 0 {
		return nil, fmt.Errorf("the stack is empty")
	}
	return m.stack[len(m.stack)-1], nil
}

func (m *machine) pop() (any, error) {
	v, err := m.top()
	if err == nil {
		m.stack = m.stack[:len(m.stack)-1]
	}
	return v, err
}

// popTo returns what lies above the topmost mark and takes both off.
func (m *machine) popTo() ([]any, error) {
	for i := len(m.stack) - 1; i >= 0; i-- {
		if _, ok := m.stack[i].(mark); ok {
			above := slices.Clone(m.stack[i+1:])
			m.stack = m.stack[:i]
			return above, nil
		}
	}
	return nil, fmt.Errorf("there is no mark")
}

func (m *machine) global() error {
	var parts [2]string
	for i := range parts {
		end := slices.Index(m.raw[m.at:], '\n')
		if end < 0 {
			return fmt.Errorf("it ends early")
		}
		parts[i] = string(m.raw[m.at : m.at+end])
		m.at += end + 1
	}
	n := name(parts[0] + "." + parts[1])
	if !slices.Contains([]name{orderedDict, rebuildTensor, floatStorage, longStorage}, n) {
		return fmt.Errorf("%.80q is not one of a checkpoint's names", string(n))
	}
	return m.push(n)
}

func (m *machine) remember(op byte) error {
	size := 1
	if op == 'r' || op == 'j' {
		size = 4
	}
	n, err := m.number(size)
	if err != nil {
		return err
	}
	if op == 'q' || op == 'r' {
		m.memo[n], err = m.top()
		return err
	}
	v, ok := m.memo[n]
	if !ok {
		return fmt.Errorf("nothing is remembered as %d", n)
	}
	return m.push(v)
}

func (m *machine) tuple(op byte) error {
	if op == 't' {
		items, err := m.popTo()
		if err != nil {
			return err
		}
		return m.push(tuple(items))
	}
	items := make(tuple, int(op-0x84))
	for i := len(items) - 1; i >= 0; i-- {
		v, err := m.pop()
		if err != nil {
			return err
		}
		items[i] = v
	}
	return m.push(items)
}

func newDict() *dict { return &dict{values: map[string]any{}} }

func (m *machine) set(one bool) error {
	var items []any
	if one {
		v, err1 := m.pop()
		k, err2 := m.pop()
		if err1 != nil || err2 != nil {
			return fmt.Errorf("the stack is empty")
		}
		items = []any{k, v}
	} else {
		var err error
		if items, err = m.popTo(); err != nil {
			return err
		}
	}
	top, err := m.top()
	if err != nil {
		return err
	}
	d, ok := top.(*dict)
	if !ok || len(items)%2 != 0 {
		return fmt.Errorf("items for what is no dictionary")
	}
	for i := 0; i < len(items); i += 2 {
		key, ok := items[i].(string)
		if !ok {
			return fmt.Errorf("a key that is no string")
		}
		if _, ok := d.values[key]; ok {
			return fmt.Errorf("%.80q twice", key)
		}
		d.keys = append(d.keys, key)
		d.values[key] = items[i+1]
	}
	return nil
}

// persistent turns ("storage", kind, key, device, count) into a storage.
func (m *machine) persistent() error {
	v, err := m.pop()
	if err != nil {
		return err
	}
	t, ok := v.(tuple)
	if !ok || len(t) != 5 || t[0] != any("storage") {
		return fmt.Errorf("a persistent object that is no storage")
	}
	kind, ok1 := t[1].(name)
	key, ok2 := t[2].(string)
	_, ok3 := t[3].(string)
	count, ok4 := t[4].(int)
	if !ok1 || !ok2 || !ok3 || !ok4 || kind != floatStorage && kind != longStorage {
		return fmt.Errorf("a storage that is none of float32 or int64")
	}
	return m.push(storage{kind, key, count})
}

// reduce calls one of the two functions that a checkpoint may call.
func (m *machine) reduce() error {
	args, err1 := m.pop()
	f, err2 := m.pop()
	if err1 != nil || err2 != nil {
		return fmt.Errorf("the stack is empty")
	}
	t, ok := args.(tuple)
	switch {
	case ok && f == any(orderedDict) && len(t) == 0:
		return m.push(newDict())
	case ok && f == any(rebuildTensor) && len(t) == 6:
		s, ok1 := t[0].(storage)
		offset, ok2 := t[1].(int)
		shape, ok3 := ints(t[2])
		stride, ok4 := ints(t[3])
		if !ok1 || !ok2 || !ok3 || !ok4 {
			return fmt.Errorf("a tensor of other parts than storage, offset, shape and stride")
		}
		return m.push(&tensor{s, offset, shape, stride})
	}
	return fmt.Errorf("a call that no checkpoint makes")
}

func ints(v any) ([]int, bool) {
	t, ok := v.(tuple)
	if !ok {
		return nil, false
	}
	out := make([]int, len(t))
	for i, item := range t {
		if out[i], ok = item.(int); !ok {
			return nil, false
		}
	}
	return out, true
}

// build drops the attributes that are given to a dictionary: version numbers of modules.
func (m *machine) build() error {
	if _, err := m.pop(); err != nil {
		return err
	}
	v, err := m.top()
	if err != nil {
		return err
	}
	if _, ok := v.(*dict); !ok {
		return fmt.Errorf("attributes for what is no dictionary")
	}
	return nil
}
