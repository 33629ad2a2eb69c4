package suite

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/xrash/smetrics"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
)

// unknownKey refuses the first unknown key of a TOML file. top lists the known keys of the file's
// top level, except models. The library also accepts keys in another letter case, and unknownKey
// refuses them.
func unknownKey(path string, md toml.MetaData, top []string) error {
	for _, key := range md.Keys() {
		var known []string
		where := ""
		switch {
		case len(key) == 1:
			known = append(slices.Clone(top), "models")
		case len(key) == 2 && key[0] == "runs":
			known, where = KeysOf(Group{}), "[[runs]]: "
		case len(key) == 2 && key[0] == "separate":
			known, where = KeysOf(record.Separate{}), "[separate]: "
		case len(key) == 3 && key[0] == "models":
			known, where = KeysOf(llm.Profile{}), fmt.Sprintf("[models.%s]: ", key[1])
		default:
			continue // a name in models, or a key in extra_body
		}
		if last := key[len(key)-1]; !slices.Contains(known, last) {
			return hint.Add(Usagef("%s: %sunknown key %q", path, where, last),
				OneOf("keys", last, known))
		}
	}
	return nil
}

// KeysOf returns the TOML keys of a struct, in order.
func KeysOf(v any) []string {
	var keys []string
	for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
		if key := f.Tag.Get("toml"); key != "" && key != "-" {
			keys = append(keys, key)
		}
	}
	return keys
}

// mostMeant bounds the number of words in a question, so that the question fits in one line.
const mostMeant = 6

// DidYouMean returns a question that ends in a space if known words contain the word or are similar
// to it. Otherwise it returns "".
func DidYouMean(word string, known []string) string {
	var containing []string
	for _, k := range known {
		if strings.EqualFold(k, word) {
			return fmt.Sprintf("did you mean %s? ", k)
		}
		if len(word) > 1 && strings.Contains(strings.ToLower(k), strings.ToLower(word)) {
			containing = append(containing, k)
		}
	}
	if n := len(containing); n > 0 && n <= mostMeant {
		return fmt.Sprintf("did you mean %s? ", strings.Join(containing, " or "))
	}
	best, least := "", 3 // at most two edits
	for _, k := range known {
		d := smetrics.WagnerFischer(strings.ToLower(word), strings.ToLower(k), 1, 1, 1)
		if d < least && 2*d < len(k) {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %s? ", best)
}

// OneOf returns a hint that lists the known words. It begins with the question of DidYouMean, if
// there is one.
func OneOf(what, word string, known []string) string {
	return DidYouMean(word, known) + what + ": " + strings.Join(known, ", ")
}

func Map[T, U any](things []T, f func(T) U) (out []U) {
	for _, t := range things {
		out = append(out, f(t))
	}
	return out
}

var Counted = hint.Counted
