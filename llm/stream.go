package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
)

var streamLine = regexp.MustCompile(`\A(?:\s*:[^\n]*\n)*\s*(?:(?:data|event|id|retry):|:)`)

// isStream reports whether a body is a stream of events and not JSON. Some servers send a stream
// that was not requested. Others send the comments of a stream before an ordinary answer, to keep
// the connection open.
func isStream(body []byte) bool { return streamLine.Match(body) }

// unstreamed joins a stream of events into an ordinary answer. A stream that ends before its last
// event is an error.
func unstreamed(body []byte) ([]byte, error) {
	type part struct {
		Content, Reasoning, Refusal json.RawMessage
		ReasoningContent            json.RawMessage `json:"reasoning_content"`
		ToolCalls                   json.RawMessage `json:"tool_calls"`
	}
	type message struct {
		Content   string          `json:"content"`
		Reasoning string          `json:"reasoning_content,omitempty"`
		Refusal   string          `json:"refusal,omitempty"`
		ToolCalls json.RawMessage `json:"tool_calls,omitempty"`
	}
	var model, usage json.RawMessage
	var sum message
	finish, done := "", false
	for line := range bytes.Lines(body) {
		line = bytes.TrimSpace(line)
		data, isData := bytes.CutPrefix(line, []byte("data:"))
		data = bytes.TrimSpace(data)
		switch {
		case bytes.HasPrefix(line, []byte("{")):
			return body[bytes.Index(body, line):], nil // an ordinary answer after comments
		case !isData:
			continue
		case string(data) == "[DONE]":
			done = true
			continue
		}
		var chunk struct {
			Model, Usage, Error json.RawMessage
			Choices             []struct {
				Delta, Message part
				Finish         json.RawMessage `json:"finish_reason"`
				Error          json.RawMessage
			}
		}
		if err := json.Unmarshal(data, &chunk); err != nil {
			return nil, errors.New("the server sent a stream of events that is not JSON: " +
				flatten(data))
		}
		if readFailure(data).inObject {
			return data, nil
		}
		if chunk.Model != nil {
			model = chunk.Model
		}
		if chunk.Usage != nil && string(chunk.Usage) != "null" {
			usage = chunk.Usage
		}
		if len(chunk.Choices) == 0 {
			continue
		}
		c := chunk.Choices[0]
		if len(c.Error) > 0 && string(c.Error) != "null" {
			return data, nil
		}
		for _, p := range []part{c.Delta, c.Message} {
			sum.Content += textOf(p.Content)
			sum.Reasoning += textOf(p.ReasoningContent) + textOf(p.Reasoning)
			sum.Refusal += textOf(p.Refusal)
			if sum.ToolCalls == nil {
				sum.ToolCalls = p.ToolCalls
			}
		}
		if text := textOf(c.Finish); text != "" {
			finish = text
		}
	}
	if !done && finish == "" {
		return nil, errors.New("the server's stream of events was cut off")
	}
	return json.Marshal(map[string]any{
		"model": model, "usage": usage,
		"choices": []any{map[string]any{"message": sum, "finish_reason": finish}},
	})
}
