package suite

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/BurntSushi/toml"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/offline"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/tasks"
)

// ModelsFile is the default of --models. This file may be missing.
const ModelsFile = "models.toml"

// A choice is a model that answers the requests of a run, with an optional second model for EAPs.
type choice struct {
	label  string // as the command or the suite names it
	model  llm.Model
	names  map[string]string // by role, for the header
	hosts  map[string]string // by role, for run.json; only models with a server
	prices llm.Prices        // by role, for run.json; only known prices
	byRole map[string]*opened
	plain  *choice // the same choice without a model for EAPs; may be nil
}

// An opened is a model that the command has opened.
type opened struct {
	model    llm.Model
	names    map[string]string
	host     string // "" if the model has no server
	price    *llm.Price
	profile  string // the profile whose limits apply; "": the command's limits
	limits   llm.Limits
	noImages bool // the model accepts only text
}

// An opener opens each model of a command once. Models of one profile share its limits, and all
// models share one purse.
type opener struct {
	Options
	profiles map[string]llm.Profile
	files    map[string]string // the file of each profile; "" if it is built in
	limiters map[string]*llm.Limiter
	models   map[string]*opened
	lookup   func(name string) (string, bool) // looks up environment variables
	broken   error                            // the error of reading models.toml
}

// OpenModels reads the profiles and checks the flags. The suite s, which may be nil, can add
// profiles.
func OpenModels(flags Options, s *Suite) (*opener, error) {
	o := &opener{
		Options: flags, profiles: map[string]llm.Profile{},
		limiters: map[string]*llm.Limiter{}, files: map[string]string{},
		models: map[string]*opened{}, lookup: os.LookupEnv,
	}
	o.Purse = cmp.Or(flags.Purse, &llm.Purse{})
	if o.Given["record"] && o.Record == "" {
		return nil, Usagef("--record: the name of the directory is empty")
	}
	builtIn, err := parseModels("data/models.toml", []byte(data.Models))
	if err != nil {
		return nil, err
	}
	profiles, err := ReadModels(o.Models)
	if err != nil && !o.Given["models"] {
		// The command needs the file only if it names a profile in the file.
		if !errors.Is(err, fs.ErrNotExist) {
			o.broken = err
		}
	} else if err != nil {
		return nil, err
	}
	add := func(file string, profiles map[string]llm.Profile) {
		for name, p := range profiles {
			o.profiles[name], o.files[name] = p, file
		}
	}
	add("", builtIn)
	add(o.Models, profiles)
	if s != nil {
		add(s.file, s.Profiles)
	}
	return o, nil
}

// Choose opens a model and, if eap is not empty, another one for EAP discovery.
func (o *opener) Choose(model, eap string) (*choice, error) {
	m, err := o.open("--model", model)
	if err != nil {
		return nil, err
	}
	ch := &choice{
		label: model, names: maps.Clone(m.names), hosts: map[string]string{}, prices: llm.Prices{},
		byRole: map[string]*opened{"": m},
	}
	route := llm.Route{Default: m.model}
	if eap != "" {
		e, err := o.open("--eap-model", eap)
		if err != nil {
			return nil, err
		}
		route.ByRole = map[string]llm.Model{"eap": e.model}
		ch.byRole["eap"] = e
		if ch.names["eap"] = cmp.Or(e.names["eap"], e.names[""]); ch.names["eap"] == ch.names[""] {
			delete(ch.names, "eap")
		}
		if ch.plain, err = o.Choose(model, ""); err != nil {
			return nil, err
		}
		ch.label += "+eap=" + eap
	}
	ch.model = route
	for role, m := range ch.byRole {
		if m.host != "" {
			ch.hosts[role] = m.host
		}
		if m.price != nil {
			ch.prices[role] = *m.price
		}
	}
	return ch, nil
}

// open opens a model by its specification or by the name of its profile.
func (o *opener) open(flag, text string) (*opened, error) {
	if m := o.models[text]; m != nil {
		return m, nil
	}
	var m *opened
	var err error
	if p, ok := o.profiles[text]; ok {
		m, err = o.server(text, p)
	} else {
		m, err = o.other(flag, text)
	}
	if err != nil {
		return nil, err
	}
	if o.Record != "" {
		if m.model, err = llm.Record(m.model, o.Record); errors.Is(err, syscall.ENOTDIR) {
			return nil, Usagef("--record %s: %w", o.Record, err)
		} else if err != nil {
			return nil, err
		}
	}
	o.models[text] = m
	return m, nil
}

