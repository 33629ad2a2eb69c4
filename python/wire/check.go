package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/pacebench/pacebench/bench"
)

// The kinds of values in a bench.Packed; pacebench/values.py describes their layout and has the
// same constants.
const (
	packNone = iota
	packFalse
	packTrue
	packInt
	packBig
	packFloat
	packComplex
	packText
	packRaw
	packList
	packTuple
	packDict
	packArray
	packScalar
	packRow
	packTable
	packKept
)

const (
	maxDepth = 32 + 2 // levels, including the two of a call's arguments
	maxBig   = 513    // bytes of an int

	// maxBuilt bounds roughly the bytes that Python allocates for a value: an empty list takes five
	// bytes in a message and 64 in memory. A candidate's memory limit is usually larger.
	maxBuilt = 256 << 20

	// maxExtent bounds the product of an array's dimensions that are not 0, because the sum along
	// an axis of an empty array may have that many numbers. Arrays with numbers are bounded by
	// their bytes.
	maxExtent = 64 << 20
)

// ErrTooLarge means that Python would need too much memory for a value.
var ErrTooLarge = errors.New("a value that takes too much memory")

// packSizes has the size of a number in bytes, by its code in values.py: the types of bench.DTypes,
// and complex numbers.
var packSizes = func() (sizes []int) {
	for _, t := range bench.DTypes {
		sizes = append(sizes, t.Size)
	}
	return append(sizes, 8, 16)
}()

// Told describes a packed value for messages: a number as text, and any other value by its size.
func Told(b []byte) string {
	switch {
	case len(b) == 9 && b[0] == packInt:
		return strconv.FormatInt(int64(binary.LittleEndian.Uint64(b[1:])), 10)
	case len(b) == 9 && b[0] == packFloat:
		return fmt.Sprint(math.Float64frombits(binary.LittleEndian.Uint64(b[1:])))
	}
	return fmt.Sprintf("a value of %d bytes", len(b))
}

// Check walks through the bytes of a value without building it. It refuses malformed bytes, and a
// value for which Python needs too much memory (ErrTooLarge). kept is the number of arrays that the
// process keeps, to which a value may refer by number.
func Check(b []byte, kept int) error {
	c := checker{rest: b, kept: uint64(kept)}
	c.value(0, false)
	c.refuse(len(c.rest) > 0)
	return c.err
}

// A checker walks through the bytes of a value.
type checker struct {
	rest  []byte
	kept  uint64
	built uint64 // bytes that Python needs so far
	err   error  // the first error; it ends the walk
}

// refuse ends the walk if something is wrong.
func (c *checker) refuse(wrong bool) {
	if wrong && c.err == nil {
		c.err = ErrMessage
	}
}

func (c *checker) build(n uint64) {
	if c.built += n; c.built > maxBuilt && c.err == nil {
		c.err = ErrTooLarge
	}
}

func (c *checker) take(n uint64) (taken []byte) {
	c.refuse(n > uint64(len(c.rest)))
	if c.err == nil {
		taken, c.rest = c.rest[:n], c.rest[n:]
	}
	return taken
}

// number returns the next unsigned integer, of size bytes.
func (c *checker) number(size uint64) uint64 {
	var word [8]byte
	copy(word[:], c.take(size))
	return binary.LittleEndian.Uint64(word[:])
}

// value checks one value. Only scalars and tuples of scalars can be keys.
func (c *checker) value(depth int, key bool) {
	c.build(64)
	switch kind := c.number(1); kind {
	case packNone, packFalse, packTrue:
	case packInt, packFloat:
		c.take(8)
	case packComplex:
		c.take(16)
	case packBig:
		n := c.number(2)
		c.refuse(n > maxBig)
		c.take(n)
	case packText:
		text := c.take(c.number(4))
		c.build(4 * uint64(len(text))) // one rare character makes all characters take four bytes
		c.refuse(!utf8.Valid(text))
	case packRaw:
		c.build(uint64(len(c.take(c.number(4)))))
	case packList, packTuple, packDict:
		c.refuse(depth >= maxDepth || key && kind != packTuple)
		for n := c.number(4); n > 0 && c.err == nil; n-- {
			if kind == packDict {
				c.build(128)
				c.value(depth+1, true)
			}
			c.value(depth+1, key)
		}
	case packArray:
		c.refuse(key)
		c.array()
	case packScalar:
		c.data(c.number(1), 1)
	case packRow:
		form, code, n := c.number(1), c.number(1), c.number(4)
		c.refuse(form > 1 || key && form != 1)
		c.row(code, n)
	case packTable:
		form, code, rows, columns := c.number(1), c.number(1), c.number(4), c.number(4)
		c.refuse(depth+1 >= maxDepth || form > 3 || key && form != 3 || rows == 0 || columns == 0)
		c.build(64 * rows)
		c.row(code, rows*columns)
	case packKept:
		c.refuse(key || c.number(4) >= c.kept)
	default:
		c.refuse(true)
	}
}

func (c *checker) array() {
	c.build(128) // the array itself
	dtype, dimensions := c.number(1), c.number(1)
	c.refuse(dimensions > maxDims)
	shape, count, empty := c.take(8*dimensions), uint64(1), false
	for ; len(shape) > 0; shape = shape[8:] {
		n := binary.LittleEndian.Uint64(shape)
		empty, n = empty || n == 0, max(n, 1)
		if n > maxExtent/count {
			c.refuse(true)
			return
		}
		count *= n
	}
	if empty {
		count = 0
	}
	c.data(dtype, count)
}

// data checks numbers of one of NumPy's types.
func (c *checker) data(dtype, count uint64) {
	c.refuse(dtype >= uint64(len(packSizes)))
	if c.err != nil {
		return
	}
	data := c.take(count * uint64(packSizes[dtype]))
	c.build(uint64(len(data)))
	if dtype > 0 {
		return
	}
	for _, b := range data { // bools
		c.refuse(b > 1)
	}
}

// row checks the numbers of a row or a table, whose type is a code of Python's array.
func (c *checker) row(code, count uint64) {
	size := map[uint64]uint64{'b': 1, 'h': 2, 'i': 4, 'q': 8, 'd': 8}[code]
	c.refuse(size == 0 || count > maxBuilt)
	c.build(40 * min(count, maxBuilt))
	c.take(size * min(count, maxBuilt))
}
