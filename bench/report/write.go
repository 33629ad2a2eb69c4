package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/journal"
	"github.com/pacebench/pacebench/bench/report/figure"
	"github.com/pacebench/pacebench/bench/report/render"
	"github.com/pacebench/pacebench/bench/results"
	"github.com/pacebench/pacebench/internal/plain"
)

// ErrNoRuns means that the directories hold no run that can be read.
var ErrNoRuns = errors.New("no run to report")

// Write writes the whole report below outDir, which it creates, and returns the paths: the page
// first, then tables and figures. Every file is replaced as a whole, and those of an earlier report
// that this one lacks are removed. Equal stores give equal bytes.
func Write(s *results.Store, outDir string, o Options,
	page func(io.Writer, *Report) error) ([]string, error) {
	if len(s.Runs) == 0 {
		return nil, hint.Add(ErrNoRuns,
			"name a results directory, the one that run, suite or demo wrote")
	}
	if err := os.MkdirAll(filepath.Join(outDir, Folder), 0o755); err != nil {
		return nil, err
	}
	journal.Sweep(outDir, filepath.Join(outDir, Folder))
	paths := []string{filepath.Join(outDir, "report.html")} // written last: it refers to the others
	put := func(name string, write func(io.Writer) error) error {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		path := filepath.Join(outDir, filepath.FromSlash(name))
		if err := journal.WriteFile(path, b.Bytes()); err != nil {
			return err
		}
		if name != "report.html" {
			paths = append(paths, path)
		}
		return nil
	}
	var tables, all []Artifact[*Table]
	var figures []Artifact[*figure.Figure]
	stems := map[string]int{}
	stem := func(kind, name string) string { // of foreign names two may be written alike
		out := kind + render.FileName(name)
		if stems[out]++; stems[out] > 1 {
			out += fmt.Sprintf("-%d", stems[out])
		}
		return out
	}
	for _, t := range Tables(s, o) {
		name := stem("table-", t.Name)
		all = append(all, Artifact[*Table]{t, name})
		if !t.Empty() { // the page shows what was run
			tables = append(tables, Artifact[*Table]{t, name})
		}
		for _, f := range []struct {
			ext    string
			render func(io.Writer, *Table) error
		}{{"txt", func(w io.Writer, t *Table) error {
			return render.Print(w, t, render.TextWidth)
		}},
			{"tex", render.WriteLaTeX}, {"csv", render.WriteCSV}} {
			if err := put(name+"."+f.ext, func(w io.Writer) error {
				return f.render(w, t)
			}); err != nil {
				return nil, err
			}
		}
	}
	for _, f := range Figures(s, o.Labels) {
		name := stem(Folder+"/", f.Name)
		figures = append(figures, Artifact[*figure.Figure]{f, name})
		for _, form := range []struct {
			ext    string
			render func(io.Writer) error
		}{{"pdf", f.WritePDF}, {"svg", f.WriteSVG}, {"png", f.WritePNG}, {"csv", f.WriteData}} {
			if err := put(name+"."+form.ext, form.render); err != nil {
				return nil, err
			}
		}
	}
	if err := put("paper.tex", func(w io.Writer) error {
		return writePaper(w, s, all, figures, o.Labels)
	}); err != nil {
		return nil, err
	}
	if err := put("report.html", func(w io.Writer) error {
		return page(w, newReport(s, o.Labels, tables, figures))
	}); err != nil {
		return nil, err
	}
	return paths, removeOthers(outDir, paths)
}

// listFile names the files of the report in its directory.
const listFile = ".report-files"

// removeOthers removes what the report before this one wrote and this one did not.
func removeOthers(outDir string, paths []string) error {
	var now []string
	for _, path := range paths {
		name, err := filepath.Rel(outDir, path)
		if err != nil {
			return err
		}
		now = append(now, filepath.ToSlash(name))
	}
	list := filepath.Join(outDir, listFile)
	old, err := plain.Read(list, plain.Small)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for name := range strings.Lines(string(old)) {
		name = strings.TrimSpace(name)
		if path := filepath.FromSlash(name); filepath.IsLocal(path) && !slices.Contains(now, name) {
			if err := os.Remove(filepath.Join(outDir, path)); err != nil && !errors.Is(err,
				fs.ErrNotExist) {
				return err
			}
		}
	}
	return journal.WriteFile(list, []byte(strings.Join(now, "\n")+"\n"))
}
