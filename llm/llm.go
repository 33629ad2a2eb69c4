// Package llm is the ground floor between pacebench and language models: what is
// asked (Request), what comes back (Reply, Usage), who answers (Model), and the
// decorators that retry, limit, route, record and replay. Start at Model and Request.
// It knows nothing of methods, tasks or budgets.
package llm

import (
	"context"
	"errors"
	"strings"
)

// A Model answers prompts. Implementations are safe for concurrent use.
//
// Complete returns an error only when the world is broken: the server cannot be reached
// after all retries, the key is wrong, the quota is exhausted, or ctx is done. An answer
// that makes no sense is a Reply. Errors that no retry can cure wrap ErrFatal.
// Scripted is the fake for tests.
type Model interface {
	// Name is the model as written in a run's header, e.g. "openai:gpt-4o-mini".
	Name() string
	Complete(ctx context.Context, r Request) (Reply, error)
}

// ErrFatal marks an error after which no further request can succeed: a wrong key, an
// unknown model, an exhausted quota.
var ErrFatal = errors.New("the model cannot be used")

// Purpose says what a request is for, as "role/operator": "algorithm/P1", "eap/E2",
// "reflection/short". Token reports group by it; Route chooses a model by its role.
type Purpose string

// Role is the part of the purpose before the first slash: "algorithm", "eap", "reflection".
func (p Purpose) Role() string {
	role, _, _ := strings.Cut(string(p), "/")
	return role
}

// Operator is the part of the purpose after the first slash; empty when there is none.
func (p Purpose) Operator() string {
	_, op, _ := strings.Cut(string(p), "/")
	return op
}

// A Request is one prompt with the settings that shape its answer. All of it except
// Purpose reaches the model; all of it is written to the journal.
type Request struct {
	Purpose     Purpose `json:"purpose"`
	System      string  `json:"system,omitempty"` // empty: no system message is sent
	User        []Part  `json:"user"`             // one user message
	Temperature float64 `json:"temperature"`      // always sent, 0 included
	MaxTokens   int     `json:"max_tokens,omitempty"`
	// Draw numbers the answer wanted: equal prompts with different draws get different,
	// reproducible answers. Set by the engine (bench.Step.Ask); sent as the seed (31 bits)
	// where a server takes one.
	Draw uint64 `json:"draw"`
	// Call goes with the request from one decorator to the next; nil outside of them. It is neither
	// sent nor written.
	Call *Call `json:"-"`
}

// Text is a user message of one text part.
func Text(s string) []Part { return []Part{{Text: s}} }

// TextOf is the text of a user message: its text parts, one below the other.
func TextOf(parts []Part) string {
	var texts []string
	for _, p := range parts {
		if p.Image == nil {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// A Part is a piece of a user message: text or an image, one of both.
type Part struct {
	Text  string `json:"text,omitempty"`
	Image *Image `json:"image,omitempty"`
}

// Embedded begins the name that the embedded model has in its replies, also behind HTTP.
const Embedded = "bench.offline."

// A Reply is a model's answer.
type Reply struct {
	Text   string `json:"text"`             // at most 1 MiB
	Model  string `json:"model,omitempty"`  // the server's: "gpt-4o-mini-2024-07-18"; see Embedded
	Finish string `json:"finish,omitempty"` // "stop", "length", "content_filter"; see FinishTool
	Usage  Usage  `json:"usage"`
}

// Ends of replies without text: the server sent something else.
const (
	FinishTool     = "tool_calls" // the call of a tool
	FinishThinking = "thinking"   // a text in the field of the thinking alone
)

// Usage counts tokens. Images and Cached are parts of Prompt, Reasoning is part of Completion.
type Usage struct {
	Prompt int `json:"prompt"`
	// Images is what the server says of the prompt's images, or what is left of its count of the
	// prompt without four bytes a token of text; an estimate where the whole is one.
	Images     int     `json:"images,omitempty"`
	Cached     int     `json:"cached,omitempty"`
	Completion int     `json:"completion"`
	Reasoning  int     `json:"reasoning,omitempty"`
	Estimated  bool    `json:"estimated,omitempty"` // no good counts were sent; see EstimateUsage
	Cost       float64 `json:"cost,omitempty"`      // USD, as the server reported it; 0: it did not
}

// Total is prompt plus completion tokens, as the PACE paper counts them (appendix, token usage).
func (u Usage) Total() int { return u.Prompt + u.Completion }

// Add returns the sum of both usages; it is estimated when either is.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Prompt: u.Prompt + v.Prompt, Images: u.Images + v.Images, Cached: u.Cached + v.Cached,
		Completion: u.Completion + v.Completion, Reasoning: u.Reasoning + v.Reasoning,
		Estimated: u.Estimated || v.Estimated, Cost: u.Cost + v.Cost,
	}
}

// EstimateTokens is a stand-in for a server's own count: one token for every four bytes, rounded
// up.
func EstimateTokens(text string) int { return (len(text) + 3) / 4 }

// EstimateUsage is the stand-in for counts that a server does not send: the tokens of the
// prompt and of the text answered, marked as estimated. The model, as Model.Name names it, decides
// what an image counts.
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
