//go:build linux && (amd64 || arm64)

package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/python/wire"
)

// The sequence numbers of the questions that a candidate sees: the prelude's is 1.
const (
	loadQuestion = 2
	callQuestion = 3
)

// moments are the moments at which a candidate can write a frame into its pipe. Each has a source
// that writes FRAME, which is the frame's bytes.
var moments = []struct {
	name     string
	sequence uint16
	source   string
}{
	{"at import", loadQuestion, "os.write(4, FRAME)\ndef f():\n    return 1\n"},
	{"at import, and leaves", loadQuestion, "os.write(4, FRAME)\nos._exit(0)\n"},
	{"at import, and sleeps", loadQuestion, "os.write(4, FRAME)\ntime.sleep(100)\n"},
	{"at import, for the call", callQuestion, "os.write(4, FRAME)\ndef f():\n    return 1\n"},
	{"at import, for the prelude", 1, "os.write(4, FRAME)\ndef f():\n    return 1\n"},
	{"at import, byte by byte", loadQuestion, "for b in FRAME:\n    os.write(4, bytes([b]))\n" +
		"    time.sleep(0.001)\ndef f():\n    return 1\n"},
	{"at the call", callQuestion, "def f():\n    os.write(4, FRAME)\n    return 1\n"},
	{"at the call, and leaves", callQuestion,
		"def f():\n    os.write(4, FRAME)\n    os._exit(0)\n"},
	{"at the call, byte by byte", callQuestion, "def f():\n    for b in FRAME:\n" +
		"        os.write(4, bytes([b]))\n        time.sleep(0.001)\n    os._exit(0)\n"},
	{"at the call, for the next one", callQuestion + 1,
		"def f():\n    os.write(4, FRAME)\n    return 1\n"},
	{"at the call, half of it", callQuestion,
		"def f():\n    os.write(4, FRAME[:len(FRAME) // 2])\n    os._exit(0)\n"},
	{"at the call, half of it twice", callQuestion, "def f():\n" +
		"    os.write(4, FRAME[:len(FRAME) // 2])\n    os.write(4, FRAME)\n    return 1\n"},
	{"at the call, twice", callQuestion, "def f():\n    os.write(4, FRAME * 2)\n    os._exit(0)\n"},
	{"from a timer, early", callQuestion,
		"signal.signal(signal.SIGALRM, lambda *_: os.write(4, FRAME))\n" +
			"signal.setitimer(signal.ITIMER_REAL, 0.001)\ntime.sleep(0.01)\ndef f():\n" +
			"    return 1\n"},
	{"from a timer, at the call", callQuestion,
		"signal.signal(signal.SIGALRM, lambda *_: os.write(4, FRAME))\ndef f():\n" +
			"    signal.setitimer(signal.ITIMER_REAL, 0.001)\n    time.sleep(0.01)\n" +
			"    return 1\n"},
	{"from a timer, late", callQuestion + 1,
		"signal.signal(signal.SIGALRM, lambda *_: os.write(4, FRAME))\ndef f():\n" +
			"    signal.setitimer(signal.ITIMER_REAL, 0.001)\n    return 1\n"},
	{"in the worker's own stage", loadQuestion,
		"import sys\nframe = sys._getframe()\nwhile frame:\n" +
			"    worker = frame.f_locals.get('self')\n    if hasattr(worker, 'stage'):\n" +
			"        worker.stage = FRAME[5]\n    frame = frame.f_back\n1 // 0\n"},
}

// forgedFrames returns frames that a candidate could write: every frame that is well-formed at some
// point of the protocol, and some malformed ones.
func forgedFrames(sequence uint16) map[string][]byte {
	out := map[string][]byte{
		"a request": frame(kindCall, 0, sequence),
		"no kind":   frame(0, 0, sequence),
		"too long": binary.LittleEndian.AppendUint64(nil,
			0xFFFFFFFF|kindValue<<32|wire.Array<<40|uint64(sequence)<<48),
		"an unknown": frame(kindFault, 99, sequence, 'x'),
	}
	frames, _ := goodReplies(sequence)
	for i, b := range frames {
		out[fmt.Sprintf("number %d", i)] = b
	}
	for tag := range len(faultTags) + 1 {
		name := fmt.Sprintf("fault %d", tag)
		out[name] = frame(kindFault, byte(tag), sequence, []byte("forged")...)
	}
	return out
}

// TestForgedFrames writes every frame at every moment. The outcome must be a fault or a value of
// this candidate. It must not be a failure of the task, affect the next candidate or end the run.
func TestForgedFrames(t *testing.T) {
	p := openPool(t, Config{Workers: 1})
	limits := bench.Limits{CPU: 2 * time.Second, Wall: 2 * time.Second, Memory: 256 << 20}
	tried := 0
	for _, m := range moments {
		for name, b := range forgedFrames(m.sequence) {
			// The frame that could end a run is always tried.
			if os.Getenv("PACEBENCH_LONG") == "" && name != "fault 4" {
				continue
			}
			tried++
			source := fmt.Sprintf("import os, signal, time\nFRAME = bytes(%s)\n%s",
				pythonList(b), m.source)
			target, err := p.Load(t.Context(), source, "import math\n", "f", limits)
			var v bench.Value
			for i := 0; err == nil && i < 2; i++ {
				v, err = target.Call(t.Context())
			}
			if target != nil {
				target.Close()
			}
			var fault *bench.Fault
			if err != nil && !errors.As(err, &fault) {
				t.Fatalf("%s, %s: an error of the backend: %v", name, m.name, err)
			}
			if name != "fault 4" || m.name == "from a timer, late" {
				continue
			}
			if err == nil || m.sequence != callQuestion && fault.Kind != bench.Crashed {
				t.Errorf("%s, %s: returned %v, %v", name, m.name, v, err)
			}
		}
		lookAround(t, p)
	}
	t.Logf("%d frames at %d moments", tried, len(moments))
}

// pythonList writes bytes as a list.
func pythonList(b []byte) string {
	out := "["
	for _, v := range b {
		out += fmt.Sprintf("%d,", v)
	}
	return out + "]"
}
