package llm

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// maxDraw is the largest draw that a seed can carry: servers know seeds as 31 bits.
const maxDraw = math.MaxInt32

// noChats are OpenAI's models from before its chats.
var noChats = regexp.MustCompile(`^(code-davinci-00[12]|code-cushman-001|text-davinci-00[123]|` +
	`text-(curie|babbage|ada)-001|(davinci|curie)(-instruct-beta)?|babbage|ada)$`)

// body writes a request in the form of the chat endpoint: a system message when there is one, and
// one user message. A single text goes as a plain string, which every server knows; anything else
// as a list of parts, in which empty texts have no place.
func (m *OpenAI) body(r Request) ([]byte, error) {
	refuse := func(kind Kind, format string, args ...any) ([]byte, error) {
		return nil, &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
	}
	switch {
	case m.c.NoImages && r.hasImages():
		return refuse(KindRequest, "the model does not accept images")
	case math.IsNaN(r.Temperature) || math.IsInf(r.Temperature, 0):
		return refuse(KindRequest, "the temperature is %g", r.Temperature)
	}
	type message struct {
		Content any    `json:"content"`
		Role    string `json:"role"`
	}
	var messages []message
	if r.System != "" {
		messages = append(messages, message{r.System, "system"})
	}
	var parts []openai.ChatMessagePart
	for i, p := range r.User {
		if p.Text != "" {
			parts = append(parts, openai.ChatMessagePart{Type: "text", Text: p.Text})
		}
		if p.Image == nil {
			continue
		}
		if len(p.Image.Data) == 0 || p.Image.MediaType == "" {
			return refuse(KindRequest,
				"image %d (%s) has no bytes or no media type", i+1, p.Image.Digest)
		}
		parts = append(parts, openai.ChatMessagePart{
			Type: "image_url",
			ImageURL: &openai.ChatMessageImageURL{URL: "data:" + p.Image.MediaType + ";base64," +
				base64.StdEncoding.EncodeToString(p.Image.Data)},
		})
	}
	user := message{parts, "user"}
	if parts == nil || len(r.User) == 1 && r.User[0].Image == nil {
		user.Content = TextOf(r.User[:min(1, len(r.User))])
	}
	if noChats.MatchString(m.c.Model) {
		return refuse(KindModel, "this model does not answer chats")
	}
	fields := map[string]any{
		"model": m.c.Model, "messages": append(messages, user), "stream": false,
	}
	maps.Copy(fields, m.extra)
	if m.c.Temperature != TemperatureOmitted {
		fields["temperature"] = r.Temperature
	}
	if !m.c.OmitSeed {
		fields["seed"] = r.Draw
	}
	n := r.MaxTokens
	if m.c.MaxTokens > 0 && (n <= 0 || n > m.c.MaxTokens) {
		n = m.c.MaxTokens
	}
	if n > 0 {
		fields[string(m.c.TokenField)] = n
	}
	return json.Marshal(fields) // extraBody has tried what is not ours
}

// maxReply bounds the text of a reply, in bytes. Our choice: no program is as long.
const maxReply = 1 << 20

// readReply takes the first choice of an answer. One of no text is an answer: models that spend all
// their tokens on reasoning give it, and the tokens count.
func (m *OpenAI) readReply(status int, body []byte, r Request) (Reply, error) {
	var answer struct {
		Model   json.RawMessage
		Choices []*struct {
			Message *struct {
				Content json.RawMessage `json:"content,omitempty"`
				Refusal json.RawMessage `json:"refusal,omitempty"`
			} `json:"message"`
			Finish json.RawMessage `json:"finish_reason"`
		}
		Usage json.RawMessage
	}
	broken := func(why string) (Reply, error) {
		return Reply{}, &Error{Kind: KindBody, Status: status, Message: why}
	}
	switch err := json.Unmarshal(body, &answer); {
	case err != nil:
		return broken("the answer is not of the expected form: " + err.Error())
	case len(answer.Choices) == 0:
		return broken("the answer holds no choices")
	case answer.Choices[0] == nil || answer.Choices[0].Message == nil:
		return broken("the answer's first choice holds no message")
	}
	// The library knows the forms of content. It is not shown what else the answer holds: no odd
	// value of another field can spoil an answer.
	first := answer.Choices[0]
	content, err := json.Marshal(map[string]any{"choices": []any{
		map[string]any{"message": map[string]any{"content": first.Message.Content}},
	}})
	if err != nil {
		return broken("the answer is not of the expected form: " + err.Error())
	}
	var c openai.ChatCompletionResponse
	if err := json.Unmarshal(content, &c); err != nil {
		return Reply{}, err
	}
	text := c.Choices[0].Message.Content
	for _, p := range c.Choices[0].Message.MultiContent {
		text += p.Text
	}
	if text == "" {
		text = textOf(first.Message.Refusal)
	}
	reply := Reply{
		Model:  m.clean.inReply(oneLine(textOf(answer.Model))),
		Finish: m.clean.inReply(oneLine(textOf(first.Finish))),
		Usage:  readUsage(answer.Usage, EstimateUsage(m.c.Model, r, text)),
	}
	// Cleaned before it is cut: half a key would stay.
	if text = m.clean.inReply(text); len(text) > maxReply {
		text, reply.Finish = strings.ToValidUTF8(text[:maxReply], ""), "length"
	}
	reply.Text = text
	return reply, nil
}
