package suite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/internal/hint"
)

// A named is a method or the settings of a trained policy.
type named interface{ Name() string }

// Apply sets the fields of a method, identified by their JSON names. It returns the variant's name:
// the settings that differ from the defaults, sorted and separated by commas.
func Apply(m named, sets []string) (variant string, err error) {
	fields, err := settingsOf(m)
	if err != nil {
		return "", err
	}
	changed, given := map[string]string{}, map[string]bool{}
	for _, s := range sets {
		name, text, ok := strings.Cut(s, "=")
		if !ok {
			return "", Usagef("--set %s: want name=value", s)
		}
		if given[name] {
			return "", Usagef("--set %s: %s is set twice", s, name)
		}
		given[name] = true
		old, ok := fields[name]
		if !ok {
			known := slices.Sorted(maps.Keys(fields))
			return "", hint.Add(
				Usagef("--set %s: method %s has no setting %q", s, m.Name(), name),
				OneOf("settings of "+m.Name(), name, known))
		}
		value, err := parseAs(old, text)
		if err != nil {
			return "", Usagef("--set %s: %w", s, err)
		}
		if !bytes.Equal(old, value) {
			changed[name] = spelled(text, value)
		}
		if err := json.Unmarshal(fmt.Appendf(nil, "{%q:%s}", name, value), m); err != nil {
			return "", Usagef("--set %s: want a value like the default, %s", s, old)
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		parts = append(parts, name+"="+changed[name])
	}
	return strings.Join(parts, ","), nil
}

// Settings returns the names that --set takes for a method, each with its default.
func Settings(m named) ([]string, error) {
	fields, err := settingsOf(m)
	var all []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value, text := fields[name], ""
		if value[0] == '{' {
			continue // parseAs refuses objects
		}
		_ = json.Unmarshal(value, &text) // text stays empty if value is not a string
		all = append(all, name+"="+spelled(text, value))
	}
	return all, err
}

// spelled returns the canonical spelling of a value: 5 for 05, false for 0, P1,P2 for "P1, P2".
func spelled(text string, value json.RawMessage) string {
	var list []string
	switch {
	case value[0] == '"':
		return text
	case json.Unmarshal(value, &list) == nil:
		return strings.Join(list, ",")
	}
	return strings.Trim(string(value), "[]")
}

// settingsOf returns the exported fields of a method by their JSON names. They include fields that
// the header omits while they are zero (omitempty), so that older runs stay valid when a setting is
// added.
func settingsOf(m named) (map[string]json.RawMessage, error) {
	if own, ok := m.(interface {
		Settings() map[string]json.RawMessage
	}); ok {
		return maps.Clone(own.Settings()), nil
	}
	fields := map[string]json.RawMessage{}
	v := reflect.Indirect(reflect.ValueOf(m))
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		value, err := json.Marshal(v.FieldByIndex(f.Index).Interface())
		if err != nil {
			return nil, fmt.Errorf("setting %s: %w", name, err)
		}
		fields[name] = value
	}
	return fields, nil
}

// parseAs parses text as a value of the same kind as the default, old.
func parseAs(old json.RawMessage, text string) (json.RawMessage, error) {
	switch old[0] {
	case 't', 'f':
		b, err := strconv.ParseBool(text)
		if err != nil {
			return nil, fmt.Errorf("%q is neither true nor false", text)
		}
		return json.Marshal(b)
	case '"':
		return json.Marshal(text)
	case '[', 'n':
		list := []string{}
		for v := range strings.SplitSeq(text, ",") {
			if v = strings.TrimSpace(v); v != "" {
				list = append(list, v)
			}
		}
		var items []json.RawMessage // of the default; their first one tells the kind of all
		if json.Unmarshal(old, &items) != nil || len(items) == 0 || items[0][0] == '"' {
			return json.Marshal(list)
		}
		values := []json.RawMessage{}
		for _, item := range list {
			value, err := parseAs(items[0], item)
			if err != nil {
				return nil, err
			}
			// A number stays as it is written, because runs are named after it.
			if c := value[0]; c != 't' && c != 'f' && json.Valid([]byte(item)) {
				value = json.RawMessage(item)
			}
			values = append(values, value)
		}
		return json.Marshal(values)
	case '{':
		return nil, fmt.Errorf("this setting cannot be given on the command line")
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		if n < -math.MaxInt32 || n > math.MaxInt32 {
			return nil, fmt.Errorf("%q is out of range", text)
		}
		return json.Marshal(n)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) || strings.ContainsAny(text, "xX_") {
		return nil, fmt.Errorf("%q is not a number", text)
	}
	return json.Marshal(f + 0) // adding 0 removes the sign of a negative zero
}