func (o *opener) other(flag, text string) (*opened, error) {
	spec, err := llm.ParseSpec(text)
	if err != nil {
		if o.broken != nil {
			return nil, o.broken // the name may be a profile in the file
		}
		if strings.Contains(text, ":") || text == "" {
			return nil, Usagef("%s %s: %w", flag, text, err)
		}
		advice := "pacebench docs models shows an example; or did you mean openai:" + text + "?"
		if names := slices.Sorted(maps.Keys(o.profiles)); len(names) > 0 {
			advice = OneOf("profiles", text, names) + "; or did you mean openai:" + text + "?"
		}
		return nil, hint.Add(Usagef("%s %s: no such profile in %s", flag, text, o.Models), advice)
	}
	m := &opened{}
	switch spec.Kind {
	case llm.SpecOffline:
		m.model = offline.New(append(o.Files.All(), tasks.All()...), offline.StatedRates())
	case llm.SpecReplay:
		var p *llm.Player
		if p, err = results.OpenPlayer(spec.Arg); err == nil {
			m.model, m.names = p, p.Models()
		}
	case llm.SpecScripted:
		m.model, err = llm.ScriptedFile(spec.Arg)
	default:
		return o.server("", llm.Profile{Protocol: spec.Kind, Model: spec.Arg})
	}
	if err != nil {
		return nil, Usagef("%s %s: %w", flag, text, err)
	}
	if m.names == nil {
		m.names = map[string]string{"": m.model.Name()}
	}
	// A model without a server has a separate limiter, because openai:MODEL may use up the limits
	// of the command.
	return o.limit(m, "no server", llm.Profile{}), nil
}

// server opens a model that has a server. Flags set what the profile does not set, and can lower
// the profile's bound on tokens. name is the name of the profile, or "" if the flags describe the
// model.
func (o *opener) server(name string, p llm.Profile) (*opened, error) {
	fail := func(err error) (*opened, error) {
		switch {
		case name != "" && o.files[name] == "":
			advice := "write [models." + name + "] into " + cmp.Or(o.Models, ModelsFile) +
				"; or use --model offline, which needs no key"
			if own := hint.Of(err); own != "" {
				advice = own + "; or " + advice
			}
			err = hint.Add(fmt.Errorf("model %s: %w", name, err), advice)
		case name != "":
			err = fmt.Errorf("%s: [models.%s]: %w", o.files[name], name, err)
		}
		return nil, Usage(err)
	}
	cfg, err := p.Config(o.lookup)
	if err != nil {
		return fail(err)
	}
	price, err := p.Price()
	if err != nil {
		return fail(err)
	}
	if cfg.Protocol == llm.SpecOpenAI {
		cfg.BaseURL = cmp.Or(cfg.BaseURL, o.BaseURL)
	}
	cfg.InsecureHTTP = o.InsecureHTTP
	cfg.OmitSeed = cfg.OmitSeed || o.NoSeed
	if n := o.MaxTokens; n > 0 && (cfg.MaxTokens == 0 || n < cfg.MaxTokens) {
		cfg.MaxTokens = n
	}
	client, err := llm.Protocols[cfg.Protocol].Open(cfg)
	if err != nil {
		return fail(err)
	}
	// --quiet does not hide this line, because the file may come from a stranger's directory.
	if env := p.Env(); o.files[name] != "" && env != nil {
		fmt.Fprintf(o.Log, "pacebench: %s: [models.%s] sends %s to %s\n",
			o.files[name], name, strings.Join(env, ", "), client.Host())
	}
	for _, n := range client.Notes() {
		fmt.Fprintln(o.Notes, "pacebench: note:", n)
	}
	retry := llm.RetryConfig{AttemptTimeout: o.RequestTimeout}
	return o.limit(&opened{
		model: o.Purse.Guard(llm.Retry(client, retry), price),
		names: map[string]string{"": client.Name()},
		host:  client.Host(), price: price, noImages: cfg.NoImages,
	}, name, p), nil
}

// sharePurse opens the purse of all processes that work on the results directory. The costs in the
// journals of all runs in the directory count even if no account contains them.
func (o *opener) sharePurse(runs []*Planned) error {
	if o.Out == "" {
		return nil
	}
	known := 0.0
	if o.Purse.Max > 0 {
		models := map[string]*choice{} // of the planned runs, by directory
		for _, p := range runs {
			if p.Model != nil {
				models[filepath.Clean(RunDir(o.Out, p.Header))] = p.Model
			}
		}
		dirs, _, _ := results.RunDirs(o.Out) // after an error: no run yet
		for _, dir := range dirs {
			dir = filepath.Clean(dir)
			known += o.paid(dir, models[dir])
			delete(models, dir)
		}
		for dir, m := range models { // new, or behind a link
			known += o.paid(dir, m)
		}
	}
	return o.Purse.Share(ledgerOf(o.Out), known)
}

