package llm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
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

// DefaultBaseURL is the endpoint used when none is named.
const DefaultBaseURL = "https://api.openai.com/v1"

// Temperature says whether a request's temperature is sent.
type Temperature int

const (
	// TemperatureAuto sends it, except to OpenAI's reasoning models (o1, o3, o4, gpt-5,
	// gpt-6), which refuse any but their own; see OpenAI.Notes.
	TemperatureAuto Temperature = iota
	TemperatureSent
	TemperatureOmitted
)

// TokenField is the field of a request body that bounds the answer.
type TokenField string

const (
	// max_completion_tokens for OpenAI's reasoning models, max_tokens for all others
	FieldAuto                TokenField = ""
	FieldMaxTokens           TokenField = "max_tokens" // what most compatible servers know
	FieldMaxCompletionTokens TokenField = "max_completion_tokens"
)

// Config describes a model behind a server. Printing it hides the key.
type Config struct {
	Protocol SpecKind // see Protocols
	Model    string
	BaseURL  string // ends in /v1 for most servers; empty: DefaultBaseURL
	Key      string `json:"-"` // may be empty for servers that ask for none
	KeyName  string // where the user finds the key, for advice; empty: OPENAI_API_KEY
	// Headers and Query are added to every request. Secrets are the values in them that
	// must not be shown or kept.
	Headers, Query map[string]string `json:"-"`
	Secrets        []string          `json:"-"`
	// MaxTokens bounds an answer, beside the request's own bound; 0: no further bound.
	MaxTokens       int
	TokenField      TokenField
	Temperature     Temperature
	InsecureHTTP    bool // a server without TLS need not be on this machine
	NoImages        bool // the model takes text alone: a request with an image is refused, unsent
	OmitSeed        bool // for servers that refuse the field; answers then differ from run to run
	ReasoningEffort string
	ExtraBody       map[string]any // further fields of the request body
	// Transport replaces the default one, which follows the proxy variables of the environment.
	Transport http.RoundTripper `json:"-"`
}

// String shows the model and its address, never the key.
func (c Config) String() string {
	return fmt.Sprintf("openai:%s at %s, key hidden", c.Model, c.BaseURL)
}

// GoString is String: %#v must not show the key either.
func (c Config) GoString() string { return c.String() }

// OpenAI is the client of a model behind an OpenAI-compatible server. It makes one attempt
// per call; Retry and Limit go around it. All its errors are *Error or wrap ctx's.
type OpenAI struct {
	model      string
	maxTokens  int
	tokenField TokenField
	omitTemp   bool
	omitSeed   bool
	noImages   bool
	extra      map[string]any // reasoning_effort included
	notes      []string
	keyName    string
	clean      redactor
	name       string
	host       string
	base       string
	wire       *wire
}

var _ Client = (*OpenAI)(nil)

