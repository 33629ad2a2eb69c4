package cli

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/xrash/smetrics"

	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/llm"
)

// unknownKey refuses the first unknown key of a TOML file. top are the known keys of the file's top
// level beside models. The library also decodes keys of another letter case; they are unknown here.
func unknownKey(path string, md toml.MetaData, top []string) error {
	for _, key := range md.Keys() {
		var known []string
		where := ""
		switch {
		case len(key) == 1:
			known = append(slices.Clone(top), "models")
		case len(key) == 2 && key[0] == "cells":
			known, where = keysOf(group{}), "[[cells]]: "
		case len(key) == 3 && key[0] == "models":
			known, where = keysOf(llm.Profile{}), fmt.Sprintf("[models.%s]: ", key[1])
			if len(llm.Protocols) == 1 { // there is nothing to choose
				known = slices.DeleteFunc(known, func(k string) bool { return k == "protocol" })
			}
		default:
			continue // a name of models, or what an extra_body holds
		}
		if last := key[len(key)-1]; !slices.Contains(known, last) {
			return hint.Add(usagef("%s: %sunknown key %q", path, where, last),
				oneOf("keys", last, known))
		}
	}
	return nil
}

// keysOf is the TOML keys of a struct, in order.
func keysOf(v any) []string {
	var keys []string
	for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
		if key := f.Tag.Get("toml"); key != "" && key != "-" {
			keys = append(keys, key)
		}
	}
	return keys
}

// didYouMean is a question that ends in a space when a known word is near, otherwise empty.
func didYouMean(word string, known []string) string {
	best, least := "", 3 // two letters exchanged, left out or put in
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
