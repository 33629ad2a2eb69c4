package program

import (
	"regexp"
	"strings"
)

// Chat templates mark turns and thinking. A server without the template's parser, or one that shows
// special tokens, passes the marks on. The lists follow the parsers of vLLM and llama.cpp.
const (
	thoughts = `(?:think|thinking|thoughts?|reason|reasoning|reflection|scratchpad|analysis|` +
		`inner_monologue|antthinking)`
	// gpt-oss and Solar begin a message like this, perhaps after the end of the previous message.
	message = `(?:<\|(?:end|call|flush)\|>\s*)?(?:<\|(?:start|begin)\|>assistant\s*)?`
	opening = `<(?:\w+:)?` + thoughts + `(?:\s+\w+="[^"<>]*")?>|\[THINK(?:ING)?\]|◁think▷|` +
		`<\|(?:think|thinking|begin_of_thought|start_thinking|inner_prefix)\|>|` +
		`<\|channel>thought\b|<unused94>thought\b|` +
		message + `<\|channel\|>(?:analysis|commentary)[^{}\n]{0,60}?<\|message\|>`
	closing = `</(?:\w+:)?` + thoughts + `>|\[/THINK(?:ING)?\]|◁/think▷|` +
		`<\|(?:/think|/thinking|end_of_thought|end_thinking|inner_suffix)\|>|` +
		`<channel\|>|<unused95>|` + message + `<\|content\|>|` +
		message + `<\|channel\|>final[^{}\n]{0,60}?<\|message\|>`
	// around are marks around the answer.
	around = `<\|(?:begin_of_|end_of_|start_|end_)(?:solution|box|response|answer)\|>`
	// All other marks end or begin a turn. The last form is a truncated mark.
	turning = `<\|start_(?:header_id|of_role)\|>\w*<\|end_(?:header_id|of_role)\|>|` +
		`<[|｜][^<>|｜\n]{1,40}[|｜]>|</?s>|<(?:bos|eos|eod|EOT|END)>|<role>\w*</role>|` +
		`<(?:start|end)_of_(?:turn|utterance)>|<\|turn>|<turn\|>|\[e~\[|\]~b\]|\[/?INST\]|` +
		`<[|｜]\w{0,30}[|｜]?\s*\z`
)

var (
	// mark has a group for opening, one for closing and one for turning.
	mark = regexp.MustCompile(
		`(?i)\A(?:(` + opening + `)|(` + closing + `)|` + around + `|(` + turning + `))`)
	// lead matches thinking at the beginning of a reply in a notation without marks: gpt-oss after
	// a server has removed its marks, Granite, Open WebUI.
	lead = regexp.MustCompile(`(?s)\A\s*(?:(?:analysis.*?)?assistantfinal|` +
		`(?i:here(?:'s| is) my thought process:.*?here(?:'s| is) my response:)|` +
		`<details type="reasoning"[^<>]*>.*?</details>)`)
	// wrapper matches a tag or a mark around an answer.
	wrapper = regexp.MustCompile(`(?mi)^[ \t]*</?` + wrappers + `>|</?` + wrappers + `>[ \t]*$|` +
		around)
	// A turn is not the model's if its mark or the word after the mark names another role.
	otherMark = regexp.MustCompile(`(?i)user|human|system|tool|observation|ipython|\[INST`)
	otherName = regexp.MustCompile(`(?i)\A\s*(?:user|human|system|tool)[ \t]*(?:[\n:<\[]|\z)`)
	ownName   = regexp.MustCompile(`\A\s*(?:assistant|model)[ \t]*(?:\n|\z)`)
	// speaker matches a line that begins another turn without a mark.
	speaker = regexp.MustCompile(`(?m)^(?:(?:\*\*|#+ *)?(?:User|USER|Human|HUMAN|Assistant|` +
		`ASSISTANT)(?:\*\*)? ?:|#+ *(?:Instruction|User|Human|Assistant)s?:?[ \t]*$|` +
		`(?:user|human|assistant)[ \t]*$)`)
)

