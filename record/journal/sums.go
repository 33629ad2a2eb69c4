package journal

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/internal/plain"
)

// ErrChanged means that a line changed after it was written: a disk failed, or a person edited it.
var ErrChanged = errors.New("the line has changed since it was written")

// A journal's checksums are in their own file: journal.crc has the CRC-32C of every line of
// journal.jsonl, in hex. They reveal changes that leave valid JSON, such as another digit in a
// score. A checksum is written after its line is on disk, and is not flushed, so a line without a
// checksum is accepted.
const sumLength = 9 // bytes of a checksum: 8 digits and a newline

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func sumsPath(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ".crc" }

func sumsOf(lines [][]byte) (out []byte) {
	for _, line := range lines {
		out = fmt.Appendf(out, "%08x\n", crc32.Checksum(line, castagnoli))
	}
	return out
}

// readSums returns the checksums of the journal at path, up to the first torn one.
func readSums(path string) ([]byte, error) {
	data, err := plain.Read(sumsPath(path), plain.Large)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	whole := 0
	for ; whole+sumLength <= len(data); whole += sumLength {
		digits, newline := data[whole:whole+sumLength-1], data[whole+sumLength-1]
		if _, err := strconv.ParseUint(string(digits), 16, 32); err != nil || newline != '\n' {
			break
		}
	}
	return data[:whole], nil
}

// checkSums compares lines with the checksums that exist.
func checkSums(path string, lines [][]byte, sums []byte) error {
	n := min(len(lines), len(sums)/sumLength)
	is := sumsOf(lines[:n])
	for i := range n {
		if at := i * sumLength; !bytes.Equal(is[at:at+sumLength], sums[at:at+sumLength]) {
			return fmt.Errorf("%s:%d: %w", path, i+1, ErrChanged)
		}
	}
	return nil
}

// openSums opens the checksums for appending, and adds the missing checksums of lines, which have
// been read and checked.
func openSums(path string, lines [][]byte) (*os.File, error) {
	want := sumsOf(lines)
	now, err := plain.Read(sumsPath(path), plain.Large)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if !bytes.Equal(now, want) {
		if err := WriteFile(sumsPath(path), want); err != nil {
			return nil, err
		}
	}
	return plain.Open(sumsPath(path), os.O_CREATE|os.O_WRONLY|os.O_APPEND)
}

// RemoveSums removes the checksums of the journal at path: a packed journal contains its own
// checksum.
func RemoveSums(path string) error { return remove(sumsPath(path)) }
