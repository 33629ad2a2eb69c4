package cli

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/xrash/smetrics"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
)

// unknownKey refuses the first key of a TOML file that nothing was decoded from. top are the
// known keys of the file's top level beside models.
func unknownKey(path string, md toml.MetaData, top []string) error {
	extra := slices.DeleteFunc(md.Undecoded(), func(k toml.Key) bool {
		return len(k) > 3 && k[0] == "models" && k[2] == "extra_body" // inline tables in it are decoded, and not counted so
	})
	if len(extra) == 0 {
		return nil
	}
	key := extra[0]
	known, where := append(slices.Clone(top), "models"), ""
	switch {
	case len(key) == 3 && key[0] == "models":
		known, where = keysOf(llm.Profile{}), fmt.Sprintf("[models.%s]: ", key[1])
	case len(key) == 2 && key[0] == "cells":
		known, where = keysOf(group{}), "[[cells]]: "
	}
	last := key[len(key)-1]
	return bench.Hint(usagef("%s: %sunknown key %q", path, where, last), oneOf("keys", last, known))
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
		if d := smetrics.WagnerFischer(strings.ToLower(word), strings.ToLower(k), 1, 1, 1); d < least && 2*d < len(k) {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %s? ", best)
}
