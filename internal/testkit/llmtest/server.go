package llmtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/pacebench/pacebench/llm"
)

// maxRequestBody bounds a client's request; pictures of behaviour take some 100 KiB each.
const maxRequestBody = 64 << 20

// Serve offers m as an OpenAI-compatible endpoint: POST /v1/chat/completions, streamed or whole,
// and GET /v1/models. A request sent by an llm.OpenAI arrives at m unchanged except for its
// Purpose, which is not sent, and for fields that the client's Config omits or bounds. The model
// that a client names is ignored. The token counts have "estimated": true if m estimated them.
func Serve(m llm.Model) http.Handler {
	s := &server{m: m, started: time.Now().Unix()}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	type model struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Created int64  `json:"created"`
		OwnedBy string `json:"owned_by"`
	}
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		sendJSON(w, http.StatusOK, map[string]any{
			"object": "list", "data": []model{{m.Name(), "model", s.started, "pacebench"}},
		})
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		sendError(w, http.StatusNotFound, "not_found",
			fmt.Sprintf("nothing is served at %s %s", r.Method, r.URL.Path))
	})
	return mux
}

type server struct {
	m       llm.Model
	started int64
	answers atomic.Uint64 // numbers the answers, and the draws of requests without a seed
}

func (s *server) chat(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBody))
	if err != nil {
		sendError(w, http.StatusBadRequest, "invalid_request_error",
			"the body cannot be read: "+err.Error())
		return
	}
	number := s.answers.Add(1)
	request, stream, usage, err := readChat(body, number)
	if err != nil {
		sendError(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	reply, err := s.m.Complete(r.Context(), request)
	switch {
	case r.Context().Err() != nil:
		return // the client is gone
	case err != nil:
		status, code := http.StatusInternalServerError, "model_error"
		if e := (*llm.Error)(nil); errors.As(err, &e) && e.Status >= 400 {
			status, code = e.Status, string(e.Kind)
		} else if errors.Is(err, llm.ErrFatal) {
			status = http.StatusBadRequest
		}
		sendError(w, status, code, err.Error())
		return
	}
	a := answer{ID: fmt.Sprintf("chatcmpl-%d", number), Created: s.started, Model: reply.Model}
	var finish *string
	if reply.Finish != "" {
		finish = &reply.Finish
	}
	if stream {
		a.stream(w, reply, finish, usage)
		return
	}
	a.Object = "chat.completion"
	a.Choices = []chatChoice{{Message: &chatMessage{"assistant", reply.Text}, Finish: finish}}
	a.Usage = usageOf(reply.Usage)
	sendJSON(w, http.StatusOK, a)
}

// An answer is the envelope that all chunks of one answer share.
type answer struct {
	ID      string       `json:"id"`
	Object  string       `json:"object"`
	Created int64        `json:"created"` // the server's start, so that answers can be compared
	Model   string       `json:"model"`
	Choices []chatChoice `json:"choices"`
	Usage   *chatUsage   `json:"usage,omitempty"`
}

type chatChoice struct {
	Index   int          `json:"index"`
	Message *chatMessage `json:"message,omitempty"`
	Delta   *chatMessage `json:"delta,omitempty"`
	Finish  *string      `json:"finish_reason"`
}

type chatMessage struct {
	Role    string `json:"role,omitempty"`
	Content string `json:"content"`
}

type chatUsage struct {
	Prompt           int            `json:"prompt_tokens"`
	Completion       int            `json:"completion_tokens"`
	Total            int            `json:"total_tokens"`
	PromptDetails    *promptDetails `json:"prompt_tokens_details,omitempty"`
	CompletionDetail map[string]int `json:"completion_tokens_details,omitempty"`
	// Estimated is our extension of OpenAI's format; other clients ignore it.
	Estimated bool    `json:"estimated,omitempty"`
	Cost      float64 `json:"cost,omitempty"`
}

type promptDetails struct {
	Cached int `json:"cached_tokens,omitempty"`
	Images int `json:"image_tokens,omitempty"`
}

func usageOf(u llm.Usage) *chatUsage {
	c := &chatUsage{Prompt: u.Prompt, Completion: u.Completion, Total: u.Total(),
		Estimated: u.Estimated, Cost: u.Cost}
	if u.Cached > 0 || u.Images > 0 {
		c.PromptDetails = &promptDetails{u.Cached, u.Images}
	}
	if u.Reasoning > 0 {
		c.CompletionDetail = map[string]int{"reasoning_tokens": u.Reasoning}
	}
	return c
}

// stream sends the answer as events, its text in one piece.
func (a answer) stream(w http.ResponseWriter, reply llm.Reply, finish *string, withUsage bool) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	a.Object = "chat.completion.chunk"
	a.Choices = []chatChoice{{Delta: &chatMessage{"assistant", reply.Text}}}
	parts := []answer{a}
	a.Choices = []chatChoice{{Delta: &chatMessage{}, Finish: finish}}
	parts = append(parts, a)
	if withUsage {
		a.Choices, a.Usage = []chatChoice{}, usageOf(reply.Usage)
		parts = append(parts, a)
	}
	for _, part := range parts {
		if _, err := fmt.Fprintf(w, "data: %s\n\n", encode(part)); err != nil {
			return // the client is gone
		}
	}
	// A client that is gone cannot get an error either.
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

func sendError(w http.ResponseWriter, status int, kind, message string) {
	sendJSON(w, status, map[string]any{"error": map[string]any{
		"message": message, "type": kind, "code": kind, "param": nil,
	}})
}

func sendJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A client that is gone cannot get an error.
	_, _ = w.Write(append(encode(v), '\n'))
}

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("llmtest: an answer does not encode: " + err.Error())
	}
	return data
}
