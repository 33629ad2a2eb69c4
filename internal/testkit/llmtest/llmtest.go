// Package llmtest has a server with an OpenAI-compatible endpoint that fails on demand, for tests
// of clients over a real network connection. Start at New and Server.Next.
package llmtest

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"github.com/pacebench/pacebench/llm"
)

// A Server answers with a model behind Serve, unless a fault is due.
type Server struct {
	// URL is the base URL for a client; it ends in /v1.
	URL string

	good    http.Handler
	stopped context.Context

	mu       sync.Mutex
	faults   []Fault     // guarded by mu; due for the next requests, in order
	answered int         // guarded by mu; requests that the model answered
	asked    int         // guarded by mu; all requests
	bodies   [][]byte    // guarded by mu; of all requests
	headers  http.Header // guarded by mu; of the last request
	query    string      // guarded by mu; of the last request
}

// A Fault answers one request instead of good. stopped is done when the server ends.
type Fault func(w http.ResponseWriter, r *http.Request, good http.Handler, stopped context.Context)

// New starts a server that ends with the test.
func New(t testing.TB, m llm.Model) *Server {
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{stopped: ctx, good: Serve(m)}
	h := httptest.NewServer(s)
	t.Cleanup(func() { cancel(); h.CloseClientConnections(); h.Close() })
	s.URL = h.URL + "/v1"
	return s
}

// NewOnPipes is New without a network, for tests on a virtual clock: transport leads to the server,
// and time passes only while the test itself waits. end stops the server.
func NewOnPipes(m llm.Model) (s *Server, transport http.RoundTripper, end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	s = &Server{URL: "http://localhost/v1", stopped: ctx, good: Serve(m)}
	l := &pipes{ctx, make(chan net.Conn)}
	h := &http.Server{Handler: s}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = h.Serve(l) // ends with its listener
	}()
	t := &http.Transport{DialContext: l.dial}
	return s, t, func() {
		cancel()
		_ = h.Close() // every connection is a pipe
		t.CloseIdleConnections()
		<-served
	}
}

// pipes is a listener whose connections stay in this process.
type pipes struct {
	ctx   context.Context
	conns chan net.Conn
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-p.ctx.Done():
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.ctx.Done():
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{} }

// Next makes the next requests fail, with one fault for each request. A nil fault gives a normal
// answer.
func (s *Server) Next(faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, faults...)
}

// Answered returns the number of requests that the model answered.
func (s *Server) Answered() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answered
}

// Asked returns the number of requests that arrived.
func (s *Server) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// Left returns the number of faults that are still due.
func (s *Server) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.faults)
}

// Bodies returns the bodies of all requests so far.
func (s *Server) Bodies() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.bodies)
}

// Header returns the headers of the last request.
func (s *Server) Header() http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.headers)
}

// Query returns the query of the last request's address.
func (s *Server) Query() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.query
}

// ServeHTTP gives a good answer, or the fault that is due.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	s.asked++
	s.bodies = append(s.bodies, body)
	s.headers, s.query = r.Header.Clone(), r.URL.RawQuery
	var fault Fault
	if len(s.faults) > 0 {
		fault, s.faults = s.faults[0], s.faults[1:]
	}
	s.mu.Unlock()
	good := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.good.ServeHTTP(w, r)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.answered++
	})
	if fault == nil {
		good(w, r)
		return
	}
	fault(w, r, good, s.stopped)
}
