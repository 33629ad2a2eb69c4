package export

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/pacebench/pacebench/bench/journal"
	"github.com/pacebench/pacebench/bench/results"
)

// Formats are what Tables writes.
var Formats = []string{"csv", "parquet"}

// Tables writes the tables of the runs into dir, as runs.csv and so on, and returns the paths. Runs
// are opened one after another, so memory holds the texts of one at a time.
func Tables(
	v results.Vocabularies, runs []*results.Run, format, dir string,
) (paths []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	journal.Sweep(dir)
	w := &tables{format: format, dir: dir}
	defer w.drop()
	var first rows // an empty table has its header too
	if err := w.write(first); err != nil {
		return nil, err
	}
	for _, r := range runs {
		d, err := results.Open(v, r.Dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Dir, err)
		}
		if err := w.write(of(d)); err != nil {
			return nil, err
		}
	}
	return w.paths, w.keep()
}

// tables are the open files of an export.
type tables struct {
	format, dir string
	paths       []string
	sinks       map[string]any
	closers     []func() error // which write what sinks hold back
	drafts      []*journal.Draft
}

func (w *tables) write(r rows) error {
	return errors.Join(
		add(w, "runs", r.runs), add(w, "tests", r.tests), add(w, "evaluations", r.evaluations),
		add(w, "requests", r.requests), add(w, "trials", r.trials), add(w, "eaps", r.eaps),
	)
}

// keep ends all tables and puts them into their places.
func (w *tables) keep() error {
	for _, c := range w.closers {
		if err := c(); err != nil {
			return err
		}
	}
	for _, d := range w.drafts {
		if err := d.Keep(); err != nil {
			return err
		}
	}
	return nil
}

func (w *tables) drop() {
	for _, d := range w.drafts {
		d.Drop()
	}
}

// A sink takes the rows of one table.
type sink[T any] interface{ put(rows []T) error }

func add[T any](w *tables, name string, rows []T) error {
	s, ok := w.sinks[name].(sink[T])
	if !ok {
		path := filepath.Join(w.dir, name+"."+w.format)
		f, err := journal.NewDraft(path)
		if err != nil {
			return err
		}
		w.paths, w.drafts = append(w.paths, path), append(w.drafts, f)
		if w.format == "parquet" {
			p := &parquetSink[T]{parquet.NewGenericWriter[T](f,
				parquet.Compression(&parquet.Zstd), parquet.CreatedBy("pacebench", "1", ""))}
			w.closers = append(w.closers, p.w.Close)
			s = p
		} else {
			c := &csvSink[T]{csv.NewWriter(f)}
			w.closers = append(w.closers, func() error { c.w.Flush(); return c.w.Error() })
			if err := c.w.Write(columns(reflect.TypeFor[T]())); err != nil {
				return err
			}
			s = c
		}
		if w.sinks == nil {
			w.sinks = map[string]any{}
		}
		w.sinks[name] = s
	}
	return s.put(rows)
}

type parquetSink[T any] struct{ w *parquet.GenericWriter[T] }

func (p *parquetSink[T]) put(rows []T) error {
	_, err := p.w.Write(rows)
	return err
}

type csvSink[T any] struct{ w *csv.Writer }

func (c *csvSink[T]) put(rows []T) error {
	for _, row := range rows {
		if err := c.w.Write(cells(reflect.ValueOf(row), nil)); err != nil {
			return err
		}
	}
	return nil
}

// columns are the names of a row's fields.
func columns(t reflect.Type) (names []string) {
	for _, f := range reflect.VisibleFields(t) {
		if name := f.Tag.Get("parquet"); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// cells are a row's values as text; what is missing is empty.
func cells(v reflect.Value, out []string) []string {
	for i := range v.NumField() {
		f := v.Field(i)
		if v.Type().Field(i).Anonymous {
			out = cells(f, out)
			continue
		}
		if f.Kind() == reflect.Pointer {
			if f.IsNil() {
				out = append(out, "")
				continue
			}
			f = f.Elem()
		}
		switch f.Kind() {
		case reflect.Float64:
			out = append(out, strconv.FormatFloat(f.Float(), 'g', -1, 64))
		case reflect.String:
			out = append(out, results.CSVText(f.String()))
		default:
			out = append(out, fmt.Sprint(f.Interface()))
		}
	}
	return out
}
