package view

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record/results"
)

// theatre is a server whose stage reports what it is asked to run, and then waits for permission to
// continue.
type theatre struct {
	*httptest.Server
	id     string
	asked  chan string // the source of each program that is run
	goOn   chan struct{}
	ended  chan error // of the context, when the stage returns
	answer func(instance int) (*Behaviour, error)
}

func open(t *testing.T) *theatre {
	th := &theatre{asked: make(chan string), goOn: make(chan struct{}), ended: make(chan error, 99)}
	th.answer = func(int) (*Behaviour, error) {
		return &Behaviour{Pictures: []Picture{{"a tour", []byte("\x89PNG")}}}, nil
	}
	s := site(t)
	s.Stage = func(
		ctx context.Context, r *results.Run, source string, instance int,
	) (*Behaviour, error) {
		select {
		case th.asked <- source:
		case <-ctx.Done():
		}
		select {
		case <-th.goOn:
		case <-ctx.Done():
		}
		th.ended <- ctx.Err()
		return th.answer(instance)
	}
	x, _, err := s.read(&results.Reader{})
	must.Do(t, err)
	th.id = x.Runs[0].ID
	th.Server = httptest.NewServer(s.Handler())
	t.Cleanup(th.Close)
	return th
}

// get asks for data.
func (th *theatre) get(ctx context.Context, name string) (status int, body []byte, err error) {
	q, err := http.NewRequestWithContext(ctx, "GET", th.URL+"/data/"+name+".js", nil)
	if err != nil {
		return 0, nil, err
	}
	q.Header.Set("Sec-Fetch-Site", "same-origin") // as the page's own scripts ask
	r, err := http.DefaultClient.Do(q)
	if err != nil {
		return 0, nil, err
	}
	defer r.Body.Close()
	body, err = io.ReadAll(r.Body)
	return r.StatusCode, body, err
}

// TestBehaviour: the program of an evaluation is run, and its pictures are sent as data.
func TestBehaviour(t *testing.T) {
	th := open(t)
	got := make(chan []byte)
	ask := func(name string) {
		_, body, err := th.get(t.Context(), name)
		if err != nil {
			t.Error(name, err)
		}
		got <- body
	}
	go ask(behaviourName(th.id, 3, 0))
	if source := <-th.asked; !strings.Contains(source, "def ") {
		t.Errorf("not the program: %q", source)
	}
	th.goOn <- struct{}{}
	_, value := unpack(t, <-got)
	p := value["pictures"].([]any)[0].(map[string]any)
	png, err := base64.StdEncoding.DecodeString(p["png"].(string))
	if err != nil || p["title"] != "a tour" || string(png) != "\x89PNG" {
		t.Error(p, err)
	}
	// If the machine cannot run programs, the data says so. The page is complete without pictures.
	th.answer = func(int) (*Behaviour, error) {
		return nil, hint.Add(errors.New("no Python\nhere"), "install it")
	}
	go ask(behaviourName(th.id, 3, 1))
	<-th.asked
	th.goOn <- struct{}{}
	_, value = unpack(t, <-got)
	if problem := value["problem"]; problem != "no Python here (install it)" {
		t.Error(problem)
	}
	// A name that does not identify a program and an instance is not found.
	for _, name := range []string{
		th.id + "~99~0", th.id + "~3", th.id + "~x~0", "none~3~0",
		th.id + "~3~0~0", th.id + "~3~0.5",
	} {
		status, _, err := th.get(t.Context(), name)
		if status != http.StatusNotFound || err != nil {
			t.Error(name, status, err)
		}
	}
}

// TestOneAtATime: while a program runs, other requests wait; too many are refused; and a program
// ends when no request waits for it any more.
func TestOneAtATime(t *testing.T) {
	th := open(t)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	statuses := make(chan int, waiting+1)
	ask := func(evaluation int) {
		status, _, err := th.get(ctx, behaviourName(th.id, evaluation, 0))
		if err != nil && ctx.Err() == nil {
			t.Error(err)
		}
		statuses <- status
	}
	go ask(1)
	<-th.asked // the first program runs
	for i := range waiting {
		go ask(i + 2)
	}
	if status := <-statuses; status != http.StatusServiceUnavailable {
		t.Errorf("one of %d: %d", waiting+1, status)
	}
	th.goOn <- struct{}{}
	if status := <-statuses; status != http.StatusOK {
		t.Error(status)
	}
	if err := <-th.ended; err != nil {
		t.Error(err)
	}
	<-th.asked // the second program runs
	leave()    // and all waiting requests end
	if err := <-th.ended; err == nil {
		t.Error("a program runs on for nobody")
	}
}

