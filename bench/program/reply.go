package program

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// maxReply is in bytes; our choice: the longest answers asked for have 8192 tokens, under 40 KiB.
const maxReply = 256 << 10

// tidy makes a reply valid UTF-8 with line feeds only, and refuses one that no model would
// write to answer us.
func tidy(reply string) (string, error) {
	if len(reply) > maxReply {
		return "", refuse("the reply has %d bytes, more than the %d that are read",
			len(reply), maxReply)
	}
	reply = strings.TrimPrefix(strings.ToValidUTF8(reply, "\uFFFD"), "\uFEFF")
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(reply), nil
}

// answer is the part of a reply that answers: without the thinking before it and out of a JSON
// object, with plain spaces for those that only look like them.
func answer(reply string) string {
	text := withoutThinking(reply)
	if inner, ok := fromJSON(text); ok {
		text = inner
	}
	spaces := strings.NewReplacer("\u00A0", " ", "\u202F", " ", "\u200B", "", "\u2060", "")
	return spaces.Replace(text)
}

// definition is a line that begins a function definition, or binds a lambda; the line may be
// indented.
var definition = regexp.MustCompile(
	`(?m)^[ \t]*(?:>>> )?((async[ \t]+)?def[ \t]+\w|\w+[ \t]*(:[^=\n]*)?=[ \t]*lambda\b)`)

var thinkingTag = regexp.MustCompile(`(?i)<(/?)(think|thinking|reasoning)>`)

// withoutThinking takes off what a reasoning model writes before its answer, between <think> and
// </think>. Some servers leave out the first tag, and some models the second: then the code decides
// which part is the answer.
func withoutThinking(reply string) string {
	var parts []string
	at, inside := 0, false
	for _, m := range thinkingTag.FindAllStringSubmatchIndex(reply, -1) {
		switch opens := m[2] == m[3]; {
		case opens && !inside:
			parts = append(parts, reply[at:m[0]])
			inside = true
		case !opens && !inside:
			parts = nil
		default:
			inside = opens
		}
		at = m[1]
	}
	if at == 0 {
		return reply
	}
	out := strings.Join(parts, "\n")
	if !inside || !definition.MatchString(out) {
		out += "\n" + reply[at:]
	}
	if !definition.MatchString(out) && definition.MatchString(reply) {
		return thinkingTag.ReplaceAllString(reply, "\n")
	}
	return out
}

// fromJSON unwraps a reply that is one JSON object with the code in one of its fields: {"thought":
// …, "code": …}. The first other text becomes the thought.
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
