// Package offline implements the embedded model, which answers text prompts that were written for a
// language model. Start at New and Model.Complete.
//
// It finds the function to implement, the programs, the helper functions (EAPs) and the contract in
// the prompt (prompt.go, calls.go). It composes a program from the task's vocabulary or varies the
// programs shown (program.go, and draft.go with its operations in compose.go, vary.go and
// calls.go). It wraps the program as a language model would: mostly in the requested form,
// sometimes in a clumsy one (reply.go). It makes mistakes at stated rates (Rates), so that every
// path of a run is taken. Package pytext reads and writes the Python.
//
// An answer depends only on the request's texts, temperature, draw and token limit. The
// model knows a task's template and its vocabulary or, without a vocabulary, its references, but
// never its evaluator. It sees no score that the prompt does not show. It is a program synthesiser,
// not a language model, and every table made with it says so.
package offline

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/offline/pytext"
)

// A Model is the embedded model. It keeps no state between requests.
type Model struct {
	tasks []knowledge
	rates Rates
}

var _ llm.Model = (*Model)(nil)

// knowledge holds the facts about a task that the model uses.
type knowledge struct {
	*bench.Vocabulary
	target pytext.Function // the template, without a body
	opens  string          // the first sentence of the task's description, in lower case
	// known are initial programs if the task has no vocabulary: the template's default and
	// references.
	known []pytext.Function
}

// New returns a model that knows the tasks' vocabularies and makes mistakes at the given rates.
func New(tasks []*bench.Task, rates Rates) *Model {
	m := &Model{rates: rates}
	for _, t := range tasks {
		m.tasks = append(m.tasks, know(t))
	}
	return m
}

// know reads a task's template and makes terms from the features of its outputs. If the task has no
// vocabulary, it reads the default program and the references.
func know(t *bench.Task) knowledge {
	target, _ := pytext.ReadFunction(t.Template.Header())
	first, _, _ := strings.Cut(t.Description, ". ")
	k := knowledge{Vocabulary: &stranger, target: target, opens: strings.ToLower(first)}
	if t.Vocabulary == nil {
		sources := []string{t.Template.Header() + "\n" + pytext.Indent(t.Template.Body)}
		for _, r := range t.References {
			sources = append(sources, r.Source)
		}
		for _, source := range sources {
			list, _ := pytext.Functions(source)
			if len(list) == 1 && list[0].Name == target.Name && len(list[0].Body) > 0 {
				k.known = append(k.known, list[0])
			}
		}
		return k
	}
	v := *t.Vocabulary
	k.Vocabulary = &v
	v.Outputs = slices.Clone(v.Outputs)
	for i := range v.Outputs {
		o := &v.Outputs[i]
		o.Terms = slices.Clone(o.Terms)
		for code := range strings.FieldsSeq(o.Features) {
			d, ok := k.definition(strings.TrimPrefix(code, "±"))
			if !ok {
				panic("offline: " + t.Name + ": nothing defines the feature " + code)
			}
			o.Terms = append(o.Terms, bench.Phrase{Code: code, Says: d.Says})
		}
	}
	return k
}

// stranger is the vocabulary for a task without a vocabulary of its own.
var stranger = bench.Vocabulary{
	Subject: "options",
	Raises: bench.Phrases{
		{Code: "missing = undefined_scale * 2.0", Says: "a name that nothing defines"},
	},
	Loops: bench.Phrases{{Code: "while True:\n    pass", Says: "forever"}},
	Slow: bench.Phrases{
		{Code: "slow = sum(i * i for i in range(20_000_000))", Says: "a long sum"},
	},
}

// Name returns "offline".
func (m *Model) Name() string { return "offline" }

// version is part of every seed. A change of the answers on every task needs a new version; a
// change of one task's vocabulary does not, but the runs of that task must be repeated.
const version = llm.Embedded + "v4"

// Complete answers a prompt. The answer depends only on the texts of the system message and the
// prompt, the temperature, the draw and the token limit. Images count as tokens but are not read.
// Complete fails only if ctx is done.
func (m *Model) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, err
	}
	user := llm.TextOf(r.User) + "\n"
	w := &writer{
		rates: m.rates, prompt: read(user), r: stream(r.System, user, r.Draw),
		heat: min(2, max(0.05, r.Temperature)),
	}
	w.v = m.about(w.prompt)
	text := w.reply()
	reply := llm.Reply{Text: text, Model: version, Finish: "stop"}
	if limit := 4 * r.MaxTokens; r.MaxTokens > 0 && len(text) > limit {
		reply.Text, reply.Finish = text[:limit], "length"
	}
	reply.Usage = llm.EstimateUsage(m.Name(), r, reply.Text)
	return reply, nil
}

