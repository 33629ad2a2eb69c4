package llm

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// canned is a transport that always sends the same response.
type canned struct {
	status int
	retry  string
	body   []byte
}

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: c.status, Request: r, Header: http.Header{"Retry-After": {c.retry}},
		Body: io.NopCloser(bytes.NewReader(c.body)),
	}, nil
}

// FuzzResponse checks that any response becomes a valid reply or a one-line error without the key.
func FuzzResponse(f *testing.F) {
	const key = "sk-fuzz-0123456789"
	f.Add(200, "", []byte(`{"model":"m","choices":[{"message":{"content":"hi"},`+
		`"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`))
	f.Add(200, "", []byte(`{"choices":[{"message":{"content":[{"type":"text","text":"a"}]}}],`+
		`"usage":{"completion_tokens_details":{"reasoning_tokens":9}}}`))
	f.Add(200, "", []byte(`{"error":{"message":"x","code":429}}`))
	f.Add(401, "", []byte(`{"error":{"message":"`+key+`"}}`))
	f.Add(429, "7", []byte(`{"error":{"message":["a","b"],"type":"insufficient_quota"}}`))
	f.Add(502, "Fri, 02 Jan 2026 03:05:05 GMT", []byte("<html><title>\n"+key+"</title>"))
	f.Add(404, "", []byte(`[{"error":{"code":404}}]`))
	f.Add(307, "", []byte{})
	f.Fuzz(func(t *testing.T, status int, retry string, body []byte) {
		if status < 100 || status > 999 {
			return
		}
		m, err := NewOpenAI(Config{Model: "m", BaseURL: "https://h/v1", Key: key,
			Transport: canned{status, retry, body}})
		must.Do(t, err)
		reply, err := m.Complete(t.Context(), Request{User: Text("prompt")})
		if err == nil {
			u := reply.Usage
			if u.Prompt <= 0 || u.Completion < 0 || u.Cached < 0 || u.Cached > u.Prompt ||
				u.Reasoning < 0 || u.Reasoning > u.Completion {
				t.Errorf("usage %+v", u)
			}
			return
		}
		e, ok := err.(*Error)
		if !ok || e.Kind == "" || e.RetryAfter < 0 {
			t.Fatalf("%#v is not an *Error", err)
		}
		if text := err.Error(); strings.Contains(text, key) ||
			strings.ContainsAny(text, "\n\r\x00\x1b") || len(text) > 500 {
			t.Errorf("not a clean line: %q", text)
		}
	})
}

// FuzzCassette checks that a cassette that loads answers every request that it contains.
func FuzzCassette(f *testing.F) {
	f.Add([]byte(`{"model":"m","request":{"purpose":"a/b","user":[{"text":"x"}],"temperature":1,` +
		`"draw":5},"reply":{"text":"y","usage":{"prompt":1,"completion":1}}}` + "\n"))
	f.Add([]byte(`{"model":"m","request":{"user":null,"system":"\ud800"},"reply":{}}` + "\n{"))
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := playLines("", data)
		if err != nil {
			return
		}
		for _, r := range p.requests {
			key, err := digestOf(r)
			must.Do(t, err)
			reply, err := p.Complete(t.Context(), r)
			if clash := p.replies[key].clash != ""; (err != nil) != clash {
				t.Fatalf("%v: %v", r, err)
			}
			if err == nil && !cmp.Equal(reply, p.replies[key].reply) {
				t.Errorf("%v: %v", r, reply)
			}
			r.Draw++
			_, err = p.Complete(t.Context(), r)
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("not one line: %q", err)
			}
		}
	})
}

// FuzzReadUsage checks that any usage that a server sends is read as counts that can be added and
// stored.
func FuzzReadUsage(f *testing.F) {
	f.Add([]byte(`{"prompt_tokens":"12","completion_tokens":7.5,"total_tokens":1e9,"cost":"0.1",` +
		`"prompt_tokens_details":{"cached_tokens":99}}`))
	f.Add([]byte(`{"prompt_tokens":null,"completion_tokens":-1,` +
		`"completion_tokens_details":[],"cost":1e400}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		u := readUsage(raw, Usage{Prompt: 3, Completion: 5, Estimated: true})
		if u.Prompt < 1 || u.Completion < 1 || u.Cached < 0 || u.Cached > u.Prompt ||
			u.Reasoning < 0 || u.Reasoning > u.Completion || !(u.Cost >= 0 && u.Cost < maxCost) {
			t.Errorf("%q is read as %+v", raw, u)
		}
		data, err := json.Marshal(u)
		var again Usage
		if err != nil || json.Unmarshal(data, &again) != nil || again != u {
			t.Errorf("%+v does not survive JSON: %s, %v", u, data, err)
		}
	})
}

// FuzzRedact checks that a key is removed in every escaped form.
func FuzzRedact(f *testing.F) {
	f.Add("sk-test-0123456789", "a sk%2Dtest-0123456789 b")
	f.Add(`000000000"`, "0")
	f.Add(`a\b"c<d>&e/f`, `a\\b\"c\u003cd>&amp;e\/f`)
	f.Fuzz(func(t *testing.T, key, text string) {
		key, err := cleanKey(key)
		if err != nil || len(key) < minSecretInReply {
			return
		}
		clean := newRedactor(key)
		data, _ := json.Marshal(key)
		for _, form := range []string{
			key, strings.ToUpper(key), url.QueryEscape(key), url.PathEscape(key),
			string(data[1 : len(data)-1]),
		} {
			got := clean.inReply(text + form)
			if strings.Contains(got, form) && !strings.Contains(hidden, form) {
				t.Errorf("%q stays in %q", form, got)
			}
		}
	})
}
