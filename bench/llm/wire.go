package llm

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxBody bounds a response. Our choice: the longest answers of today's models are under 1 MiB.
const maxBody = 16 << 20

// A wire is the way to one server.
type wire struct {
	http    *http.Client
	dress   func(*http.Request) // sets the key, and the headers and the query of one's own
	maxBody int64
}

func newWire(dress func(*http.Request), transport http.RoundTripper) *wire {
	if transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		// One server gets all requests; the default of 2 would reconnect for most.
		t.MaxIdleConnsPerHost = 64
		transport = t
	}
	return &wire{dress: dress, maxBody: maxBody, http: &http.Client{
		Transport: transport,
		// A redirected POST may arrive as a GET, and the key must not travel to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}}
}

// An exchange is the HTTPDoer below go-openai, for one request. It dresses the request, patches its
// body, reads the whole response under a bound, and turns every failure into an *Error, headers
// included, which go-openai would drop.
type exchange struct {
	*wire
	patch    map[string]any  // fields to set in the body
	usage    json.RawMessage // what the server says of its token counts and costs; may be nil
	filtered bool            // the server refused the prompt by its content filter
}

// Do sends the request and returns a response whose body is complete and JSON, or an *Error.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	if err := patchRequest(req, x.patch); err != nil {
		return nil, &Error{Kind: KindRequest,
			Message: "the request does not encode: " + err.Error()}
	}
	x.dress(req)
	res, err := x.http.Do(req)
	if err != nil {
		return nil, networkError(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, x.maxBody+1))
	switch {
	case res.StatusCode >= 300 && res.StatusCode < 400:
		return nil, redirectError(res)
	case err != nil && res.StatusCode < 300:
		return nil, &Error{Kind: KindConnection, Status: res.StatusCode,
			Message: fmt.Sprintf("the answer was cut off after %d bytes: %v", len(body), err)}
	case int64(len(body)) > x.maxBody:
		return nil, &Error{Kind: KindBody, Status: res.StatusCode,
			Message: fmt.Sprintf("the answer is longer than %d MiB", x.maxBody>>20)}
	}
	if body, err = x.inspect(res, body); err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}

// patchRequest sets fields of the body, and gives messages without content an empty one.
func patchRequest(req *http.Request, patch map[string]any) error {
	old, err := io.ReadAll(req.Body)
	if err != nil {
		return err
	}
	body, err := patchBody(old, patch)
	if err != nil {
		return err
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.ContentLength = int64(len(body))
	return nil
}

func patchBody(body []byte, patch map[string]any) ([]byte, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, err
	}
	for name, v := range patch {
		value, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		fields[name] = value
	}
	var messages []map[string]json.RawMessage
	if json.Unmarshal(fields["messages"], &messages) == nil {
		for _, m := range messages {
			if _, ok := m["content"]; !ok {
				m["content"] = json.RawMessage(`""`)
			}
		}
		encoded, err := json.Marshal(messages)
		if err != nil {
			return nil, err
		}
		fields["messages"] = encoded
	}
	return json.Marshal(fields)
}

