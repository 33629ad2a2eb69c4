package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
)

// elideOver is the length from which strings of a journal are not decoded: prompts, replies and sources
// are nine tenths of it and no number comes from them. Ours: longer than any field that is read.
const elideOver = 1024

// skimmed is a journal line without its texts.
type skimmed struct {
	Header *bench.Header     `json:"header"`
	Step   *skimmedStep      `json:"step"`
	Note   *bench.NoteRecord `json:"note"`
}

type skimmedStep struct {
	Number   int `json:"number"`
	Requests []struct {
		Request struct {
			Purpose llm.Purpose `json:"purpose"`
		} `json:"request"`
		Reply struct {
			Usage llm.Usage `json:"usage"`
		} `json:"reply"`
	} `json:"requests"`
	Evaluations []struct {
		Evaluation int          `json:"evaluation"`
		Score      float64      `json:"score"`
		Values     []float64    `json:"values"`
		Fault      *bench.Fault `json:"fault"`
	} `json:"evaluations"`
	Notes []bench.NoteRecord `json:"notes"`
}

// readJournal reads a journal into the run: it may be written to at the same time. A torn last line, the mark
// of a killed writer, is passed over.
func (r *Run) readJournal(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.skim(f)
}

func (r *Run) skim(f io.Reader) error {
	var (
		in     = bufio.NewReaderSize(f, 256<<10)
		acc    = newTally(r)
		long   []byte // a line that does not fit the reader's buffer
		short  []byte // the line without its texts
		broken error  // the last line read, unless another follows
	)
	for n := 1; ; n++ {
		line, err := readLine(in, &long)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if broken != nil {
			return broken
		}
		if n > 1 {
			short = elide(short[:0], line, elideOver)
			line = short
		}
		var rec skimmed
		if err := json.Unmarshal(line, &rec); err != nil {
			broken = fmt.Errorf("journal.jsonl:%d: %w", n, err)
			continue
		}
		switch {
		case n == 1 && rec.Header == nil:
			return errors.New("journal.jsonl: its first line is no header")
		case n == 1 && rec.Header.Format != bench.FormatVersion:
			return fmt.Errorf("journal.jsonl: format %d, this program reads format %d", rec.Header.Format, bench.FormatVersion)
		case n == 1:
			r.Header, r.Journal = *rec.Header, true
		case rec.Step != nil:
			acc.step(rec.Step)
		case rec.Note != nil:
			acc.note(*rec.Note)
		default:
			return fmt.Errorf("journal.jsonl:%d: not a record of this format", n)
		}
	}
	if !r.Journal {
		return errors.New("journal.jsonl: empty")
	}
	acc.finish()
	return nil
}

// readLine returns the next complete line without its newline, valid until the next call; io.EOF when only a torn one is left.
func readLine(in *bufio.Reader, long *[]byte) ([]byte, error) {
	*long = (*long)[:0]
	for {
		part, err := in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			*long = append(*long, part...)
			continue
		}
		if err != nil {
			return nil, err
		}
		part = part[:len(part)-1]
		if len(*long) == 0 {
			return part, nil
		}
		*long = append(*long, part...)
		return *long, nil
	}
}

// elide appends a line of JSON to dst with every string longer than most bytes made empty. It looks for
// quotes only, which is what makes a report over a hundred runs a matter of seconds; what comes out is JSON when what went in was.
func elide(dst, line []byte, most int) []byte {
	for {
		start := bytes.IndexByte(line, '"')
		if start < 0 {
			return append(dst, line...)
		}
		length := stringLength(line[start+1:])
		if length < 0 {
			return append(dst, line...)
		}
		end := start + 1 + length + 1
		if length > most {
			dst = append(append(dst, line[:start]...), `""`...)
		} else {
			dst = append(dst, line[:end]...)
		}
		line = line[end:]
	}
}

// stringLength is the number of bytes before the quote that ends a string; -1 when none does.
func stringLength(s []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(s[from:], '"')
		if i < 0 {
			return -1
		}
		end := from + i
		slashes := 0
		for end-slashes > from && s[end-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return end
		}
		from = end + 1
	}
}
