// Package llm contains the language models of pacebench: the question (Request), the answer
// (Reply, Usage), the interface of a model (Model), clients of servers, decorators that retry,
// limit, route and record, and a Player of recorded answers. Start at Model and Request. The
// package knows nothing of methods, tasks or evaluations.
package llm

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
)

// A Model answers prompts. Implementations are safe for concurrent use.
//
// Complete returns an error only if no answer is possible, for example because the server cannot be
// reached, the key is wrong, the quota is exhausted, or ctx is done. Even an answer that makes no
// sense is a Reply. Errors that no retry can cure wrap ErrFatal. Scripted is the fake for tests.
type Model interface {
	// Name is the model as written in a run's header, e.g. "openai:gpt-4o-mini".
	Name() string
	Complete(ctx context.Context, r Request) (Reply, error)
}

// ErrFatal marks an error that no retry can cure: a wrong key, an unknown model, an exhausted
// quota, a refused request.
var ErrFatal = errors.New("the model cannot be used")

// Purpose is the purpose of a request, as "role/operator": "algorithm/P1", "eap/E2",
// "reflection/short". Token reports group by it; Route chooses a model by its role.
type Purpose string

// Role returns the part of the purpose before the first slash: "algorithm", "eap", "reflection".
func (p Purpose) Role() string {
	role, _, _ := strings.Cut(string(p), "/")
	return role
}

// Operator returns the part of the purpose after the first slash, or "".
func (p Purpose) Operator() string {
	_, op, _ := strings.Cut(string(p), "/")
	return op
}

// A Request is one prompt with the settings that shape its answer. Purpose is not sent to the
// model. The journal contains every field except Call.
type Request struct {
	Purpose     Purpose `json:"purpose"`
	System      string  `json:"system,omitempty"` // empty: no system message is sent
	User        []Part  `json:"user"`             // one user message
	Temperature float64 `json:"temperature"`      // 0 is sent, too; see Config.Temperature
	MaxTokens   int     `json:"max_tokens,omitempty"`
	// Draw distinguishes requests with equal prompts: different draws get different, reproducible
	// answers. bench.Step.Ask sets it. It is sent as the seed (31 bits), unless Config.OmitSeed is
	// set.
	Draw uint64 `json:"draw"`
	// Call carries data between decorators. It is nil elsewhere, and is neither sent nor written.
	Call *Call `json:"-"`
}

// Text returns a user message of one text part.
func Text(s string) []Part { return []Part{{Text: s}} }

// TextOf returns the text of a user message: its text parts, joined by line breaks.
func TextOf(parts []Part) string {
	var texts []string
	for _, p := range parts {
		if p.Image == nil {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// A Part is a piece of a user message: either text or an image.
type Part struct {
	Text  string `json:"text,omitempty"`
	Image *Image `json:"image,omitempty"`
}

// Embedded is the prefix of the embedded model's name in its replies, also over HTTP.
const Embedded = "bench.offline."

// A Reply is a model's answer.
type Reply struct {
	Text   string `json:"text"`             // at most 1 MiB
	Model  string `json:"model,omitempty"`  // as received: "gpt-4o-mini-2024-07-18"; see Embedded
	Finish string `json:"finish,omitempty"` // "stop", "length", "content_filter"; see FinishTool
	Usage  Usage  `json:"usage"`
}

// Finish reasons of replies that have no text because the server sent something else.
const (
	FinishTool     = "tool_calls" // a tool call
	FinishThinking = "thinking"   // only a text in the field for thinking
)

// Usage counts tokens. Images and Cached are parts of Prompt, Reasoning is part of Completion.
type Usage struct {
	Prompt int `json:"prompt"`
	// Images is the server's count for the prompt's images. If the server counts only the whole
	// prompt, Images is that count minus one token for every four bytes of text. If Prompt is an
	// estimate, so is Images.
	Images     int     `json:"images,omitempty"`
	Cached     int     `json:"cached,omitempty"`
	Completion int     `json:"completion"`
	Reasoning  int     `json:"reasoning,omitempty"`
	Estimated  bool    `json:"estimated,omitempty"` // counts were missing or unusable
	Cost       float64 `json:"cost,omitempty"`      // USD that the server reported; 0: not reported
}

// Total is prompt plus completion tokens, as the PACE paper counts them (appendix, token usage).
func (u Usage) Total() int { return u.Prompt + u.Completion }

// Add returns the sum of both usages. It is marked as estimated if either is.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Prompt: u.Prompt + v.Prompt, Images: u.Images + v.Images, Cached: u.Cached + v.Cached,
		Completion: u.Completion + v.Completion, Reasoning: u.Reasoning + v.Reasoning,
		Estimated: u.Estimated || v.Estimated, Cost: u.Cost + v.Cost,
	}
}

// EstimateTokens estimates the number of tokens in a text: one for every four bytes, rounded up.
func EstimateTokens(text string) int { return (len(text) + 3) / 4 }

// EstimateUsage estimates the tokens of a prompt and of its answer, for servers that send no
// counts. The result is marked as estimated. The tokens of an image depend on the model, whose name
// is as in Model.Name or Config.Model.
func EstimateUsage(model string, r Request, answer string) Usage {
	u := Usage{Completion: EstimateTokens(answer), Estimated: true}
	if r.System != "" {
		u.Prompt += EstimateTokens(r.System)
	}
	for _, p := range r.User {
		u.Prompt += EstimateTokens(p.Text)
		if p.Image != nil {
			u.Images += estimateImage(model, p.Image)
		}
	}
	u.Prompt += u.Images
	return u
}

// Route chooses a model by the role of a request: PACE may discover EAPs with one model and design
// algorithms with another.
type Route struct {
	Default Model
	ByRole  map[string]Model // role -> model, e.g. "eap"
}

var _ Model = Route{}

// Name returns the default model's name, followed by "+role=name" for every role in ByRole.
func (m Route) Name() string {
	name := m.Default.Name()
	for _, role := range slices.Sorted(maps.Keys(m.ByRole)) {
		name += "+" + role + "=" + m.ByRole[role].Name()
	}
	return name
}

// Complete asks the model for the request's role.
func (m Route) Complete(ctx context.Context, r Request) (Reply, error) {
	if model, ok := m.ByRole[r.Purpose.Role()]; ok {
		return model.Complete(ctx, r)
	}
	return m.Default.Complete(ctx, r)
}
