package llm

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A Profile describes a model in models.toml: its name, its server, its settings and its price.
// docs/models.md explains the fields.
type Profile struct {
	Protocol SpecKind `toml:"protocol"` // one of Protocols; empty: SpecOpenAI
	Model    string   `toml:"model"`
	BaseURL  string   `toml:"base_url"` // empty: the command's base URL; see Config
	// KeyEnv names the environment variable that holds the key. If it is empty, a profile without
	// BaseURL uses the protocol's variable, and a profile with BaseURL sends no key.
	KeyEnv string `toml:"key_env"`
	// Headers and Query are added to every request; ${NAME} in a value is replaced by the variable.
	Headers         map[string]string `toml:"headers"`
	Query           map[string]string `toml:"query"`
	ExtraBody       map[string]any    `toml:"extra_body"`
	ReasoningEffort string            `toml:"reasoning_effort"`
	Temperature     Temperature       `toml:"temperature"`
	TokenField      TokenField        `toml:"token_field"`
	MaxTokens       int               `toml:"max_tokens"`
	Seed            *bool             `toml:"seed"`   // nil is true
	Images          *bool             `toml:"images"` // whether the model accepts images; nil: true
	RPM             int               `toml:"rpm"`    // 0: the command's limit, as for the next two
	TPM             int               `toml:"tpm"`
	Concurrency     int               `toml:"concurrency"`
	PriceIn         *float64          `toml:"price_in"` // USD per million tokens, like the next two
	PriceCached     *float64          `toml:"price_cached"`
	PriceOut        *float64          `toml:"price_out"`
}

var fromEnv = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// Config combines the profile with the environment; getenv is usually os.LookupEnv.
func (p Profile) Config(getenv func(string) (string, bool)) (Config, error) {
	c := Config{
		Protocol: cmp.Or(p.Protocol, SpecOpenAI),
		Model:    p.Model, BaseURL: p.BaseURL, KeyName: p.KeyEnv, TokenField: p.TokenField,
		MaxTokens: p.MaxTokens, OmitSeed: p.Seed != nil && !*p.Seed,
		NoImages:        p.Images != nil && !*p.Images,
		ReasoningEffort: p.ReasoningEffort, ExtraBody: p.ExtraBody, Temperature: p.Temperature,
	}
	protocol, ok := Protocols[c.Protocol]
	switch {
	case !ok:
		return c, fmt.Errorf("protocol = %q: want one of %s",
			p.Protocol, slices.Sorted(maps.Keys(Protocols)))
	case strings.TrimSpace(p.Model) == "":
		return c, errors.New("model is missing")
	case !slices.Contains([]Temperature{TemperatureAuto, TemperatureSent, TemperatureOmitted},
		p.Temperature):
		return c, fmt.Errorf(`temperature = %q: want "omit" or "send"; the method sets the value`,
			p.Temperature)
	}
	for _, f := range []struct {
		name string
		n    int
	}{{"max_tokens", p.MaxTokens}, {"rpm", p.RPM}, {"tpm", p.TPM}, {"concurrency", p.Concurrency}} {
		if f.n < 0 {
			return c, fmt.Errorf("%s = %d: must not be negative", f.name, f.n)
		}
	}
	if _, err := p.Price(); err != nil {
		return c, err
	}
	switch {
	case p.KeyEnv != "":
		if c.Key, _ = getenv(p.KeyEnv); strings.TrimSpace(c.Key) == "" {
			return c, notSet("key_env", p.KeyEnv)
		}
	case p.BaseURL == "":
		c.Key, _ = getenv(protocol.KeyEnv)
	}
	var err error
	if c.Headers, err = c.expand("headers", p.Headers, getenv); err != nil {
		return c, err
	}
	c.Query, err = c.expand("query", p.Query, getenv)
	return c, err
}

// Env returns the names of the environment variables whose values the profile sends to its server,
// sorted.
func (p Profile) Env() (names []string) {
	if p.KeyEnv != "" {
		names = []string{p.KeyEnv}
	}
	for _, values := range []map[string]string{p.Headers, p.Query} {
		for _, v := range values {
			for _, ref := range fromEnv.FindAllStringSubmatch(v, -1) {
				names = append(names, ref[1])
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// variable matches the usual names of variables, but not a pasted key, which mixes letters and
// digits.
var variable = regexp.MustCompile(
	`^_?[A-Za-z]{1,24}[0-9]{0,2}(_([A-Za-z]{1,24}[0-9]{0,2}|[0-9]{1,4}))*$`)

func notSet(field, env string) error {
	if !variable.MatchString(env) || len(env) > 64 { // may be a key, so it is not printed
		return &Error{Kind: KindKey,
			Message: field + ": no environment variable of this name is set",
			Advice: field +
				` must be the name of an environment variable, such as "MY_KEY", and never a key`}
	}
	return &Error{Kind: KindKey, Message: fmt.Sprintf("%s: %s is not set", field, env),
		Advice: "export " + env + "=... and repeat the command"}
}

// expand replaces ${NAME} in the values and adds the inserted texts to the secrets.
func (c *Config) expand(
	field string, values map[string]string, getenv func(string) (string, bool),
) (map[string]string, error) {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		missing := ""
		out[name] = fromEnv.ReplaceAllStringFunc(values[name], func(ref string) string {
			env := fromEnv.FindStringSubmatch(ref)[1]
			v, _ := getenv(env)
			if v = strings.TrimSpace(v); v == "" {
				missing = env
			}
			c.Secrets = append(c.Secrets, v)
			return v
		})
		if missing != "" {
			return nil, notSet(field+"."+name, missing)
		}
	}
	return out, nil
}

// Price returns the profile's price, or nil. If the profile gives no price for cached tokens, they
// cost as much as other prompt tokens.
func (p Profile) Price() (*Price, error) {
	switch {
	case p.PriceIn == nil && p.PriceOut == nil && p.PriceCached == nil:
		return nil, nil
	case p.PriceIn == nil || p.PriceOut == nil:
		return nil, errors.New("set both price_in and price_out, or neither")
	}
	price := &Price{*p.PriceIn, *cmp.Or(p.PriceCached, p.PriceIn), *p.PriceOut}
	return price, price.Check()
}
