package report

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record"
)

// TestDocumentedFields: docs/results.md describes every field of a results directory.
func TestDocumentedFields(t *testing.T) {
	page := must.Read(t, "../docs/results.md")
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(typ reflect.Type) {
		for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map},
			typ.Kind()) {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] {
			return
		}
		seen[typ] = true
		for f := range typ.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "-" {
				continue
			}
			if name != "" && !strings.Contains(string(page), "`"+name+"`") {
				t.Errorf("docs/results.md does not explain `%s` of %s", name, typ)
			}
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[record.Line]())
	walk(reflect.TypeFor[record.Result]())
	walk(reflect.TypeFor[record.RunFile]())
	walk(reflect.TypeFor[record.Timing]())
}
