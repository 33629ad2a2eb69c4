package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/pacebench/pacebench/internal/hint"
)

func address(flag, text string) (*net.TCPAddr, error) {
	addr, err := net.ResolveTCPAddr("tcp", text)
	if text == "" { // the library would listen on any port of all interfaces
		err = errors.New("an empty address")
	}
	if err != nil {
		return nil, hint.Add(usagef("--%s %s: %w", flag, text, err),
			"want HOST:PORT, as in 127.0.0.1:8017")
	}
	return addr, nil
}

// serve listens on the address of a flag, prints the URL, and serves until ctx ends, usually by
// Ctrl-C.
func (c *console) serve(
	ctx context.Context, flag string, addr *net.TCPAddr, path string, h http.Handler) error {
	l, err := net.ListenTCP("tcp", addr)
	if err != nil {
		return hint.Add(err, "choose another --"+flag+"; port 0 chooses a free port")
	}
	if _, err := fmt.Fprintf(c.out, "http://%s%s\n", l.Addr(), path); err != nil {
		return errors.Join(err, l.Close())
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout: time.Minute, IdleTimeout: time.Minute}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
