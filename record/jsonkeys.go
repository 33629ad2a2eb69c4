package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// exactKeys refuses JSON with an object that has a key twice, or a key that is not exactly a
// field's name. encoding/json uses the last of several equal keys, reads "Tests" as "tests", and
// skips a misspelt key, so a result could differ from the visible text of its file.
func exactKeys(data []byte, of any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return walkKeys(d, reflect.TypeOf(of))
}

// walkKeys reads one value. Any key is allowed in a json.RawMessage and in an interface value.
func walkKeys(d *json.Decoder, t reflect.Type) error {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[json.RawMessage]() || t != nil && t.Kind() == reflect.Interface {
		t = nil
	}
	token, err := d.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('['):
		if t != nil && t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		for d.More() {
			if err := walkKeys(d, t); err != nil {
				return err
			}
		}
	case json.Delim('{'):
		fields, seen := fieldsOf(t), map[string]bool{}
		for d.More() {
			token, err := d.Token()
			if err != nil {
				return err
			}
			key := token.(string)
			if seen[key] {
				return fmt.Errorf("the key %.100q appears twice", key)
			}
			seen[key] = true
			value, known := fields[key]
			switch {
			case t != nil && t.Kind() == reflect.Map:
				value = t.Elem()
			case fields != nil && !known:
				return fmt.Errorf("unknown key %.100q", key)
			}
			if err := walkKeys(d, value); err != nil {
				return err
			}
		}
	default:
		return nil
	}
	_, err = d.Token() // the end of the object or array
	return err
}

// fieldsOf returns the types of a struct's fields by their names in JSON; nil if t is not a struct.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	out := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && !f.Anonymous && name != "-" {
			if name == "" {
				name = f.Name
			}
			out[name] = f.Type
		}
	}
	return out
}
