package cli

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
)

// manifestName is the first file of a bundle.
const manifestName = "pacebench-bundle.json"

// entry returns the header of a file of a bundle. writeBundle takes the text of the file from
// Linkname.
func entry(name, text string) *tar.Header {
	return &tar.Header{
		Name: name, Mode: 0o644, Typeflag: tar.TypeReg, Size: int64(len(text)), Linkname: text,
	}
}

func writeBundle(t *testing.T, path string, entries []*tar.Header) {
	t.Helper()
	var unpacked, b bytes.Buffer
	z, err := journal.NewPacker(&b)
	must.Do(t, err)
	w := tar.NewWriter(&unpacked)
	for _, h := range entries {
		body := ""
		if head := *h; head.Typeflag == tar.TypeReg {
			body, head.Linkname = head.Linkname, ""
			h = &head
		}
		must.Do(t, w.WriteHeader(h))
		_, err := w.Write([]byte(body))
		must.Do(t, err)
	}
	must.Do(t, w.Close())
	_, err = z.Write(bytes.ReplaceAll(unpacked.Bytes(), []byte("GNV."), []byte("GNU.")))
	must.Do(t, err, z.Close())
	must.Write(t, path, b.Bytes())
}

// TestManyBundles: each of twelve bundles keeps its own name.
func TestManyBundles(t *testing.T) {
	var args []string
	for i := range 12 {
		args = append(args, filepath.Join(t.TempDir(), fmt.Sprintf("b%d.tar.zst", i)))
		writeBundle(t, args[i], []*tar.Header{
			entry(manifestName, `{"format":1,"runs":["a/b"]}`), entry("a/b/result.json", "{}"),
		})
	}
	must.Do(t, opened(t.Context(), args, func(in *input) error {
		for i, arg := range args {
			dir := filepath.Join(in.dirs[i], "a", "b")
			if name := in.rename(dir); name != arg+":a/b" {
				t.Errorf("%s is named %s", arg, name)
			}
			if from := in.argument(dir); from != arg {
				t.Errorf("%s is said to come from %s", arg, from)
			}
		}
		return nil
	}))
}

// TestHostileBundles checks that hostile bundles are refused, and that nothing is written outside
// of the directory into which they are unpacked.
func TestHostileBundles(t *testing.T) {
	const list = `{"format":1,"tool":"x","runs":["a/b"]}`
	link := func(kind byte, name, to string) *tar.Header {
		return &tar.Header{Name: name, Linkname: to, Typeflag: kind}
	}
	// A sparse file of 512 bytes whose header says 256 MiB. tar.Writer does not write records named
	// GNU, so writeBundle replaces GNV by GNU.
	sparse := entry("a/b/best.py", fmt.Sprintf("%-512s", "1\n268435456\n0\n"))
	sparse.PAXRecords = map[string]string{"GNV.sparse.major": "1", "GNV.sparse.minor": "0",
		"GNV.sparse.name": "a/b/best.py", "GNV.sparse.realsize": "268435456"}
	good, run := entry(manifestName, list), entry("a/b/result.json", "{}")
	const rule = ".suites/x-separate.json"
	named := entry("a/b/result.json", `{"plan":"`+(&record.Declaration{}).Digest()+`"}`)
	tests := map[string][]*tar.Header{
		"nothing":               {},
		"no manifest":           {run},
		"not a manifest":        {entry(manifestName, "[1]")},
		"another format":        {entry(manifestName, `{"format":99,"runs":["a/b"]}`), run},
		"no run":                {entry(manifestName, `{"format":1}`)},
		"a missing run":         {good},
		"outside":               {good, run, entry("../evil", "x")},
		"outside, in between":   {good, run, entry("a/../../evil", "x")},
		"an absolute path":      {good, run, entry("/tmp/evil", "x")},
		"a run outside":         {entry(manifestName, `{"format":1,"runs":["../b"]}`), run},
		"a file of no run":      {good, run, entry("c/best.py", "x")},
		"many folders":          {good, run, entry(strings.Repeat("a/", 1000)+"x", "")},
		"twice":                 {good, run, run},
		"a symbolic link":       {good, run, link(tar.TypeSymlink, "a/b/best.py", "/etc/passwd")},
		"a hard link":           {good, run, link(tar.TypeLink, "a/b/best.py", "/etc/passwd")},
		"a device":              {good, run, link(tar.TypeChar, "a/b/best.py", "")},
		"a sparse file":         {good, run, sparse},
		"a large manifest":      {entry(manifestName, list+strings.Repeat(" ", 8<<20)), run},
		"a directory in a file": {good, run, entry("a/b/result.json/x", "x")},
		"a rule of no run":      {good, run, entry(rule, "{}")},
		"a changed rule":        {good, named, entry(rule, `{"task":"x"}`)},
		"one rule twice": {good, named, entry(rule, "{}"),
			entry(".suites/y"+rule[9:], "{}")},
		"no rule":             {good, named, entry(rule, "[1]")},
		"a large rule":        {good, named, entry(rule, "{}"+strings.Repeat(" ", 8<<20))},
		"a rule's other name": {good, named, entry(".suites/x.json", "{}")},
		"a rule further down": {good, named, entry(".suites/a"+rule[7:], "{}")},
		"a hidden run": {entry(manifestName, `{"format":1,"runs":["a/.b"]}`),
			entry("a/.b/result.json", "{}")},
		"a run in a run": {entry(manifestName, `{"format":1,"runs":["a/b","a/b/c"]}`), run,
			entry("a/b/c/result.json", "{}")},
		"a run among rules": {
			entry(manifestName, `{"format":1,"runs":["a/b","./.suites/c"]}`), named,
			entry(".suites/c/result.json", "{}"),
		},
	}
	rows := &faultTable{}
	defer rows.print()
	for name, entries := range tests {
		t.Run(name, func(t *testing.T) {
			defer func() { rows.add("hostile bundles", 1, held(!t.Failed(), 1)) }()
			dir := t.TempDir()
			path := filepath.Join(dir, "b.tar.zst")
			writeBundle(t, path, entries)
			inside := filepath.Join(dir, "in", "side")
			must.Do(t, os.MkdirAll(inside, 0o755))
			if runs, err := record.OpenBundle(t.Context(), path, inside); err == nil {
				t.Errorf("accepted: %q", runs)
			} else if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %v", err)
			}
			outside, err := filepath.Glob(filepath.Join(dir, "*"))
			evil, _ := filepath.Glob(filepath.Join(dir, "in", "*"))
			if err != nil || len(outside) != 2 || len(evil) != 1 {
				t.Errorf("outside of its directory: %q %q", outside, evil)
			}
		})
	}
}
