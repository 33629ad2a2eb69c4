package llm

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

const (
	hidden = "[key]"
	// Shorter keys are placeholders such as "x"; redacting them would mangle every error.
	minSecret = 4
	// Shorter keys stay in replies: they are placeholders such as "EMPTY", which a program may
	// contain.
	minSecretInReply = 10
)

// keyLike matches keys of common servers, whole or partly masked by the server.
var keyLike = regexp.MustCompile(`\b(sk|pk|rk|gsk|xai|key)-[A-Za-z0-9_*.-]{8,}`)

// cleanKey checks a key and removes white space around it, such as the line break at the end of a
// file.
func cleanKey(key string) (string, error) {
	key = strings.TrimSpace(key)
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New(
			"the key contains a space, a line break or a character that is not ASCII")
	}
	return key, nil
}

// A redactor removes keys from texts that a server or a library wrote. It is a function because fmt
// prints functions as addresses, even inside a struct printed with %#v.
type redactor func(text string, shortest int) string

func newRedactor(keys ...string) redactor {
	type needle struct {
		length int
		re     *regexp.Regexp
	}
	var needles []needle
	for _, key := range keys {
		if len(key) >= minSecret {
			needles = append(needles, needle{len(key), anyForm(key)})
		}
	}
	return func(text string, shortest int) string {
		for _, n := range needles {
			if n.length >= shortest {
				text = n.re.ReplaceAllLiteralString(text, hidden)
			}
		}
		return text
	}
}

// anyForm returns an expression for a key in upper or lower case, with any of its letters escaped
// as in a URL, in JSON or by a backslash.
func anyForm(key string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString("(?i)")
	for _, c := range []byte(key) {
		fmt.Fprintf(&b, `(?:\\?%s|%%(?:25)?%02x|\\+u00%02x|\\+x%02x|&#(?:%d|x0*%x);)`,
			regexp.QuoteMeta(string(rune(c))), c, c, c, c, c)
	}
	return regexp.MustCompile(b.String())
}

// inError cleans an error's text. It also removes texts that only look like a key.
func (r redactor) inError(text string) string {
	return keyLike.ReplaceAllString(r(text, minSecret), hidden)
}

// inReply cleans the kept part of an answer. It removes only the keys themselves, because a text
// that looks like a key may belong to a program.
func (r redactor) inReply(text string) string { return r(text, minSecretInReply) }
