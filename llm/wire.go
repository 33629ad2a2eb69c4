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

// maxBody bounds a response: the longest answers of today's models are under 1 MiB.
const maxBody = 16 << 20

func newHTTP(transport http.RoundTripper) *http.Client {
	if transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		// All requests go to one server. With the default of 2 idle connections, most requests
		// would need a new connection.
		t.MaxIdleConnsPerHost = 64
		transport = t
	}
	return &http.Client{
		Transport: transport,
		// A redirected POST may arrive as a GET, and the key must not reach another host.
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
}

// An exchange implements go-openai's HTTPDoer for one request.
type exchange struct {
	*OpenAI
	request  Request
	usage    json.RawMessage // the server's token counts and costs; may be nil
	filtered bool            // the server's content filter refused the prompt
}

// Do completes the request, sends it, and reads the whole response up to a bound. It finds failures
// in the response regardless of status and content type. It also reads the headers, which go-openai
// drops.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	body, err := x.body(req.Body)
	if err != nil {
		return nil, err
	}
	full, err := http.NewRequestWithContext(req.Context(), req.Method, req.URL.String(),
		bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	full.Header = req.Header
	x.dress(full)
	res, err := x.http.Do(full)
	if err != nil {
		return nil, networkError(err)
	}
	defer res.Body.Close()
	body, err = io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	status := res.StatusCode
	broken := func(kind Kind, advice, format string, args ...any) (*http.Response, error) {
		return nil, &Error{
			Kind: kind, Status: status, Message: fmt.Sprintf(format, args...), Advice: advice,
			Billed: kind != KindEndpoint && advice == "",
		}
	}
	if isStream(body) {
		if body, err = unstreamed(body); err != nil && status < 300 {
			return broken(KindConnection, "", "%v", err)
		}
	}
	said := readFailure(body)
	var spent struct{ Usage json.RawMessage }
	if status >= 200 && status < 300 && json.Unmarshal(body, &spent) == nil {
		x.usage = spent.Usage
	}
	switch {
	case status >= 300 && status < 400:
		to := res.Header.Get("Location")
		if u, err := url.Parse(to); err == nil {
			to = u.Redacted()
		}
		return broken(KindEndpoint, "use the new address as the base URL",
			"the server redirects to %s", to)
	case err != nil && status < 300:
		return broken(KindConnection, "", "the answer was cut off after %d bytes: %v",
			len(body), err)
	case len(body) > maxBody:
		return broken(KindBody, "", "the answer is longer than %d MiB", maxBody>>20)
	case status < 200 || status >= 300:
		x.filtered = said.is("content_filter")
		return nil, statusError(status, said, body, res.Header)
	case len(bytes.TrimSpace(body)) == 0:
		return broken(KindBody, "", "the answer is empty")
	case isHTML(body):
		return broken(KindBody, notAnEndpoint, "the server sent an HTML page: %s", pageTitle(body))
	case !json.Valid(body):
		return broken(KindBody, "", "the answer is not JSON: %s", flatten(body))
	case said.inObject, said.message != "" && !bytes.Contains(body, []byte(`"choices"`)):
		// Some routers report a failure of the server behind them with status 200.
		return nil, wrongAnswer(said, body)
	}
	if body, err = x.slim(body); err != nil {
		if e, ok := errors.AsType[*Error](err); ok {
			return nil, e
		}
		return broken(KindBody, "", "%v", err)
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}

func wrongAnswer(said failure, body []byte) *Error {
	e := statusError(said.within(), said, body, nil)
	e.Status = http.StatusOK
	return e
}

// textOf returns a JSON string's text, or "" for anything else.
func textOf(raw json.RawMessage) (s string) {
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

const notAnEndpoint = "check that the base URL names the API itself: " +
	"for most servers, it ends in /v1"

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
			Advice: "if this server uses plain HTTP, begin the base URL with http://"}
	case errors.As(err, &dns):
		return &Error{Kind: KindConnection,
			Message: "the server's name cannot be resolved: " + dns.Name,
			Advice:  "check the base URL and the network"}
	}
	var dial *net.OpError
	return &Error{Kind: KindConnection, Message: "no answer from the server: " + err.Error(),
		Billed: !errors.As(err, &dial) || dial.Op != "dial",
		Advice: "check the base URL and the network"}
}

// retryAfter reads how long the server asks to wait: Retry-After in seconds or as a date, its
// variant in milliseconds, or the reset time of an exhausted x-ratelimit; at most longestWait. 0:
// the server does not say.
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

// pause converts a text, which is a number of units, to a duration. It returns 0 for any other
// text.
func pause(text string, unit time.Duration) time.Duration {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || !(n > 0) {
		return 0
	}
	return time.Duration(min(n*float64(unit), float64(longestWait)))
}
