package llm

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// A failure is what a server says went wrong, in whatever form it says it.
type failure struct {
	message  string
	code     string // or ""
	kind     string // its "type", or ""
	status   int    // a numeric code, or 0
	inObject bool   // it stood in the field "error", not at the top
}

func (f failure) is(names ...string) bool {
	return slices.Contains(names, f.code) || slices.Contains(names, f.kind)
}

func failureOf(e *openai.APIError) failure {
	f := failure{message: e.Message, kind: e.Type, inObject: true}
	switch code := e.Code.(type) {
	case string:
		f.code = code
	case int:
		f.status = code
	}
	return f
}

// readFailure knows the forms in use: {"error":{...}} (OpenAI), the same within a list
// (Gemini), {"error":"text"}, and flat objects with "message" or "detail" (vLLM, FastAPI).
func readFailure(body []byte) failure {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var nested openai.ErrorResponse
	if json.Unmarshal(body, &nested) == nil && nested.Error != nil {
		return failureOf(nested.Error)
	}
	var flat struct{ Error, Message, Detail, Type, Code json.RawMessage }
	if json.Unmarshal(body, &flat) != nil {
		return failure{}
	}
	text := func(raw json.RawMessage) (s string) {
		if json.Unmarshal(raw, &s) != nil {
			return ""
		}
		return s
	}
	f := failure{message: text(flat.Error), code: text(flat.Code), kind: text(flat.Type), inObject: text(flat.Error) != ""}
	for _, raw := range []json.RawMessage{flat.Message, flat.Detail} {
		if f.message == "" {
			f.message = text(raw)
		}
	}
	return f
}

// statusError reads a response of an unhappy status; body and header may be nil.
func statusError(status int, f failure, body []byte, header http.Header) *Error {
	e := &Error{Status: status, RetryAfter: retryAfter(header, time.Now())}
	switch {
	case exhausted(status, f):
		e.Kind, e.Message = KindQuota, "the quota or credit is exhausted"
		e.Advice = "add credit or raise the limit; " + resumeAdvice
	case status == http.StatusUnauthorized:
		e.Kind, e.Message = KindKey, "the key is refused"
		e.Advice = "check OPENAI_API_KEY, and that it belongs to this server"
	case status == http.StatusForbidden:
		e.Kind, e.Message = KindKey, "the key may not use this model or endpoint"
		e.Advice = "check the key's permissions, and that it belongs to this server"
	case status == http.StatusNotFound && strings.Contains(strings.ToLower(f.message+f.code), "model"):
		e.Kind, e.Message = KindModel, "the server does not know this model"
		e.Advice = "check the model's name"
	case status == http.StatusNotFound:
		e.Kind, e.Message = KindModel, "nothing is served at this address"
		e.Advice = notAnEndpoint
	case status == http.StatusTooManyRequests:
		e.Kind, e.Message = KindRate, "too many requests"
		e.Advice = "lower the limits on requests, tokens or concurrency; " + resumeAdvice
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly, status >= 500:
		e.Kind, e.Message = KindServer, "the server is in trouble"
	default:
		e.Kind, e.Message = KindRequest, "the server refuses the request"
		if f.is("context_length_exceeded") {
			e.Advice = "the prompt is too long for this model"
		}
	}
	if said := serverWords(f, body); said != "" {
		e.Message += ": " + said
	}
	return e
}

// exhausted tells an empty account from a rate limit; both come as 429.
func exhausted(status int, f failure) bool {
	return status == http.StatusPaymentRequired ||
		f.is("insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance")
}

// serverWords is what the server says itself, if anything.
func serverWords(f failure, body []byte) string {
	switch {
	case f.message != "":
		return f.message
	case isHTML(body):
		return "an HTML page: " + pageTitle(body)
	}
	return flatten(body)
}

func isHTML(body []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) }

var titleTag = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// pageTitle is the title of an HTML page in quotes, or how long the page is.
func pageTitle(body []byte) string {
	if t := titleTag.FindSubmatch(body); t != nil {
		return strconv.Quote(flatten(t[1]))
	}
	return strconv.Itoa(len(body)) + " bytes"
}

// flatten is a body as one line. It is cut far behind what an error shows, so that a key in
// it, which is removed later, is not cut in two within sight.
func flatten(body []byte) string {
	line := strings.Join(strings.Fields(string(body)), " ")
	return line[:min(len(line), 8*maxMessage)]
}
