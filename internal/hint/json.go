package hint

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// JSON returns a decoding error of encoding/json as a sentence without names from Go, for example
// "step.number: this is a list, want a whole number". It returns other errors unchanged. Every
// message about JSON that a user reads passes through here.
func JSON(err error) error {
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		where := ""
		if e.Field != "" {
			where = strings.ToLower(e.Field) + ": "
		}
		return fmt.Errorf("%sthis is %s, want %s", where, given(e.Value), wanted(e.Type))
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		if strings.HasPrefix(e.Error(), "unexpected end") {
			return errors.New("not JSON: the text ends too early")
		}
		return fmt.Errorf("not JSON at byte %d: %w", e.Offset, err)
	}
	if err != nil && strings.HasPrefix(err.Error(), "json: ") {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return err
}

// given returns plain words for a value, which the decoder calls "string", "array" or "number 1.5".
func given(value string) string {
	switch kind, number, _ := strings.Cut(value, " "); kind {
	case "string":
		return "a text"
	case "bool":
		return "true or false"
	case "array":
		return "a list"
	case "object":
		return "an object"
	default:
		return cmp.Or(number, "a number")
	}
}

// wanted returns plain words for a Go type.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Pointer:
		return wanted(t.Elem())
	default:
		return "a whole number"
	}
}