// NewOpenAI checks the configuration. It sends nothing.
func NewOpenAI(c Config) (*OpenAI, error) {
	bad := func(advice, format string, args ...any) (*OpenAI, error) {
		return nil, &Error{Kind: KindRequest, Message: fmt.Sprintf(format, args...), Advice: advice}
	}
	keyName := cmp.Or(c.KeyName, "OPENAI_API_KEY")
	key, err := cleanKey(c.Key)
	if err != nil {
		return bad("set "+keyName+" to the key alone", "%v", err)
	}
	clean := newRedactor(append([]string{key}, c.Secrets...)...)
	base, err := baseURL(c.BaseURL)
	if err != nil {
		return bad("name an endpoint such as "+DefaultBaseURL,
			"base URL: %s", clean.inError(err.Error()))
	}
	model := strings.TrimSpace(c.Model)
	switch {
	case unencrypted(base) && !c.InsecureHTTP:
		return bad("begin it with https://; on a network that you trust, --insecure-http allows it",
			"base URL: %s: key, prompts and answers would cross the network unencrypted", base)
	case model == "":
		return bad("name one, as in openai:gpt-4o-mini", "no model is named")
	case key == "" && base == DefaultBaseURL:
		return bad("set "+keyName+", or name another server with --base-url",
			"%s needs a key", DefaultBaseURL)
	case c.TokenField != FieldAuto && c.TokenField != FieldMaxTokens &&
		c.TokenField != FieldMaxCompletionTokens:
		return bad("", "token field: %q is neither %s nor %s",
			c.TokenField, FieldMaxTokens, FieldMaxCompletionTokens)
	}
	extra, err := extraBody(c)
	if err != nil {
		return bad("", "%s", clean.inError(err.Error()))
	}
	for name, value := range c.Headers {
		if !headerName.MatchString(name) || strings.ContainsFunc(value, unicode.IsControl) {
			return bad("",
				"headers: %q is not the name of a header, or its value holds a line break", name)
		}
	}
	headers, query := c.Headers, c.Query
	m := &OpenAI{
		model: model, maxTokens: c.MaxTokens, tokenField: c.TokenField, omitSeed: c.OmitSeed,
		noImages: c.NoImages, extra: extra, keyName: keyName, clean: clean, base: base,
		wire: newWire(func(r *http.Request) { dress(r, key, headers, query) }, c.Transport),
	}
	m.name = "openai:" + model
	if u, err := url.Parse(base); err == nil {
		m.host = u.Host
	}
	reasoning := fixedTemperature(model)
	switch {
	case c.Temperature == TemperatureOmitted:
		m.omitTemp = true
		m.name += ",temperature=default" // it changes what a run finds, so the header must tell it
	case c.Temperature == TemperatureAuto && reasoning:
		m.omitTemp = true
		m.notes = append(m.notes, model+" takes no temperature: "+
			"the methods' own is not sent, the server's default holds")
	}
	if m.tokenField == FieldAuto {
		m.tokenField = FieldMaxTokens
		if reasoning {
			m.tokenField = FieldMaxCompletionTokens
		}
	}
	if c.MaxTokens > 0 {
		m.name += fmt.Sprintf(",max_tokens=%d", c.MaxTokens)
	}
	if c.OmitSeed {
		m.name += ",seed=false"
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		value, ok := extra[name].(string)
		if !ok || !plainText.MatchString(value) {
			data, _ := json.Marshal(extra[name]) // extraBody has tried it
			value = string(data)
		}
		m.name += "," + name + "=" + value
	}
	return m, nil
}

// ownFields are the fields of a request body that have settings of their own, or that
// would change the form of the answer.
var ownFields = []string{
	"model", "messages", "temperature", "seed", "max_tokens", "max_completion_tokens",
	"reasoning_effort", "n", "stream", "stream_options",
}

// extraBody is the fields to add to every request body.
func extraBody(c Config) (map[string]any, error) {
	fields := map[string]any{}
	for name, v := range c.ExtraBody {
		if slices.Contains(ownFields, name) {
			return nil, fmt.Errorf("extra_body: %s is set by pacebench itself", name)
		}
		if _, err := json.Marshal(v); err != nil {
			return nil, fmt.Errorf("extra_body: %s does not encode: %w", name, err)
		}
		fields[name] = v
	}
	if c.ReasoningEffort != "" {
		fields["reasoning_effort"] = c.ReasoningEffort
	}
	return fields, nil
}

