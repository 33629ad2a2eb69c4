package program

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// maxReply bounds a reply, in bytes. The longest requested answers have 8192 tokens, which is under
// 40 KiB.
const maxReply = 256 << 10

// tidy makes a reply valid UTF-8 with line feeds only. It refuses replies that are too long for an
// answer.
func tidy(reply string) (string, error) {
	if len(reply) > maxReply {
		return "", refuse("the reply has %d bytes, more than the %d that are read",
			len(reply), maxReply)
	}
	reply = strings.TrimPrefix(strings.ToValidUTF8(reply, "\uFFFD"), "\uFEFF")
	return lineFeeds.Replace(reply), nil
}

// A Replacer is slow to build, so each of these is built once.
var (
	lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")
	spaces    = strings.NewReplacer("\u00A0", " ", "\u202F", " ", "\u200B", "", "\u2060", "")
)

// answer returns the part of a reply that is the answer: its first turn with code, without the
// thinking before it, unwrapped from a JSON object, and with plain spaces instead of characters
// that look like them.
func answer(reply string) string {
	return spaces.Replace(firstTurn(reply, definition.MatchString, func(turn string) string {
		text := firstSpeaker(wrapper.ReplaceAllString(withoutThinking(turn), "\n"))
		if inner, ok := fromJSON(text); ok {
			return inner
		}
		return text
	}))
}

// Words returns the answer to a prompt that asks for words and not for code: the first turn of the
// reply that says something, without the thinking before it. A reply without such marks is returned
// unchanged.
func Words(reply string) string {
	says := func(text string) bool { return strings.TrimSpace(text) != "" }
	words := firstTurn(reply, says, func(turn string) string {
		text, _ := cutThinking(turn)
		return text
	})
	if words != reply {
		words = strings.TrimSpace(words)
	}
	return words
}

// definition matches a line that begins a function definition or binds a lambda, possibly indented.
var definition = regexp.MustCompile(
	`(?m)^[ \t]*(?:>>> )?((async[ \t]+)?def[ \t]+\w|\w+[ \t]*(:[^=\n]*)?=[ \t]*lambda\b)`)

// fromJSON unwraps a reply that is one JSON object with the code in a field: {"thought": …, "code":
// …}. The first other text becomes the thought.
func fromJSON(reply string) (string, bool) {
	text := strings.TrimSpace(reply)
	if blocks := fences(text); len(blocks) == 1 && blocks[0].at == 0 && !blocks[0].open {
		text = strings.TrimSpace(blocks[0].text)
	}
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") {
		return "", false
	}
	var fields map[string]any
	if json.Unmarshal([]byte(text), &fields) != nil {
		return "", false
	}
	thought, code := "", ""
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		value, _ := fields[key].(string)
		switch {
		case definition.MatchString(value):
			code = value
		case thought == "":
			thought = strings.Trim(strings.TrimSpace(value), "{}")
		}
	}
	if code == "" {
		return "", false
	}
	if thought != "" {
		thought = "{" + thought + "}\n\n"
	}
	if !strings.Contains(code, "```") {
		code = "```python\n" + code + "\n```"
	}
	return thought + code + "\n", true
}
