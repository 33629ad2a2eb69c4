package wire

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"golang.org/x/sys/unix"
)

// pipeSize is the size that is requested for a pipe. A user with many pipes gets smaller pipes, in
// which large arrays take longer.
const pipeSize = 1 << 20

// A Pipe is Go's end of the two pipes to a Python process. Requests and replies alternate strictly.
// One goroutine uses it at a time.
//
// Reading and writing are blocking system calls: a question of 400 bytes and its answer take 6 µs
// this way, and several times as long through the runtime's poller. Killing the process closes its
// ends, and so ends a call that would block for ever.
type Pipe struct {
	requests, replies int // descriptors
	most              func(head Message) int
	out, in           []byte // buffers, kept from message to message
}

// NewPipe returns a Pipe on two descriptors. most returns, for the head of a reply, the length of
// the longest body that is accepted; a longer reply is an ErrMessage.
func NewPipe(requests, replies int, most func(head Message) int) *Pipe {
	return &Pipe{requests: requests, replies: replies, most: most, in: make([]byte, 64<<10)}
}

// Open makes the pipes to a process, and returns the process's ends.
func Open(most func(head Message) int) (p *Pipe, requests, replies int, err error) {
	var request, reply [2]int
	if err := unix.Pipe2(request[:], unix.O_CLOEXEC); err != nil {
		return nil, -1, -1, fmt.Errorf("pipe: %w", err)
	}
	if err := unix.Pipe2(reply[:], unix.O_CLOEXEC); err != nil {
		unix.Close(request[0])
		unix.Close(request[1])
		return nil, -1, -1, fmt.Errorf("pipe: %w", err)
	}
	for _, fd := range []int{request[1], reply[1]} {
		_, _ = unix.FcntlInt(uintptr(fd), unix.F_SETPIPE_SZ, pipeSize)
	}
	return NewPipe(request[1], reply[0], most), request[0], reply[1], nil
}

// Close closes Go's ends.
func (p *Pipe) Close() {
	unix.Close(p.requests)
	unix.Close(p.replies)
}

// Compose makes the message to send next; body appends its body.
func (p *Pipe) Compose(kind byte, tag int, sequence uint16, body func([]byte) []byte) {
	message := body(append(p.out[:0], make([]byte, headSize)...))
	if tag > math.MaxUint8 || len(message) > math.MaxUint32 {
		panic(fmt.Sprintf("wire: message too large: tag %d, %d bytes", tag, len(message)))
	}
	binary.LittleEndian.PutUint32(message, uint32(len(message)-headSize))
	message[4], message[5] = kind, byte(tag)
	binary.LittleEndian.PutUint16(message[6:], sequence)
	p.out = message
}

// Ask sends the message and returns the reply to it.
func (p *Pipe) Ask() (Message, error) {
	if err := p.Send(); err != nil {
		return Message{}, err
	}
	return p.Receive()
}

// Send sends the message.
func (p *Pipe) Send() error {
	for rest := p.out; len(rest) > 0; {
		n, err := unix.Write(p.requests, rest)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// Receive reads one message, whose body is valid until the next call. The buffer grows with the
// bytes that arrive, not with the announced length.
func (p *Pipe) Receive() (f Message, err error) {
	for n, size := 0, headSize; ; {
		if n == len(p.in) {
			p.in = append(p.in, make([]byte, min(n, size-n))...)
		}
		m, err := unix.Read(p.replies, p.in[n:])
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return f, err
		case m == 0:
			return f, io.EOF
		}
		n += m
		if size == headSize && n >= headSize {
			f = Message{p.in[4], p.in[5], binary.LittleEndian.Uint16(p.in[6:]), nil}
			body := binary.LittleEndian.Uint32(p.in)
			if int64(body) > int64(p.most(f)) {
				return f, ErrMessage
			}
			size += int(body)
		}
		if n > size {
			return f, ErrMessage // it wrote without a request
		}
		if n == size && n >= headSize {
			f.Body = p.in[headSize:n]
			return f, nil
		}
	}
}
