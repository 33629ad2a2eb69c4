package llm

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	openai "github.com/sashabaranov/go-openai"
)

// chatMessages writes a request in the form of the chat endpoint: a system message when
// there is one, and one user message. A single text goes as a plain string, which every
// server knows; anything else as a list of parts, in which empty texts have no place.
func chatMessages(r Request) ([]openai.ChatCompletionMessage, error) {
	if math.IsNaN(r.Temperature) || math.IsInf(r.Temperature, 0) {
		return nil, &Error{Kind: KindRequest,
			Message: fmt.Sprintf("the temperature is %g", r.Temperature)}
	}
	var messages []openai.ChatCompletionMessage
	if r.System != "" {
		messages = append(messages, openai.ChatCompletionMessage{
			Role: openai.ChatMessageRoleSystem, Content: r.System,
		})
	}
	user := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser}
	if len(r.User) == 1 && r.User[0].Image == nil {
		user.Content = r.User[0].Text
		return append(messages, user), nil
	}
	for i, p := range r.User {
		if p.Text != "" {
			user.MultiContent = append(user.MultiContent, openai.ChatMessagePart{
				Type: openai.ChatMessagePartTypeText, Text: p.Text,
			})
		}
		if p.Image == nil {
			continue
		}
		if len(p.Image.Data) == 0 || p.Image.MediaType == "" {
			return nil, &Error{Kind: KindRequest, Message: fmt.Sprintf(
				"image %d (%s) has no bytes or no media type", i+1, p.Image.Digest)}
		}
		address := "data:" + p.Image.MediaType + ";base64," +
			base64.StdEncoding.EncodeToString(p.Image.Data)
		user.MultiContent = append(user.MultiContent, openai.ChatMessagePart{
			Type:     openai.ChatMessagePartTypeImageURL,
			ImageURL: &openai.ChatMessageImageURL{URL: address},
		})
	}
	return append(messages, user), nil
}

// maxReply bounds the text of a reply, in bytes. Our choice: no program is as long.
const maxReply = 1 << 20

// readReply takes the first choice, which inspect has seen. An answer of no text is an answer:
// models that spend all their tokens on reasoning give it, and the tokens count.
func readReply(
	c openai.ChatCompletionResponse, usage json.RawMessage, clean redactor, model string, r Request,
) Reply {
	message := c.Choices[0].Message
	text := message.Content
	for _, p := range message.MultiContent {
		text += p.Text
	}
	if text == "" {
		text = message.Refusal
	}
	reply := Reply{
		Model:  clean.inReply(oneLine(c.Model)),
		Finish: clean.inReply(oneLine(string(c.Choices[0].FinishReason))),
		Usage:  readUsage(usage, EstimateUsage(model, r, text)),
	}
	// Cleaned before it is cut: half a key would stay.
	if text = clean.inReply(text); len(text) > maxReply {
		text, reply.Finish = strings.ToValidUTF8(text[:maxReply], ""), "length"
	}
	reply.Text = text
	return reply
}
