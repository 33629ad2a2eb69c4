package llm

import (
	"errors"
	"net/url"
	"regexp"
	"strings"
)

// A secret is a key that no print shows: fmt prints a function as its address, also where
// the struct around it is printed with %#v and its methods are out of reach.
type secret func() string

const (
	hidden    = "[key]"
	minSecret = 4 // shorter keys are placeholders such as "x"; to redact them would mangle every error
)

// keyLike is what keys of common servers look like, whole or partly masked by the server.
var keyLike = regexp.MustCompile(`\b(sk|pk|rk|gsk|xai|key)-[A-Za-z0-9_*.-]{8,}`)

func newSecret(key string) (secret, error) {
	key = strings.TrimSpace(key)
	for _, r := range key {
		if r <= ' ' || r > '~' {
			return nil, errors.New("the key holds a space, a line break or a letter outside ASCII")
		}
	}
	return func() string { return key }, nil
}

// redact removes the key from a text that the server or a library wrote.
func (s secret) redact(text string) string {
	if key := s(); len(key) >= minSecret {
		text = strings.NewReplacer(key, hidden, url.QueryEscape(key), hidden).Replace(text)
	}
	return keyLike.ReplaceAllString(text, hidden)
}
