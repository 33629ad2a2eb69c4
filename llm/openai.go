package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	openai "github.com/sashabaranov/go-openai"
)

// DefaultBaseURL is the endpoint if none is configured.
const DefaultBaseURL = "https://api.openai.com/v1"

// Temperature decides whether requests contain a temperature.
type Temperature string

const (
	// TemperatureAuto sends the temperature, except to OpenAI's reasoning models (o1, o3, o4,
	// gpt-5, gpt-6), which accept only their default temperature; see OpenAI.Notes.
	TemperatureAuto    Temperature = ""
	TemperatureSent    Temperature = "send"
	TemperatureOmitted Temperature = "omit"
)

// UnmarshalTOML refuses a number, because the method sets the temperature.
func (t *Temperature) UnmarshalTOML(v any) error {
	text, ok := v.(string)
	if *t = Temperature(text); ok {
		return nil
	}
	return fmt.Errorf(`temperature = %v: want "omit" or "send"; the method sets the value, `+
		`as in --set temperature=%v`, v, v)
}

// TokenField is the field of a request body that bounds the answer.
type TokenField string

const (
	// FieldAuto is max_completion_tokens for OpenAI's reasoning models and max_tokens for all other
	// models.
	FieldAuto                TokenField = ""
	FieldMaxTokens           TokenField = "max_tokens" // what most compatible servers know
	FieldMaxCompletionTokens TokenField = "max_completion_tokens"
)

// Config describes a model and its server. Printing a Config hides the key.
type Config struct {
	Protocol SpecKind // see Protocols
	Model    string
	BaseURL  string // ends in /v1 for most servers; empty: DefaultBaseURL
	Key      string `json:"-"` // may be empty for servers that need no key
	KeyName  string // the variable that holds the key, for hints; empty: OPENAI_API_KEY
	// Headers and Query are added to every request. Secrets are the values in them that must not be
	// shown or kept.
	Headers, Query map[string]string `json:"-"`
	Secrets        []string          `json:"-"`
	// MaxTokens bounds an answer in addition to the request's own bound; 0: no additional bound.
	MaxTokens       int
	TokenField      TokenField
	Temperature     Temperature
	InsecureHTTP    bool // allow plain HTTP to other machines, too
	NoImages        bool // the model takes only text: a request with an image is not sent
	OmitSeed        bool // for servers that refuse seeds; answers then differ from run to run
	ReasoningEffort string
	ExtraBody       map[string]any // further fields of the request body
	// Transport replaces the default transport, which follows the proxy variables of the
	// environment.
	Transport http.RoundTripper `json:"-"`
}

// String shows the model and its address, never the key.
func (c Config) String() string {
	return fmt.Sprintf("openai:%s at %s, key hidden", c.Model, c.BaseURL)
}

// GoString equals String, because %#v must not show the key either.
func (c Config) GoString() string { return c.String() }

// OpenAI is the client of a model on an OpenAI-compatible server. It makes one attempt per call;
// Retry and Limit wrap it. All its errors are *Error or wrap ctx's error.
type OpenAI struct {
	c     Config         // without secrets
	extra map[string]any // further fields of the request body, reasoning_effort included
	notes []string
	clean redactor
	// refused is the advice if the server refuses the key. keyless means that the configuration has
	// no key, no headers and no query.
	refused string
	keyless bool
	name    string
	host    string
	http    *http.Client
	dress   func(*http.Request) // sets the key and the user's headers and query
}

