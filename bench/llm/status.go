package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	param    string // the parameter that it names, or ""
	status   int    // a numeric code, or 0
	inObject bool   // it stood in the field "error", not at the top
}

func (f failure) is(names ...string) bool {
	return slices.Contains(names, f.code) || slices.Contains(names, f.kind)
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
		e := nested.Error
		f := failure{message: e.Message, kind: e.Type, inObject: true}
		if e.Param != nil {
			f.param = *e.Param
		}
		f.code, _ = e.Code.(string)
		f.status, _ = e.Code.(int)
		return f
	}
	var flat struct{ Error, Message, Detail, Type, Code json.RawMessage }
	if json.Unmarshal(body, &flat) != nil {
		return failure{}
	}
	f := failure{message: textOf(flat.Error), code: textOf(flat.Code), kind: textOf(flat.Type),
		inObject: textOf(flat.Error) != ""}
	for _, raw := range []json.RawMessage{flat.Message, flat.Detail} {
		if f.message == "" {
			f.message = textOf(raw)
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
		e.Advice = "check the key, and that it belongs to this server"
	case status == http.StatusForbidden:
		e.Kind, e.Message = KindKey, "the key may not use this model or endpoint"
		e.Advice = "check the key's permissions, and that it belongs to this server"
	case status == http.StatusNotFound &&
		strings.Contains(strings.ToLower(f.message+f.code), "model"):
		e.Kind, e.Message = KindModel, "the server does not know this model"
		e.Advice = "check the model's name"
	case status == http.StatusNotFound:
		e.Kind, e.Message = KindModel, "nothing is served at this address"
		e.Advice = notAnEndpoint
	case status == http.StatusTooManyRequests:
		e.Kind, e.Message = KindRate, "too many requests"
		e.Advice = "lower the limits on requests, tokens or concurrency; " + resumeAdvice
	case status == http.StatusRequestTimeout, status == http.StatusConflict,
		status == http.StatusTooEarly, status >= 500:
		e.Kind, e.Message = KindServer, "the server is in trouble"
	default:
		e.Kind, e.Message = KindRequest, "the server refuses the request"
		e.Advice = cure(f, body)
	}
	if said := serverWords(f, body); said != "" {
		e.Message += ": " + said
	}
	return e
}

// exhausted tells an empty account from a rate limit; both come as 429.
func exhausted(status int, f failure) bool {
	return status == http.StatusPaymentRequired ||
		f.is("insufficient_quota", "billing_hard_limit_reached", "billing_not_active",
			"insufficient_balance")
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

var (
	parameter = regexp.MustCompile(
		`\b(temperature|seed|reasoning_effort|max_completion_tokens|max_tokens)\b`)
	tooLong     = regexp.MustCompile(`(?i)(context|input|prompt)[ _](length|window|size)|too long`)
	unsupported = regexp.MustCompile(`(?i)not supported|unsupported|unknown|unrecognized|` +
		`not permitted|cannot find|\buse '?max_`)
)

// cure names the setting that a refused request asks for, or "". A server names the
// parameter in a field of its own or in its words only.
func cure(f failure, body []byte) string {
	said := f.param + " " + serverWords(f, body)
	if f.is("context_length_exceeded") || tooLong.MatchString(said) {
		return "the prompt and the longest answer do not fit together: lower --max-tokens " +
			"(max_tokens in models.toml), or the prompt is too long for this model"
	}
	var advice []string
	for _, name := range parameter.FindAllString(said, -1) {
		a := ""
		switch name {
		case "temperature":
			a = `give the model a profile with temperature = "omit" in models.toml`
		case "seed":
			a = "use --no-seed, or seed = false in models.toml"
		case "reasoning_effort":
			a = "change reasoning_effort in models.toml, or remove it"
		default:
			a = "lower --max-tokens (max_tokens in models.toml)"
			if unsupported.MatchString(said) {
				other := FieldMaxCompletionTokens
				if name == string(other) {
					other = FieldMaxTokens
				}
				a = fmt.Sprintf("give the model a profile with token_field = %q in models.toml",
					other)
			}
			bounds := func(s string) bool { return strings.Contains(s, "max_") }
			if slices.ContainsFunc(advice, bounds) {
				continue // the server names the right field next to the wrong one
			}
		}
		if !slices.Contains(advice, a) {
			advice = append(advice, a)
		}
	}
	return strings.Join(advice, "; ")
}