// TestForeignPages: the page of another site can neither load the data of this server nor show its
// pages in a frame. It can link to the first page.
func TestForeignPages(t *testing.T) {
	s := site(t)
	s.Stage = func(context.Context, *results.Run, string, int) (*Behaviour, error) {
		t.Error("a program runs")
		return nil, errors.New("not here")
	}
	x, _, err := s.read(&results.Reader{})
	must.Do(t, err)
	handler := s.Handler()
	running := "/data/" + behaviourName(x.Runs[0].ID, 3, 0) + ".js"
	const here, yes, no = "http://localhost:8787", http.StatusOK, http.StatusForbidden
	for _, c := range []struct {
		path, site, mode, dest, origin string
		want                           int
	}{
		{"/", "cross-site", "navigate", "document", "", yes},
		{"/", "none", "navigate", "document", "", yes},
		{"/", "cross-site", "navigate", "iframe", "", no},
		{"/", "same-site", "navigate", "frame", "", no},
		{"/", "cross-site", "no-cors", "script", "", no}, {"/", "", "", "", "", yes},
		{"/data/index.js", "same-origin", "no-cors", "script", "", yes},
		{"/data/index.js", "none", "navigate", "document", "", yes},
		{"/data/index.js", "cross-site", "no-cors", "script", "", no},
		{"/data/index.js", "same-site", "no-cors", "script", "", no},
		{"/data/index.js", "cross-site", "navigate", "document", "", no},
		{"/data/index.js", "same-site", "navigate", "iframe", "", no},
		{"/data/index.js", "", "", "", "http://evil.example", no},
		{"/data/index.js", "", "", "", "null", no},
		{"/data/index.js", "", "", "", here, yes},
		{"/page.js", "cross-site", "navigate", "document", "", no},
		{running, "cross-site", "navigate", "iframe", "", no},
		{running, "cross-site", "navigate", "document", "", no},
		{running, "none", "navigate", "document", "", no},
		{running, "", "", "", "", no},
	} {
		q := httptest.NewRequestWithContext(t.Context(), http.MethodGet, here+c.path, nil)
		for name, value := range map[string]string{
			"Sec-Fetch-Site": c.site, "Sec-Fetch-Mode": c.mode, "Sec-Fetch-Dest": c.dest,
			"Origin": c.origin,
		} {
			if value != "" {
				q.Header.Set(name, value)
			}
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, q)
		if w.Code != c.want {
			t.Errorf("%+v: %d", c, w.Code)
		}
	}
}

// TestChromiumForeignPage: a page of another address shows the pages in frames and loads their data
// as scripts. No program runs, and the page receives no data.
func TestChromiumForeignPage(t *testing.T) {
	long(t)
	th := open(t)
	data := th.URL + "/data/" + behaviourName(th.id, 3, 0) + ".js"
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w,
			`<script>got = 0; ended = 0; pacebench = { receive() { got++; } };</script>
			<iframe src=%[1]q onload="ended++"></iframe>`+
				`<iframe src="%[2]s/" onload="ended++"></iframe>
			<script src=%[1]q onload="ended++" onerror="ended++"></script>
			<script src="%[2]s/data/index.js" onload="ended++" onerror="ended++"></script>`,
			data, th.URL)
	}))
	defer foreign.Close()
	go func() {
		for range th.asked {
			t.Error("a program runs")
			th.goOn <- struct{}{}
		}
	}()
	p := launch(t).open(t, foreign.URL, 800, 600)
	p.until("ended === 4")
	if n := ask[int](p, "got"); n != 0 {
		t.Errorf("%d scripts were read", n)
	}
}