// NewOpenAI checks the configuration. It sends nothing.
func NewOpenAI(c Config) (*OpenAI, error) {
	bad := func(advice, format string, args ...any) (*OpenAI, error) {
		return nil, &Error{Kind: KindRequest, Message: fmt.Sprintf(format, args...), Advice: advice}
	}
	c.KeyName = cmp.Or(c.KeyName, "OPENAI_API_KEY")
	key, err := cleanKey(c.Key)
	if err != nil {
		return bad("set "+c.KeyName+" to the key and nothing else", "%v", err)
	}
	m := &OpenAI{
		clean:   newRedactor(append([]string{key}, c.Secrets...)...),
		refused: "check " + c.KeyName + ", and that it belongs to this server",
		keyless: key == "" && len(c.Headers) == 0 && len(c.Query) == 0,
	}
	profile := "" // further advice if the server may come from a profile
	if c.BaseURL != "" {
		profile = "; a profile with base_url needs key_env, the name of the variable"
	}
	switch {
	case m.keyless:
		m.refused = "set " + c.KeyName + profile
	case key == "":
		m.refused = "check headers and query in the model's profile"
	}
	u, err := baseURL(c.BaseURL)
	if err != nil {
		return bad("name an endpoint such as "+DefaultBaseURL,
			"base URL: %s", m.clean.inError(err.Error()))
	}
	c.BaseURL, c.Model = u.String(), strings.TrimSpace(c.Model)
	switch {
	case unencrypted(u) && !c.InsecureHTTP:
		return bad("begin the URL with https://; on a network that you trust, you can use "+
			"--insecure-http",
			"base URL: %s: key, prompts and answers would cross the network unencrypted", u)
	case c.Model == "":
		return bad("name a model, as in openai:gpt-4o-mini", "no model is named")
	case key == "" && c.BaseURL == DefaultBaseURL:
		return bad("set "+c.KeyName+", or name another server with --base-url"+profile,
			"%s needs a key", DefaultBaseURL)
	case !slices.Contains(
		[]TokenField{FieldAuto, FieldMaxTokens, FieldMaxCompletionTokens}, c.TokenField):
		return bad("", "token field: %q is neither %s nor %s",
			c.TokenField, FieldMaxTokens, FieldMaxCompletionTokens)
	}
	if m.extra, err = extraBody(c); err != nil {
		return bad("", "%s", m.clean.inError(err.Error()))
	}
	for name, value := range c.Headers {
		if !headerName.MatchString(name) || strings.ContainsFunc(value, unicode.IsControl) {
			return bad("",
				"headers: %q is not the name of a header, or its value contains a line break "+
					"or another control character", name)
		}
	}
	m.http, m.dress = newHTTP(c.Transport), dress(key, c.Headers, c.Query)
	m.name, m.host = "openai:"+c.Model, u.Host
	reasoning := fixedTemperature(c.Model)
	switch {
	case c.Temperature == TemperatureOmitted:
		m.name += ",temperature=default" // the header names what changes results
	case c.Temperature == TemperatureSent && reasoning:
		m.name += ",temperature=sent"
	case c.Temperature == TemperatureAuto && reasoning:
		c.Temperature = TemperatureOmitted
		m.notes = append(m.notes, c.Model+" accepts no temperature: "+
			"the server's default replaces the methods' temperatures")
	}
	if c.TokenField == FieldAuto && reasoning {
		c.TokenField = FieldMaxCompletionTokens
	}
	c.TokenField = cmp.Or(c.TokenField, FieldMaxTokens)
	if c.MaxTokens > 0 {
		m.name += fmt.Sprintf(",max_tokens=%d", c.MaxTokens)
	}
	if c.OmitSeed {
		m.name += ",seed=false"
	}
	for _, name := range slices.Sorted(maps.Keys(m.extra)) {
		value, ok := m.extra[name].(string)
		if !ok || !plainText.MatchString(value) {
			data, _ := json.Marshal(m.extra[name]) // extraBody has encoded it before
			value = string(data)
		}
		m.name += "," + name + "=" + value
	}
	c.Key, c.Headers, c.Query, c.Secrets = "", nil, nil, nil
	m.c = c
	return m, nil
}

// ownFields are the fields of a request body that have settings of their own, or that would change
// the form of the answer.
var ownFields = []string{
	"model", "messages", "temperature", "seed", "max_tokens", "max_completion_tokens",
	"reasoning_effort", "n", "stream", "stream_options",
}

func extraBody(c Config) (map[string]any, error) {
	fields := map[string]any{}
	for name, v := range c.ExtraBody {
		if slices.Contains(ownFields, name) {
			return nil, fmt.Errorf("extra_body: %s is set by pacebench itself", name)
		}
		if _, err := json.Marshal(v); err != nil {
			return nil, fmt.Errorf("extra_body: %s cannot be encoded as JSON: %w", name, err)
		}
		fields[name] = v
	}
	if c.ReasoningEffort != "" {
		fields["reasoning_effort"] = c.ReasoningEffort
	}
	return fields, nil
}

