package export

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/pacebench/pacebench/explain"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/record/results"
)

// Formats lists the file formats that Tables writes.
var Formats = []string{"csv", "parquet", "json"}

// listFile is a file in an export's directory that lists the files of the export.
const listFile = ".export-files"

// Tables writes the tables of the runs into dir, as runs.csv and so on, and returns the paths. unit
// returns the unit of a task's values. Tables removes files that only an earlier export wrote, and
// opens one run at a time, so that memory holds the texts of only one run.
func Tables(
	v results.Decoders, runs []*results.Run, unit func(task string) string,
	format, dir string,
) (paths []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	journal.Sweep(dir)
	w := &tables{}
	defer w.drop()
	if err := w.open(format, dir); err != nil {
		return nil, err
	}
	for _, r := range runs {
		d, err := results.Open(v, r.Dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Dir, err)
		}
		e, err := explain.Read(r.Dir, r.Digest)
		if err != nil {
			return nil, err
		}
		name := r.Path("")
		if err := w.write(of(d, e, name, unit(d.Run.Header.Task))); err != nil {
			return nil, err
		}
	}
	if err := w.keep(); err != nil {
		return nil, err
	}
	return w.paths, journal.Supersede(dir, listFile, w.paths)
}

type tables struct {
	paths   []string
	writers []writer
	drafts  []*journal.Draft
}

// A writer writes rows; Close flushes it.
type writer interface {
	Write(rows []any) (int, error)
	Close() error
}

// open begins all tables, so that an empty table also has its header.
func (w *tables) open(format, dir string) error {
	for _, k := range kinds {
		path := filepath.Join(dir, k.table+"."+format)
		f, err := journal.NewDraft(path)
		if err != nil {
			return err
		}
		w.paths, w.drafts = append(w.paths, path), append(w.drafts, f)
		switch format {
		case "parquet":
			w.writers = append(w.writers, parquet.NewGenericWriter[any](f,
				parquet.SchemaOf(k.row), parquet.Compression(&parquet.Zstd),
				parquet.CreatedBy("pacebench", "1", "")))
		case "json":
			b := bufio.NewWriter(f)
			j := json.NewEncoder(b)
			if err := j.Encode(columns(k.row)); err != nil {
				return err
			}
			w.writers = append(w.writers, rowWriter{
				func(row []any) error { return j.Encode(row) }, b.Flush,
			})
		default:
			c := csv.NewWriter(f)
			var names []string
			for _, column := range columns(k.row) {
				names = append(names, column[0])
			}
			if err := c.Write(names); err != nil {
				return err
			}
			w.writers = append(w.writers, rowWriter{
				func(row []any) error { return c.Write(cells(row)) },
				func() error {
					c.Flush()
					return c.Error()
				},
			})
		}
	}
	return nil
}

func (w *tables) write(r rows) error {
	for i, k := range kinds {
		if _, err := w.writers[i].Write(r[k.table]); err != nil {
			return err
		}
	}
	return nil
}

// keep ends all tables and moves them to their paths.
func (w *tables) keep() error {
	for _, one := range w.writers {
		if err := one.Close(); err != nil {
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

// A rowWriter writes rows one by one, as the values of their columns. JSON has an array of the
// columns' names and types, and then an array for each row, so that the Python module can
// distinguish missing values, empty texts and numbers without a library.
type rowWriter struct {
	row   func([]any) error
	flush func() error
}

func (w rowWriter) Write(rows []any) (int, error) {
	for _, row := range rows {
		if err := w.row(values(reflect.ValueOf(row), nil)); err != nil {
			return 0, err
		}
	}
	return len(rows), nil
}

func (w rowWriter) Close() error { return w.flush() }

// columns returns the names of a row's fields and the names of their types in Python.
func columns(row any) (named [][2]string) {
	types := map[reflect.Kind]string{
		reflect.Float64: "float", reflect.String: "str", reflect.Bool: "bool",
	}
	for _, f := range reflect.VisibleFields(reflect.TypeOf(row)) {
		name, of := f.Tag.Get("parquet"), f.Type
		if name == "" {
			continue
		}
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		named = append(named, [2]string{name, cmp.Or(types[of.Kind()], "int")})
	}
	return named
}

// values returns a row's values in the order of its columns; a missing value is nil.
func values(v reflect.Value, out []any) []any {
	for i := range v.NumField() {
		if v.Type().Field(i).Anonymous {
			out = values(v.Field(i), out)
		} else {
			out = append(out, v.Field(i).Interface())
		}
	}
	return out
}

// cells returns values as text; a missing value is empty.
func cells(row []any) (out []string) {
	for _, value := range row {
		v, cell := reflect.ValueOf(value), ""
		if v.Kind() == reflect.Pointer {
			v = v.Elem() // no value for nil
		}
		switch v.Kind() {
		case reflect.Invalid:
		case reflect.Float64:
			cell = strconv.FormatFloat(v.Float(), 'g', -1, 64)
		case reflect.String:
			cell = results.CSVText(v.String())
		default:
			cell = fmt.Sprint(v.Interface())
		}
		out = append(out, cell)
	}
	return out
}