// inspect finds the failures that a response can hold whatever its status and content type
// say, and returns what go-openai is to see of it.
func (x *exchange) inspect(res *http.Response, body []byte) ([]byte, error) {
	failure := readFailure(body)
	if res.StatusCode < 200 || res.StatusCode >= 300 {
		x.filtered = failure.is("content_filter")
		return nil, statusError(res.StatusCode, failure, body, res.Header)
	}
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return nil, &Error{Kind: KindBody, Status: res.StatusCode, Message: "the answer is empty"}
	case isHTML(body):
		return nil, &Error{Kind: KindBody, Status: res.StatusCode,
			Message: "the server sent an HTML page: " + pageTitle(body), Advice: notAnEndpoint}
	case !json.Valid(body):
		return nil, &Error{Kind: KindBody, Status: res.StatusCode,
			Message: "the answer is not JSON: " + flatten(body)}
	case failure.inObject && failure.message != "":
		// Routers report the failure of the server behind them with status 200.
		status := http.StatusBadGateway
		if failure.status >= 400 && failure.status < 600 {
			status = failure.status
		}
		return nil, statusError(status, failure, body, res.Header)
	}
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
	broken := &Error{Kind: KindBody, Status: res.StatusCode}
	switch err := json.Unmarshal(body, &answer); {
	case err != nil:
		broken.Message = "the answer is not of the expected form: " + err.Error()
		return nil, broken
	case len(answer.Choices) == 0:
		broken.Message = "the answer holds no choices"
		return nil, broken
	case answer.Choices[0] == nil || answer.Choices[0].Message == nil:
		broken.Message = "the answer's first choice holds no message"
		return nil, broken
	}
	x.usage = answer.Usage
	// Only what is read below: no odd value of another field can spoil an answer.
	first := answer.Choices[0]
	slim, err := json.Marshal(map[string]any{"model": textOf(answer.Model), "choices": []any{
		map[string]any{
			"message": map[string]any{
				"content": first.Message.Content, "refusal": textOf(first.Message.Refusal),
			},
			"finish_reason": textOf(first.Finish),
		},
	}})
	if err != nil {
		broken.Message = "the answer is not of the expected form: " + err.Error()
		return nil, broken
	}
	return slim, nil
}

// textOf is a JSON string's text, or "" for anything else.
func textOf(raw json.RawMessage) (s string) {
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

const notAnEndpoint = "does the base URL name the API itself? for most servers it ends in /v1"

func redirectError(res *http.Response) *Error {
	to := res.Header.Get("Location")
	if u, err := url.Parse(to); err == nil {
		to = u.Redacted()
	}
	return &Error{Kind: KindEndpoint, Status: res.StatusCode,
		Message: "the server redirects to " + to,
		Advice:  "name the address it redirects to as the base URL"}
}

// networkError says why there is no response at all.
func networkError(err error) *Error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the address, which the user knows
	}
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var authority x509.UnknownAuthorityError
	switch {
	case errors.As(err, &cert), errors.As(err, &authority):
		return &Error{Kind: KindEndpoint,
			Message: "the server's certificate is not trusted: " + err.Error()}
	case errors.As(err, &record),
		strings.Contains(err.Error(), "gave HTTP response to HTTPS client"):
		return &Error{Kind: KindEndpoint, Message: "the server does not speak TLS",
			Advice: "should the base URL begin with http://?"}
	case errors.As(err, &dns):
		return &Error{Kind: KindConnection, Message: "the server's name is not found: " + dns.Name,
			Advice: "check the base URL and the network"}
	}
	return &Error{Kind: KindConnection, Message: "no answer from the server: " + err.Error(),
		Advice: "check the base URL and the network"}
}

// retryAfter reads how long the server asks to wait: Retry-After in seconds or as a date,
// its variant in milliseconds, or the reset time of an exhausted x-ratelimit; at most longestWait.
// 0: it does not say.
func retryAfter(h http.Header, now time.Time) time.Duration {
	for _, ms := range h.Values("Retry-After-Ms") {
		if d := pause(ms, time.Millisecond); d > 0 {
			return d
		}
	}
	for _, text := range h.Values("Retry-After") {
		if d := pause(text, time.Second); d > 0 {
			return d
		}
		if at, err := http.ParseTime(strings.TrimSpace(text)); err == nil && at.After(now) {
			return min(at.Sub(now), longestWait)
		}
	}
	var longest time.Duration
	for _, what := range []string{"Requests", "Tokens"} {
		if h.Get("X-Ratelimit-Remaining-"+what) != "0" {
			continue
		}
		if d, err := time.ParseDuration(h.Get("X-Ratelimit-Reset-" + what)); err == nil {
			longest = max(longest, d)
		}
	}
	return min(longest, longestWait)
}

// pause reads a number of units; 0 where there is none.
func pause(text string, unit time.Duration) time.Duration {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || !(n > 0) {
		return 0
	}
	return time.Duration(min(n*float64(unit), float64(longestWait)))
}
