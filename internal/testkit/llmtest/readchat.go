package llmtest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/llm"
)

// readChat reads the body of a chat request; stream and usage only change the form of the response.
// number replaces a missing seed, so that a client without seeds gets different answers. Settings
// that Request cannot hold are ignored.
func readChat(body []byte, number uint64) (r llm.Request, stream, usage bool, err error) {
	var chat struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
		Temperature         *float64
		Seed                *int64
		MaxTokens           int `json:"max_tokens"`
		MaxCompletionTokens int `json:"max_completion_tokens"`
		N                   *int
		Stream              bool
		StreamOptions       struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	fail := func(format string, args ...any) (llm.Request, bool, bool, error) {
		return llm.Request{}, false, false, fmt.Errorf(format, args...)
	}
	if err := json.Unmarshal(body, &chat); err != nil {
		return fail("the body is not a chat request: %v", hint.JSON(err))
	}
	if chat.N != nil && *chat.N != 1 {
		return fail("n is %d, but only 1 is supported", *chat.N)
	}
	r = llm.Request{Temperature: 1, Draw: number & math.MaxInt32,
		MaxTokens: max(chat.MaxTokens, chat.MaxCompletionTokens, 0)}
	if chat.Temperature != nil {
		r.Temperature = *chat.Temperature
	}
	if chat.Seed != nil {
		r.Draw = uint64(*chat.Seed) & math.MaxInt32
	}
	for i, m := range chat.Messages {
		parts, err := readContent(m.Content)
		if err != nil {
			return fail("messages[%d]: %v", i, err)
		}
		switch m.Role {
		case "system", "developer":
			for _, p := range parts {
				if p.Image != nil {
					return fail("messages[%d]: a %s message may contain only text", i, m.Role)
				}
				r.System += p.Text
			}
		case "user":
			r.User = append(r.User, parts...)
		default:
			return fail("messages[%d]: role %q is not supported; use system and user",
				i, m.Role)
		}
	}
	if r.User == nil {
		return fail("messages: no user message")
	}
	return r, chat.Stream, chat.StreamOptions.IncludeUsage, nil
}

// readContent reads a message's content: a string, or a list of text and image parts.
func readContent(raw json.RawMessage) ([]llm.Part, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return llm.Text(text), nil
	}
	var list []struct {
		Type     string
		Text     string
		ImageURL struct{ URL string } `json:"image_url"`
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, errors.New("content is neither a text nor a list of parts")
	}
	parts := []llm.Part{}
	for i, p := range list {
		switch p.Type {
		case "text":
			parts = append(parts, llm.Part{Text: p.Text})
		case "image_url":
			image, err := readDataURL(p.ImageURL.URL)
			if err != nil {
				return nil, fmt.Errorf("content[%d]: %w", i, err)
			}
			parts = append(parts, llm.Part{Image: image})
		default:
			return nil, fmt.Errorf("content[%d]: type %q is neither text nor image_url", i, p.Type)
		}
	}
	return parts, nil
}

// readDataURL reads an inline image; addresses are not fetched.
func readDataURL(address string) (*llm.Image, error) {
	rest, ok := strings.CutPrefix(address, "data:")
	kind, encoded, comma := strings.Cut(rest, ",")
	media, ok64 := strings.CutSuffix(kind, ";base64")
	if !ok || !comma || !ok64 {
		return nil, errors.New("an image must be inline: data:image/png;base64, and its bytes")
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, fmt.Errorf("the image is not base64: %w", err)
	}
	return llm.NewImage(media, data), nil
}
