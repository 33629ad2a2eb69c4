package view

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
)

func site(t *testing.T) *Site {
	t.Helper()
	root := t.TempDir()
	for seed := range uint64(2) {
		resultstest.Run{
			Task: "tsp-construct", Method: "pace", Models: resultstest.Offline, Seed: seed + 1,
			Budget: 30, Evaluations: 30, Start: 7, Floor: 6,
		}.Write(t, root)
	}
	return &Site{Dirs: []string{root}}
}

// unpack returns the name and the value in a script of data/.
func unpack(t *testing.T, data []byte) (name string, value map[string]any) {
	t.Helper()
	m := regexp.MustCompile(
		`^pacebench\.receive\("([^"]*)", "([A-Za-z0-9+/=]*)"\);\n$`).FindSubmatch(data)
	if m == nil {
		t.Fatalf("not a script of data: %.80q", data)
	}
	packed, err := base64.StdEncoding.DecodeString(string(m[2]))
	must.Do(t, err)
	must.Do(t, json.Unmarshal(gunzip(t, packed), &value))
	return string(m[1]), value
}

func gunzip(t *testing.T, packed []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	must.Do(t, err)
	data, err := io.ReadAll(z)
	must.Do(t, err)
	return data
}

// TestMargin: the page of a run shows what explain found, or why its file cannot be used.
func TestMargin(t *testing.T) {
	s := site(t)
	_, runs, err := s.read(&results.Reader{})
	must.Do(t, err)
	resultstest.Explain(t, runs[0])
	d, err := s.detail(runs[0])
	if m := d.Margin; err != nil || m == nil || m.Lines[0] != 0 || m.Lines[1] != 2 ||
		len(m.Parts) != 3 || !m.Parts[0].Seen || m.Parts[1].Verdict != "changes nothing" ||
		m.Parts[2].Effect != nil {
		t.Fatalf("%+v, %v", m, err)
	}
	path := filepath.Join(runs[0].Dir, record.ExplainFile)
	must.Do(t, os.WriteFile(path, []byte("{}\n"), 0o666))
	if d, err = s.detail(runs[0]); err != nil || !strings.Contains(d.Margin.Wrong, path) {
		t.Errorf("%+v, %v", d.Margin, err)
	}
}

// TestWorlds: runs that differ only in packages, time limits or the method's version have names of
// their own; the share of faults counts only evaluations; and the run tells its direction.
func TestWorlds(t *testing.T) {
	s := site(t)
	x, runs, err := s.read(&results.Reader{})
	must.Do(t, err)
	if r := x.Runs[0]; r.World != "" || !r.Minimize {
		t.Errorf("two runs of one kind: %+v", r)
	}
	runs[1].Header.MethodVersion = "2"
	runs[1].Faults = map[record.FaultKind]int{record.Syntax: 3, record.Timeout: 1}
	s.Store = &results.Store{Runs: runs}
	x, _, err = s.read(nil)
	must.Do(t, err)
	if a, b := x.Runs[0], x.Runs[1]; !strings.HasSuffix(a.World, "version 1") ||
		!strings.HasSuffix(b.World, "version 2") || b.Failed != 1 {
		t.Errorf("%q and %q, %d failed", a.World, b.World, b.Failed)
	}
}

// In tests, pages wait for all runs unless a test changes patience, so that a slow machine also
// shows all runs.
func init() { patience = 0 }

// TestFiles: the written pages have every asset and a script for every run, and served pages have
// the same data.
func TestFiles(t *testing.T) {
	s, dir := site(t), t.TempDir()
	page, err := s.Write(t.Context(), dir)
	if err != nil || filepath.Base(page) != "index.html" {
		t.Fatal(page, err)
	}
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	get := func(path string) []byte {
		r, err := http.Get(server.URL + path)
		must.Do(t, err)
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatal(path, r.Status, err)
		}
		if r.Header.Get("Content-Security-Policy") != Policy {
			t.Errorf("%s: policy %q", path, r.Header.Get("Content-Security-Policy"))
		}
		return body
	}
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == "index.html" || path == listFile {
			return err
		}
		written, err := os.ReadFile(filepath.Join(dir, path))
		if err == nil && !bytes.Equal(get("/"+path), written) {
			t.Errorf("%s: served differently", path)
		}
		return err
	})
	must.Do(t, err)
	index := must.Read(t, filepath.Join(dir, "data", "index.js"))
	name, x := unpack(t, index)
	runs := x["runs"].([]any)
	if name != "index" || len(runs) != 2 {
		t.Fatal(name, len(runs))
	}
	id := runs[0].(map[string]any)["id"].(string)
	data := must.Read(t, filepath.Join(dir, "data", id+".js"))
	if name, d := unpack(t, data); name != id || len(d["programs"].([]any)) != 30 {
		t.Error(name, len(d["programs"].([]any)))
	}
}

// TestWriteReplaces: new pages replace all old ones in a directory, and keep the user's other
// files.
func TestWriteReplaces(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "data", "own.js")
	_, err := site(t).Write(t.Context(), dir)
	must.Do(t, err)
	must.Write(t, own, "")
	s := site(t) // only one of its runs
	s.Dirs = []string{filepath.Join(s.Dirs[0], "tsp-construct", "pace", "offline", "1")}
	_, err = s.Write(t.Context(), dir)
	must.Do(t, err)
	left, err := filepath.Glob(filepath.Join(dir, "data", "*.js"))
	if err != nil || len(left) != 3 || !slices.Contains(left, own) {
		t.Errorf("%q, %v; want the index, one run and %s", left, err, own)
	}
}

// TestNoMarkup: the scripts of the page never parse a string as HTML or as code.
func TestNoMarkup(t *testing.T) {
	names, err := fs.Glob(assets(), "*.js")
	if err != nil || len(names) < 5 {
		t.Fatal(names, err)
	}
	forbidden := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|` +
		`\beval\b|new Function|createContextualFragment|srcdoc`)
	for _, name := range names {
		text, err := fs.ReadFile(assets(), name)
		must.Do(t, err)
		if m := forbidden.Find(text); m != nil {
			t.Errorf("%s: %s", name, m)
		}
	}
}

// TestNotFound: the server sends only its own pages and the data of runs.
func TestNotFound(t *testing.T) {
	handler := site(t).Handler()
	for _, path := range []string{
		"/data/none.js", "/data/index", "/data/..%2f..%2findex.js",
		"/blobs/none/" + strings.Repeat("a", 64), "/blobs/x/..",
		"/../view.go", "/nothing",
	} {
		if status := answer(handler, "localhost", path); status == http.StatusOK {
			t.Errorf("%s: status %d", path, status)
		}
	}
}

// answer returns the status of the answer to a request.
func answer(handler http.Handler, host, path string) int {
	w, q := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil)
	q.Host = host
	handler.ServeHTTP(w, q)
	return w.Code
}

// TestForeignName: a request with the host name of another site is refused (DNS rebinding).
func TestForeignName(t *testing.T) {
	handler := site(t).Handler()
	for host, want := range map[string]int{
		"127.0.0.1:8787": http.StatusOK, "localhost:8787": http.StatusOK,
		"[::1]:8787": http.StatusOK, "localhost": http.StatusOK,
		"evil.example:8787": http.StatusForbidden, "": http.StatusForbidden,
		"127.0.0.1.evil.example": http.StatusForbidden,
	} {
		if status := answer(handler, host, "/style.css"); status != want {
			t.Errorf("%q: status %d, want %d", host, status, want)
		}
	}
}