// stream returns the source of all randomness of one answer. NUL bytes separate the parts of the
// seed. A test compares answers, because another seed would invalidate every recorded run.
func stream(system, user string, draw uint64) *rand.Rand {
	h := sha256.New()
	h.Write([]byte(version + "\x00"))
	h.Write(binary.LittleEndian.AppendUint64(nil, draw))
	h.Write([]byte("\x00" + system + "\x00" + user))
	return rand.New(rand.NewChaCha8([32]byte(h.Sum(nil))))
}

// about finds the task of a prompt by the target's name and parameters, and by the beginning of the
// description if several tasks share these. A prompt without a function belongs to the task whose
// target it names or whose terms it names most.
func (m *Model) about(p *prompt) knowledge {
	found, most := knowledge{Vocabulary: &stranger}, 0
	for _, k := range m.tasks {
		count := 0
		if p.target.Name != "" {
			alike := func(a, b pytext.Param) bool { return a.Name == b.Name }
			same := slices.EqualFunc(p.target.Params, k.target.Params, alike)
			if same && base(p.target.Name) == k.target.Name {
				count = 1
				if strings.Contains(p.prose, k.opens) {
					count = 2
				}
			}
		} else if count = len(k.mentioned(p.prose)); strings.Contains(p.prose, k.target.Name) {
			count += 100
		}
		if count > most {
			found, most = k, count
		}
	}
	if p.target.Name == "" {
		p.target = found.target
	}
	return found
}

// A writer writes one answer.
type writer struct {
	prompt  *prompt
	v       knowledge
	rates   Rates
	r       *rand.Rand
	heat    float64 // the temperature, limited: how far constants move
	slip    Quirk   // the mistake of this answer, or None
	foreign string  // an import of a module that tasks refuse, for Foreign
}

func fill(r *rand.Rand, code string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(code, "@{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		slot, after, _ := strings.Cut(rest, "}")
		code = after
		lo, hi, isRange := strings.Cut(slot, "~")
		if !isRange {
			b.WriteString(pick(r, strings.Split(slot, "|")))
			continue
		}
		l, errLo := strconv.ParseFloat(lo, 64)
		h, errHi := strconv.ParseFloat(hi, 64)
		if errLo != nil || errHi != nil {
			panic(fmt.Sprintf("offline: bad slot %q", slot))
		}
		b.WriteString(decimal(l + (h-l)*r.Float64()))
	}
}

// decimal writes a number with two significant digits, as people write constants.
func decimal(x float64) string { return round(x, 2) }

// round writes a number with the given number of significant digits, as a Python float.
func round(x float64, digits int) string {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	format := byte('f')
	if size := math.Abs(v); v != 0 && (size < 1e-4 || size >= 1e6) {
		format = 'g'
	}
	text := strconv.FormatFloat(v, format, -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func chance(r *rand.Rand, p float64) bool { return r.Float64() < p }

func (v knowledge) definition(name string) (bench.Phrase, bool) {
	i := slices.IndexFunc(v.Define, func(d bench.Phrase) bool { return defined(d) == name })
	if i < 0 {
		return bench.Phrase{}, false
	}
	return v.Define[i], true
}

// defined returns the name that a definition binds: the name at its start.
func defined(d bench.Phrase) string {
	name, _, _ := strings.Cut(d.Code, " =")
	return name
}

// needs lists the names that code takes from Define, and the names that their definitions need in
// turn, in the order of Define.
func (v knowledge) needs(code string) []string {
	wanted := map[string]bool{}
	var visit func(code string)
	visit = func(code string) {
		for _, s := range pytext.Statements(code) {
			for _, n := range s.Reads {
				if d, ok := v.definition(n); ok && !wanted[n] {
					wanted[n] = true
					visit(d.Code)
				}
			}
		}
	}
	visit(code)
	var order []string
	for _, d := range v.Define {
		if n := defined(d); wanted[n] {
			order = append(order, n)
		}
	}
	return order
}