// plainText is a string that needs no quotes in a model's name.
var plainText = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]*$`)

var headerName = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// dress sets what a request carries beside its body.
func dress(r *http.Request, key string, headers, query map[string]string) {
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

// baseURL checks an endpoint's address and brings it into the form that go-openai appends to.
func baseURL(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return DefaultBaseURL, nil
	}
	u, err := url.Parse(text)
	if err != nil {
		return "", errors.New("not a URL") // url.Error repeats the text, which may hold a password
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return "", fmt.Errorf("%q does not begin with http:// or https:// and a host", u.Redacted())
	case u.User != nil:
		return "", errors.New("a user or password in it would be written to logs; use the key")
	case u.RawQuery != "" || u.Fragment != "":
		return "", fmt.Errorf("%q holds a query or a fragment; "+
			"a query has its place in models.toml", u.Redacted())
	}
	u.Path = strings.TrimRight(u.Path, "/")
	u.Path = strings.TrimRight(strings.TrimSuffix(u.Path, "/chat/completions"), "/")
	u.RawPath = ""
	return u.String(), nil
}

// unencrypted reports whether a checked address is neither encrypted nor on this machine.
func unencrypted(base string) bool {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" {
		return false
	}
	return !strings.EqualFold(u.Hostname(), "localhost") && !net.ParseIP(u.Hostname()).IsLoopback()
}

// fixedTemperature reports whether OpenAI's server refuses a temperature for the model. A
// router's prefix ("openai/o3-mini") does not matter. Rule of go-openai v1.43.0,
// reasoning_validator.go, except that gpt-5-chat is not a reasoning model.
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

// Host is the server's, with its port: "api.openai.com".
func (m *OpenAI) Host() string { return m.host }

// Name is "openai:" and the model, then the settings that change its answers, if any.
func (m *OpenAI) Name() string { return m.name }

// String is Name; it keeps the client's insides out of prints.
func (m *OpenAI) String() string { return m.name }

// GoString is Name.
func (m *OpenAI) GoString() string { return m.name }

// Notes says what the user should know about the model; no errors.
func (m *OpenAI) Notes() []string { return m.notes }

// Close drops idle connections. The model may be used again.
func (m *OpenAI) Close() error {
	m.wire.http.CloseIdleConnections()
	return nil
}

// maxDraw is the largest draw that a seed can carry: servers know seeds as 31 bits.
const maxDraw = math.MaxInt32

// Complete makes one attempt. A Draw of more than 31 bits is a programmer's mistake and panics.
func (m *OpenAI) Complete(ctx context.Context, r Request) (Reply, error) {
	if r.Draw > maxDraw {
		panic(fmt.Sprintf("llm: draw %d of %q does not fit in 31 bits", r.Draw, r.Purpose))
	}
	if m.noImages && r.hasImages() {
		return Reply{}, m.fail(ctx,
			&Error{Kind: KindRequest, Message: "the model does not accept images"})
	}
	messages, err := chatMessages(r)
	if err != nil {
		return Reply{}, m.fail(ctx, err)
	}
	// Temperature and token bounds are patched in: go-openai drops zeros and refuses some of the
	// rest.
	x := &exchange{wire: m.wire, patch: m.patch(r)}
	cfg := openai.DefaultConfig("") // the key is set by wire alone
	cfg.BaseURL, cfg.HTTPClient = m.base, x
	response, err := openai.NewClientWithConfig(cfg).CreateChatCompletion(ctx,
		openai.ChatCompletionRequest{Model: m.model, Messages: messages})
	if err != nil {
		if x.filtered {
			usage := EstimateUsage(m.model, r, "")
			return Reply{Model: m.model, Finish: "content_filter", Usage: usage}, nil
		}
		return Reply{}, m.fail(ctx, err)
	}
	return readReply(response, x.usage, m.clean, m.model, r), nil
}

// patch is what the body must hold beside what go-openai writes.
func (m *OpenAI) patch(r Request) map[string]any {
	p := maps.Clone(m.extra)
	if !m.omitTemp {
		p["temperature"] = r.Temperature
	}
	if !m.omitSeed {
		p["seed"] = r.Draw
	}
	n := r.MaxTokens
	if m.maxTokens > 0 && (n <= 0 || n > m.maxTokens) {
		n = m.maxTokens
	}
	if n > 0 {
		p[string(m.tokenField)] = n
	}
	return p
}

// fail turns whatever stopped an attempt into an *Error without the key, or into ctx's own error.
func (m *OpenAI) fail(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", m.name, context.Cause(ctx))
	}
	var e *Error
	switch {
	case errors.As(err, &e):
	case errors.Is(err, openai.ErrChatCompletionInvalidModel):
		e = &Error{Kind: KindModel, Message: "this model does not answer chats"}
	default:
		e = &Error{Kind: KindBody,
			Message: "the server's answer is not of the expected form: " + err.Error()}
	}
	given := *e
	given.Model, given.Host = m.name, m.host
	given.Message = oneLine(m.clean.inError(e.Message))
	if e.Kind == KindKey && e.Status == http.StatusUnauthorized {
		given.Advice = "check " + m.keyName + ", and that it belongs to this server"
	}
	if e.Kind == KindRequest && given.Advice == "" {
		for _, name := range slices.Sorted(maps.Keys(m.extra)) {
			if strings.Contains(e.Message, name) {
				given.Advice = "remove " + name + " from extra_body in models.toml"
				break
			}
		}
	}
	return &given
}