const wrappers = `(?:answer|solution|response|output|final_answer)`

// A sign is a mark with its position in a text.
type sign struct {
	at, end         int
	opens, endsTurn bool // neither: the mark closes the thinking
}

func signs(text string) []sign {
	var found []sign
	for at := 0; ; {
		next := strings.IndexAny(text[at:], "<[]◁")
		if next < 0 {
			return found
		}
		at += next
		m := mark.FindStringSubmatchIndex(text[at:])
		if m == nil {
			at++
			continue
		}
		s := sign{at, at + m[1], m[2] >= 0, m[6] >= 0}
		if s.opens || s.endsTurn || m[4] >= 0 {
			found = append(found, s)
		}
		at = s.end
	}
}

// firstTurn reads a reply up to its first turn with the wanted content. A model that does not stop
// after its turn invents further turns. If no turn has the wanted content, firstTurn reads the
// whole reply without the marks.
func firstTurn(reply string, wanted func(string) bool, read func(turn string) string) string {
	reply = reply[len(lead.FindString(reply)):]
	var kept []string
	var whole strings.Builder
	at, theirs := 0, false
	end := func(to int) bool {
		turn := reply[at:to]
		whole.WriteString(turn + "\n")
		if !theirs {
			kept = append(kept, read(ownName.ReplaceAllString(turn, "")))
		}
		return !theirs && wanted(kept[len(kept)-1])
	}
	for _, s := range signs(reply) {
		if !s.endsTurn {
			continue
		}
		if end(s.at) {
			return strings.Join(kept, "\n")
		}
		at = s.end
		theirs = otherMark.MatchString(reply[s.at:at]) || otherName.MatchString(reply[at:])
	}
	switch {
	case at == 0:
		return read(reply)
	case end(len(reply)):
		return strings.Join(kept, "\n")
	}
	return read(whole.String())
}

// firstSpeaker cuts a text at the first line after its code that begins another turn.
func firstSpeaker(text string) string {
	code := definition.FindStringIndex(text)
	if code == nil {
		return text
	}
	for _, b := range outside(text, fences(text)) {
		from := max(b.at, code[1])
		if from >= b.end {
			continue
		}
		if m := speaker.FindStringIndex(text[from:b.end]); m != nil {
			return text[:from+m[0]]
		}
	}
	return text
}

// cutThinking removes the thinking that a model writes before its answer. Some servers leave out
// the first mark. cutThinking returns the answer and, if the thinking never ends, the rest of the
// text.
func cutThinking(text string) (answer, rest string) {
	var parts []string
	at, inside := 0, false
	for _, s := range signs(text) {
		part := text[at:s.at]
		switch {
		case s.endsTurn:
			continue
		case s.opens && !inside, !s.opens && inside && isIdea(part):
			parts = append(parts, part)
		case !s.opens && !inside:
			parts = nil
		}
		at, inside = s.end, s.opens
	}
	if at == 0 {
		return text, ""
	}
	if inside {
		return strings.Join(parts, "\n"), text[at:]
	}
	return strings.Join(append(parts, text[at:]), "\n"), ""
}

// isIdea reports whether a text is an idea and not thinking: one sentence in braces and nothing
// else.
func isIdea(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "{") && closes(text)
}

// withoutThinking returns the answer in a turn that should hold code. Some models leave out the
// mark that ends the thinking. If the code is only in the text that looks like thinking, this text
// is part of the result.
func withoutThinking(turn string) string {
	answer, rest := cutThinking(turn)
	if rest != "" && !definition.MatchString(answer) {
		answer += "\n" + rest
	}
	if !definition.MatchString(answer) && definition.MatchString(turn) {
		return unmarked(turn)
	}
	return answer
}

func unmarked(text string) string {
	var parts []string
	at := 0
	for _, s := range signs(text) {
		parts = append(parts, text[at:s.at])
		at = s.end
	}
	return strings.Join(append(parts, text[at:]), "\n")
}