// plainText matches a string that needs no quotes in a model's name.
var plainText = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]*$`)

var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// dress sets everything in a request except its body. It is a function, so that printing it does
// not show the key.
func dress(key string, headers, query map[string]string) func(*http.Request) {
	return func(r *http.Request) {
		if key != "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		for name, value := range headers {
			r.Header.Set(name, value)
		}
		if len(query) > 0 {
			q := r.URL.Query()
			for name, value := range query {
				q.Set(name, value)
			}
			r.URL.RawQuery = q.Encode()
		}
	}
}

// baseURL checks an endpoint's address and converts it to the form that go-openai expects.
func baseURL(text string) (*url.URL, error) {
	u, err := url.Parse(cmp.Or(strings.TrimSpace(text), DefaultBaseURL))
	if err != nil {
		return nil, errors.New("not a URL") // url.Error repeats the text, which may hold a password
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("%q does not begin with http:// or https:// and a host",
			u.Redacted())
	case u.User != nil:
		return nil, errors.New("a user or password in the URL would be written to logs; " +
			"use a key instead")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("%q contains a query or a fragment; "+
			"put a query into models.toml", u.Redacted())
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.Path = strings.TrimRight(strings.TrimSuffix(u.Path, "/chat/completions"), "/")
	u.RawPath = ""
	return u, nil
}

// unencrypted reports whether an address is neither encrypted nor on this machine. Servers print
// the address that they listen on, 0.0.0.0 or [::], and a client reaches this machine with it.
func unencrypted(u *url.URL) bool {
	name := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	ip := net.ParseIP(name)
	return u.Scheme == "http" && name != "localhost" && !strings.HasSuffix(name, ".localhost") &&
		!ip.IsLoopback() && !ip.IsUnspecified()
}

// fixedTemperature reports whether OpenAI's server refuses a temperature for the model. A router's
// prefix ("openai/o3-mini") does not matter. The rule is from reasoning_validator.go of go-openai
// v1.43.0, except that gpt-5-chat is not a reasoning model.
func fixedTemperature(model string) bool {
	name := strings.ToLower(path.Base(model))
	for _, family := range []string{"o1", "o3", "o4", "gpt-5", "gpt-6"} {
		rest, ok := strings.CutPrefix(name, family)
		if ok && (rest == "" || rest[0] == '-' || rest[0] == '.') {
			return !strings.HasPrefix(rest, "-chat")
		}
	}
	return false
}

// Host returns the server, and its port if the address has one: "api.openai.com".
func (m *OpenAI) Host() string { return m.host }

// Name is "openai:" and the model, then the settings that change its answers, if any.
func (m *OpenAI) Name() string { return m.name }

// Notes returns messages about the model for the user, apart from errors.
func (m *OpenAI) Notes() []string { return m.notes }

// Close drops idle connections. The model may be used again.
func (m *OpenAI) Close() error {
	m.http.CloseIdleConnections()
	return nil
}

// Complete makes one attempt. A Draw of more than 31 bits is a programming error and panics.
func (m *OpenAI) Complete(ctx context.Context, r Request) (Reply, error) {
	if r.Draw > maxDraw {
		panic(fmt.Sprintf("llm: draw %d of %q does not fit in 31 bits", r.Draw, r.Purpose))
	}
	messages, err := m.messages(r)
	if err != nil {
		return Reply{}, m.fail(ctx, err)
	}
	x := &exchange{OpenAI: m, request: r}
	cfg := openai.DefaultConfig("") // dress sets the key
	cfg.BaseURL, cfg.HTTPClient = m.c.BaseURL, x
	response, err := openai.NewClientWithConfig(cfg).CreateChatCompletion(ctx,
		openai.ChatCompletionRequest{Model: m.c.Model, Messages: messages})
	switch {
	case x.filtered:
		usage := EstimateUsage(m.c.Model, r, "")
		return Reply{Model: m.c.Model, Finish: "content_filter", Usage: usage}, nil
	case err != nil:
		err = m.fail(ctx, err)
		if e, ok := errors.AsType[*Error](err); ok && len(x.usage) > 0 {
			if used := readUsage(x.usage, Usage{}); used.Total() > 0 || used.Cost > 0 {
				e.Billed, e.Used = true, &used
			}
		}
		return Reply{}, err
	}
	return x.reply(response), nil
}

// fail turns the error of an attempt into an *Error without the key, or into ctx's own error.
func (m *OpenAI) fail(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", m.name, context.Cause(ctx))
	}
	e, ok := errors.AsType[*Error](err)
	switch {
	case ok:
	case errors.Is(err, openai.ErrChatCompletionInvalidModel):
		e = &Error{Kind: KindModel, Message: "this model does not support chat"}
	default:
		e = &Error{Kind: KindBody,
			Message: "the server's answer does not have the expected form: " + err.Error()}
	}
	given := *e
	given.Model, given.Host = m.name, m.host
	given.Message = oneLine(m.clean.inError(e.Message))
	if e.Kind == KindKey && e.Status == http.StatusUnauthorized {
		given.Advice = m.refused
		if m.keyless {
			given.Message = strings.Replace(given.Message, keyRefused, "no key was sent", 1)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.extra)) {
		if e.Kind == KindRequest && given.Advice == "" && strings.Contains(e.Message, name) {
			given.Advice = "remove " + name + " from extra_body in models.toml"
		}
	}
	return &given
}