// paid returns the known cost of the run in dir. m is its model if the command continues the run,
// otherwise nil; an answer of m without a known cost is told to the purse.
func (o *opener) paid(dir string, m *choice) (usd float64) {
	if m == nil { // a result is smaller than its journal
		if r, err := record.ReadResult(dir); err == nil && r != nil {
			return r.Paid()
		}
	}
	l, err := record.LoadWithoutTexts(dir)
	if err != nil {
		return 0 // no journal, or one that Execute will refuse
	}
	prices, names := l.Prices, l.Header.Models
	if m != nil {
		prices, names = prices.With(m.prices, math.MaxInt, ""), m.names
	}
	for step := range l.Steps() {
		for _, q := range step.Requests {
			if q.Shared {
				continue // another run paid for the request
			}
			price := prices.At(step.Number).Of(names, q.Request.Purpose)
			cost, known := price.Cost(q.Reply.Usage)
			usd += cost
			role := q.Request.Purpose.Role()
			if names[role] == "" {
				role = ""
			}
			if m != nil && !known && m.hosts[role] != "" {
				o.Purse.AddUnknown(names[role])
			}
		}
	}
	return usd
}

// limit applies the limits of a profile to a model, with the command's limits as defaults.
// Processes on this host with the same results directory share the limits per minute.
func (o *opener) limit(m *opened, name string, p llm.Profile) *opened {
	m.profile, m.limits = name, llm.Limits{
		Concurrency:       cmp.Or(p.Concurrency, o.Concurrency),
		RequestsPerMinute: cmp.Or(p.RPM, o.RPM),
		TokensPerMinute:   cmp.Or(p.TPM, o.TPM),
	}
	if o.limiters[name] == nil {
		file := ""
		if host, err := os.Hostname(); o.Out != "" && err == nil {
			base := shorten(SafeName(host + "-" + cmp.Or(name, "command")))
			file = filepath.Join(o.Out, ".limits", base+".json")
		}
		o.limiters[name] = llm.NewLimiter(m.limits, file)
	}
	m.model = o.limiters[name].Limit(m.model)
	return m
}

func decode(path string, data []byte, into any) (toml.MetaData, error) {
	md, err := toml.Decode(string(data), into)
	if err != nil {
		if m := wrongType.FindStringSubmatch(err.Error()); m != nil {
			err = fmt.Errorf("line %s: %s: this is %s, want %s", m[1], m[2], typeName(m[3]),
				typeName(m[4]))
		}
		err = Usagef("%s: %w", path, err)
	}
	return md, err
}

// wrongType matches the decoder's message about a value of a wrong type.
var wrongType = regexp.MustCompile(`line (\d+) \(last key "([^"]+)"\): incompatible types: ` +
	`TOML value has type (\S+); destination has type (\S+)`)

// typeName returns a plain name for one of the decoder's types.
func typeName(name string) string {
	switch {
	case strings.Contains(name, "string"):
		return `text in quotes, as in key = "text"`
	case strings.Contains(name, "bool"):
		return "true or false"
	case strings.Contains(name, "int"):
		return "a whole number"
	case strings.Contains(name, "float"):
		return "a number"
	case strings.Contains(name, "map"), strings.Contains(name, "table"):
		return "a table, as in [name]"
	case strings.HasPrefix(name, "[]"), strings.Contains(name, "slice"):
		return "a list, as in [1, 2]"
	}
	return name
}

func ReadModels(path string) (map[string]llm.Profile, error) {
	text, err := ReadFile(path, MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, hint.Add(err, "pacebench docs models shows an example")
	}
	if err != nil {
		return nil, err
	}
	return parseModels(path, text)
}

func parseModels(path string, text []byte) (map[string]llm.Profile, error) {
	var file struct {
		Models map[string]llm.Profile `toml:"models"`
	}
	md, err := decode(path, text, &file)
	if err == nil {
		err = unknownKey(path, md, nil)
	}
	if err == nil {
		err = checkNames(path, file.Models)
	}
	return file.Models, err
}

// checkNames refuses names of profiles that a command line would read as other models.
func checkNames(path string, profiles map[string]llm.Profile) error {
	for _, name := range slices.Sorted(maps.Keys(profiles)) {
		if name == "" || llm.SpecKind(name).Known() || strings.ContainsAny(name, ": ,\t\n") {
			return hint.Add(Usagef("%s: [models.%s]: invalid name of a profile", path, name),
				"a name must not contain a colon, comma or space, "+
					"and must not be a kind of model, such as offline")
		}
	}
	return nil
}
