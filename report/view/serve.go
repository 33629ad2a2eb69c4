package view

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/record/results"
)

// patience is how long the index waits for runs that have not been read. Then the server sends the
// index with the number of runs that are still waiting, and the page asks again.
var patience = 150 * time.Millisecond

// Handler serves the pages. It reads results for each request, so a page shows a run while it
// grows. It is meant for a loopback address: it has no log-in.
func (s *Site) Handler() http.Handler {
	v := &server{
		Site:   s,
		reader: s.reader(patience),
		stage:  make(chan struct{}, 1), queue: make(chan struct{}, waiting),
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(assets()))
	mux.HandleFunc("GET /data/{name}", v.data)
	mux.HandleFunc("GET /blobs/{id}/{digest}", v.blob)
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if !local(q.Host) || foreign(q) || strings.Contains(q.URL.Path, "~") && !own(q) {
			http.Error(w, "open this page directly, under localhost or "+
				"the IP address of the server", http.StatusForbidden)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", Policy)
		// This protects addresses beyond loopback, to which browsers send no Sec-Fetch-Site.
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		mux.ServeHTTP(w, q)
	})
}

func (s *Site) reader(within time.Duration) *results.Reader {
	return &results.Reader{
		Decoders: s.Decoders, Baseline: s.Baseline, Rename: s.Rename, Within: within,
	}
}

// local reports whether a request names the server by its address or as localhost. The host name of
// an attacker can resolve to this address, and the pages of that host could then read the server's
// answers.
func local(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return host == "localhost" || net.ParseIP(strings.Trim(host, "[]")) != nil
}

// foreign reports whether a page of another site loads data or pictures from this server, or shows
// one of its pages in a frame. A link to the first page is allowed.
func foreign(q *http.Request) bool {
	if origin := q.Header.Get("Origin"); origin != "" && origin != "http://"+q.Host {
		return true
	}
	switch q.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return q.URL.Path != "/" || q.Header.Get("Sec-Fetch-Mode") != "navigate" ||
			q.Header.Get("Sec-Fetch-Dest") != "document"
	}
	return false
}

// own reports whether the request comes from one of this server's pages, according to the browser.
// Only these pages may run programs.
func own(q *http.Request) bool { return q.Header.Get("Sec-Fetch-Site") == "same-origin" }

type server struct {
	*Site
	reader *results.Reader
	stage  chan struct{} // held while a program runs
	queue  chan struct{} // also held by requests that wait for stage

	mu   sync.Mutex
	runs map[string]*results.Run // the runs of the last index, by ID
}

func (v *server) index() (*index, error) {
	x, runs, err := v.read(v.reader)
	if err != nil {
		return nil, err
	}
	x.Stage = v.Stage != nil
	v.mu.Lock()
	defer v.mu.Unlock()
	v.runs = map[string]*results.Run{}
	for i, r := range runs {
		v.runs[x.Runs[i].ID] = r
	}
	return x, nil
}

func (v *server) run(id string) *results.Run {
	v.mu.Lock()
	r := v.runs[id]
	v.mu.Unlock()
	if r != nil {
		return r
	}
	if _, err := v.index(); err != nil {
		return nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.runs[id]
}

// data answers with a script: index.js, the script of a run, or the script of a behaviour.
func (v *server) data(w http.ResponseWriter, q *http.Request) {
	name, ok := strings.CutSuffix(q.PathValue("name"), ".js")
	if !ok {
		http.NotFound(w, q)
		return
	}
	var value any
	var err error
	if name == "index" {
		value, err = v.index()
	} else if strings.Contains(name, "~") {
		var b *Behaviour
		if b, err = v.behaviour(q.Context(), name); b != nil {
			value = b
		}
	} else if r := v.run(name); r != nil {
		value, err = v.detail(r)
	}
	if value == nil && err == nil {
		http.NotFound(w, q)
		return
	}
	var out []byte
	if err == nil {
		out, err = script(name, value)
	}
	switch {
	case errors.Is(err, errBusy):
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	_, _ = w.Write(out) // the browser may be gone
}

var digest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// blob answers with a picture of a run. It recognises a picture by its bytes and sends nothing
// else.
func (v *server) blob(w http.ResponseWriter, q *http.Request) {
	var data []byte
	if r := v.run(q.PathValue("id")); r != nil {
		data = picture(r, q.PathValue("digest"))
	}
	if data == nil {
		http.NotFound(w, q)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	_, _ = w.Write(data)
}

// picture returns a PNG of a run, or nil. Names come from journals, which may be hostile.
func picture(r *results.Run, name string) []byte {
	if !digest.MatchString(name) {
		return nil
	}
	data, err := record.ReadBlob(r.Dir, name)
	if err != nil || !bytes.HasPrefix(data, []byte("\x89PNG")) {
		return nil
	}
	return data
}

// listFile is a file in the directory of written pages. It lists the files of the pages.
const listFile = ".view-files"

// Write writes the pages as files below dir and returns the path of the first page. The pages need
// no server, and do not change when runs grow. Write removes files that only earlier pages had.
func (s *Site) Write(ctx context.Context, dir string) (string, error) {
	var swept sync.Map // directories
	var mu sync.Mutex
	var paths []string
	put := func(name string, data []byte) error {
		path := filepath.Join(dir, filepath.FromSlash(name))
		mu.Lock()
		paths = append(paths, path)
		mu.Unlock()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if _, done := swept.LoadOrStore(filepath.Dir(path), true); !done {
			journal.Sweep(filepath.Dir(path))
		}
		return journal.WritePage(path, data)
	}
	err := fs.WalkDir(assets(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(assets(), path)
		if err != nil {
			return err
		}
		return put(path, data)
	})
	if err != nil {
		return "", err
	}
	x, runs, err := s.read(s.reader(0))
	if err != nil {
		return "", err
	}
	writers, ctx := errgroup.WithContext(ctx)
	writers.SetLimit(runtime.GOMAXPROCS(0))
	for i, r := range runs {
		if r.Journal {
			writers.Go(func() error { return s.writeRun(ctx, r, x.Runs[i].ID, put) })
		}
	}
	if err := writers.Wait(); err != nil {
		return "", err
	}
	if err := putData(put, "index", x); err != nil {
		return "", err
	}
	return filepath.Join(dir, "index.html"), journal.Supersede(dir, listFile, paths)
}

// putData writes a value as the script with this name in data/.
func putData(put func(string, []byte) error, name string, value any) error {
	data, err := script(name, value)
	if err != nil {
		return err
	}
	return put("data/"+name+".js", data)
}

// writeRun writes the data of a run and its pictures.
func (s *Site) writeRun(
	ctx context.Context, r *results.Run, id string, put func(name string, data []byte) error,
) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d, err := s.detail(r)
	if err != nil {
		return fmt.Errorf("%s: %w", r.Dir, err)
	}
	if err := s.winner(ctx, id, d, put); err != nil {
		return err
	}
	if err := putData(put, id, d); err != nil {
		return err
	}
	for _, p := range d.Programs {
		for _, b := range p.Evidence {
			data := picture(r, b.Digest)
			if data == nil {
				continue
			}
			if err := put("blobs/"+id+"/"+b.Digest, data); err != nil {
				return err
			}
		}
	}
	return nil
}
