package llm

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	openai "github.com/sashabaranov/go-openai"

	"github.com/pacebench/pacebench/internal/hint"
)

// maxDraw is the largest draw that a seed can carry, because servers read seeds as 31 bits.
const maxDraw = math.MaxInt32

// messages converts a request to the form of the chat endpoint: a system message if there is one,
// and one user message. A single text is sent as a plain string, which every server accepts;
// anything else is sent as a list of parts, without empty texts.
func (m *OpenAI) messages(r Request) ([]openai.ChatCompletionMessage, error) {
	refuse := func(format string, args ...any) ([]openai.ChatCompletionMessage, error) {
		return nil, &Error{Kind: KindRequest, Message: fmt.Sprintf(format, args...)}
	}
	switch {
	case m.c.NoImages && r.hasImages():
		return refuse("the model does not accept images")
	case math.IsNaN(r.Temperature) || math.IsInf(r.Temperature, 0):
		return refuse("the temperature %g is not a finite number", r.Temperature)
	}
	var messages []openai.ChatCompletionMessage
	if r.System != "" {
		messages = append(messages,
			openai.ChatCompletionMessage{Role: "system", Content: r.System})
	}
	if len(r.User) == 1 && r.User[0].Image == nil {
		return append(messages,
			openai.ChatCompletionMessage{Role: "user", Content: r.User[0].Text}), nil
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
			return refuse("image %d (%s) has no bytes or no media type", i+1, p.Image.Digest)
		}
		parts = append(parts, openai.ChatMessagePart{
			Type: "image_url",
			ImageURL: &openai.ChatMessageImageURL{URL: "data:" + p.Image.MediaType + ";base64," +
				base64.StdEncoding.EncodeToString(p.Image.Data)},
		})
	}
	return append(messages, openai.ChatCompletionMessage{Role: "user", MultiContent: parts}), nil
}

// body completes the request body that go-openai writes. It adds the temperature, the seed and the
// token bound, because go-openai drops zeros and refuses some other values. It also adds the user's
// further fields, and empty contents, which go-openai drops.
func (x *exchange) body(written io.Reader) ([]byte, error) {
	var sent struct {
		Model, Stream json.RawMessage
		Messages      []map[string]json.RawMessage
	}
	if err := json.NewDecoder(written).Decode(&sent); err != nil {
		return nil, err
	}
	for _, message := range sent.Messages {
		if message["content"] == nil {
			message["content"] = json.RawMessage(`""`)
		}
	}
	fields := map[string]any{
		"model": sent.Model, "messages": sent.Messages, "stream": sent.Stream,
	}
	maps.Copy(fields, x.extra)
	if x.c.Temperature != TemperatureOmitted {
		fields["temperature"] = x.request.Temperature
	}
	if !x.c.OmitSeed {
		fields["seed"] = x.request.Draw
	}
	n := x.request.MaxTokens
	if x.c.MaxTokens > 0 && (n <= 0 || n > x.c.MaxTokens) {
		n = x.c.MaxTokens
	}
	if n > 0 {
		fields[string(x.c.TokenField)] = n
	}
	return json.Marshal(fields) // cannot fail: extraBody has checked the user's fields
}

// maxReply bounds the text of a reply, in bytes. No program is as long as 1 MiB.
const maxReply = 1 << 20

// failedFinish are the finish reasons of answers that the server did not complete, from OpenRouter,
// SGLang, DeepSeek and Zhipu.
var failedFinish = []string{"error", "abort", "insufficient_system_resource", "network_error"}

// slim reduces an answer to the fields that are read, before go-openai parses it. An odd value in
// another field therefore cannot spoil an answer.
func (x *exchange) slim(body []byte) ([]byte, error) {
	var answer struct {
		Model   json.RawMessage
		Choices []*struct {
			Message *struct {
				Content          json.RawMessage `json:"content,omitempty"`
				Refusal          json.RawMessage `json:"refusal,omitempty"`
				ReasoningContent json.RawMessage `json:"reasoning_content"`
				Reasoning        json.RawMessage
				ToolCalls        json.RawMessage `json:"tool_calls"`
			} `json:"message"`
			Finish json.RawMessage `json:"finish_reason"`
			Error  json.RawMessage
		}
		Usage json.RawMessage
	}
	switch err := json.Unmarshal(body, &answer); {
	case err != nil:
		return nil, fmt.Errorf("the answer does not have the expected form: %w",
			hint.JSON(err))
	case len(answer.Choices) == 0:
		return nil, errors.New("the answer contains no choices")
	case answer.Choices[0] == nil || answer.Choices[0].Message == nil:
		return nil, errors.New("the answer's first choice contains no message")
	}
	x.usage = answer.Usage
	first := answer.Choices[0]
	finish := textOf(first.Finish)
	if said := readFailure([]byte(`{"error":` + string(first.Error) + `}`)); said.inObject ||
		slices.Contains(failedFinish, finish) {
		if said.message == "" {
			said.message = fmt.Sprintf("the answer ended with finish_reason %q", finish)
		}
		return nil, wrongAnswer(said, nil)
	}
	// If something else came instead of a text, the finish reason says so; a journal has no other
	// field for it.
	if content := string(first.Message.Content); content == "" || content == "null" ||
		content == `""` {
		thinking := textOf(first.Message.ReasoningContent) + textOf(first.Message.Reasoning)
		switch {
		case bytes.HasPrefix(first.Message.ToolCalls, []byte("[{")):
			finish = FinishTool
		case thinking != "" && finish != "length":
			finish = FinishThinking
		}
	}
	return json.Marshal(map[string]any{"model": textOf(answer.Model), "choices": []any{
		map[string]any{
			"message": map[string]any{
				"content": first.Message.Content, "refusal": textOf(first.Message.Refusal),
			},
			"finish_reason": finish,
		},
	}})
}

// reply takes the first choice of an answer. An empty text is also an answer: models that spend all
// their tokens on reasoning return no text, and their tokens count.
func (x *exchange) reply(c openai.ChatCompletionResponse) Reply {
	message := c.Choices[0].Message
	text := message.Content
	for _, p := range message.MultiContent {
		text += p.Text
	}
	if text == "" {
		text = message.Refusal
	}
	reply := Reply{
		Model:  x.clean.inReply(oneLine(c.Model)),
		Finish: x.clean.inReply(oneLine(string(c.Choices[0].FinishReason))),
		Usage:  readUsage(x.usage, EstimateUsage(x.c.Model, x.request, text)),
	}
	// Clean before cutting: half a key would not be recognised.
	if text = x.clean.inReply(text); len(text) > maxReply {
		text, reply.Finish = strings.ToValidUTF8(text[:maxReply], ""), "length"
	}
	reply.Text = text
	return reply
}
