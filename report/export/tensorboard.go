package export

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/record/results"
)

// eventsFile begins as TensorBoard wants it; one run has one file, so no time is in its name.
const eventsFile = "events.out.tfevents.0.pacebench"

// TensorBoard writes an events file for each run into a directory of its own below dir: the value
// of every evaluation, the best so far, faults and tokens, by evaluation. Its clock is the time
// spent on evaluations, from 0. Files of an earlier export that this one lacks are removed.
func TensorBoard(
	v results.Vocabularies, runs []*results.Run, dir string,
) (paths []string, err error) {
	taken := map[string]bool{}
	for _, r := range runs {
		d, err := results.Open(v, r.Dir)
		if err != nil {
			return nil, err
		}
		name := place(r)
		for n := 2; taken[name]; n++ { // models that differ in odd characters alone
			name = fmt.Sprintf("%s~%d", place(r), n)
		}
		taken[name] = true
		path := filepath.Join(dir, name, eventsFile)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		journal.Sweep(filepath.Dir(path)) // TensorBoard would read what a dead process left
		var b bytes.Buffer
		if err := events(&b, d); err != nil {
			return nil, err
		}
		if err := journal.WriteFile(path, b.Bytes()); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, journal.Supersede(dir, listFile, paths)
}

var odd = regexp.MustCompile(`[^A-Za-z0-9.=,@-]+`)

// place is the directory of a run's events, which TensorBoard shows as its name.
func place(r *results.Run) string {
	k := r.Key()
	path := ""
	h := r.Header
	for _, part := range []string{k.Task, k.Row(), k.Models, h.Lock, fmt.Sprint(h.Seed)} {
		if part != "" {
			path = filepath.Join(path, strings.Trim(odd.ReplaceAllString(part, "-"), "."))
		}
	}
	return path
}

type scalar struct {
	tag   string
	value float64
}

func events(w io.Writer, d *results.Detail) error {
	version := protowire.AppendTag(wall(0), 3, protowire.BytesType)
	if err := frame(w, protowire.AppendString(version, "brain.Event:2")); err != nil {
		return err
	}
	spent, total := map[*results.Step]int{}, 0 // tokens when a step was committed
	for _, s := range d.Steps {
		for _, x := range s.Exchanges {
			total += x.Reply.Usage.Total()
		}
		spent[s] = total
	}
	clock, tokens, faults, last := 0.0, 0, 0, 0
	var best *float64
	for _, p := range d.Programs {
		clock += p.Seconds
		tokens, last = spent[d.StepOf(p)], p.Evaluation
		values := []scalar{{"tokens", float64(tokens)}}
		if p.Fault != nil {
			faults++
		} else {
			values = append(values, scalar{"value", *p.Value})
		}
		if p.Best {
			best = p.Value
		}
		if best != nil {
			values = append(values, scalar{"best so far", *best})
		}
		values = append(values, scalar{"faults", float64(faults)})
		if err := frame(w, event(clock, p.Evaluation, values)); err != nil {
			return err
		}
	}
	if total > tokens { // of steps without a program, after the last evaluation
		return frame(w, event(clock, last, []scalar{{"tokens", float64(total)}}))
	}
	return nil
}

// wall begins an Event (tensorflow/core/util/event.proto) with its time in seconds.
func wall(seconds float64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(nil, 1, protowire.Fixed64Type),
		math.Float64bits(seconds))
}

func event(seconds float64, step int, values []scalar) []byte {
	var summary []byte
	for _, s := range values {
		v := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), s.tag)
		v = protowire.AppendFixed32(protowire.AppendTag(v, 2, protowire.Fixed32Type),
			math.Float32bits(float32(s.value)))
		summary = protowire.AppendBytes(protowire.AppendTag(summary, 1, protowire.BytesType), v)
	}
	e := protowire.AppendVarint(protowire.AppendTag(wall(seconds), 2, protowire.VarintType),
		uint64(step))
	return protowire.AppendBytes(protowire.AppendTag(e, 5, protowire.BytesType), summary)
}

// frame writes an event as a TFRecord: its length and its bytes, each with a masked CRC-32C.
func frame(w io.Writer, data []byte) error {
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	out := binary.LittleEndian.AppendUint32(length, masked(length))
	out = binary.LittleEndian.AppendUint32(append(out, data...), masked(data))
	_, err := w.Write(out)
	return err
}

func masked(data []byte) uint32 {
	sum := crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))
	return (sum>>15 | sum<<17) + 0xa282ead8
}
