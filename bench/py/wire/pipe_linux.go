package wire

import (
	"io"

	"golang.org/x/sys/unix"
)

// WriteFrame writes all of a frame to a pipe. Reading and writing are plain system calls: they take
// a fraction of the time that the runtime's poller does.
func WriteFrame(fd int, frame []byte) error {
	for len(frame) > 0 {
		n, err := unix.Write(fd, frame)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return err
		}
		frame = frame[n:]
	}
	return nil
}

// ReadFrame reads one frame from a pipe into the buffer, which grows with what arrives and not with
// what is announced. bodySize reads the length of the body from the head, or refuses it.
func ReadFrame(fd int, buffer *[]byte, bodySize func(head []byte) (int, error)) ([]byte, error) {
	in := *buffer
	for n, size := 0, HeadSize; ; {
		if n == len(in) {
			in = append(in, make([]byte, min(n, size-n))...)
			*buffer = in
		}
		m, err := unix.Read(fd, in[n:])
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return nil, err
		case m == 0:
			return nil, io.EOF
		}
		n += m
		if size == HeadSize && n >= HeadSize {
			body, err := bodySize(in)
			if err != nil {
				return nil, err
			}
			size += body
		}
		if n > size {
			return nil, ErrFrame // it spoke without being asked
		}
		if n == size && n >= HeadSize {
			return in[:n], nil
		}
	}
}
