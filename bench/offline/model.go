package offline

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench/llm"
)

// Options configure a model. The zero value makes no mistakes and knows no task.
type Options struct {
	Vocabularies []Vocabulary
	Rates        Rates
}

// A Model is the embedded model. It keeps nothing between requests.
type Model struct {
	vocabularies map[string]*Vocabulary
	rates        Rates
}

var _ llm.Model = (*Model)(nil)

// Default is the model as it comes: all vocabularies, the stated rates.
func Default() *Model {
	return New(Options{Vocabularies: Vocabularies(), Rates: StatedRates()})
}

// New makes a model.
func New(o Options) *Model {
	m := &Model{vocabularies: map[string]*Vocabulary{}, rates: o.Rates}
	for i := range o.Vocabularies {
		v := o.Vocabularies[i]
		m.vocabularies[v.Target] = &v
	}
	return m
}

// Name is "offline".
func (m *Model) Name() string { return "offline" }

// version is part of every seed: a change of the model that changes answers gets a new one.
const version = "bench.offline.v2"

// Complete answers a prompt. The answer depends on the text of the prompt, the temperature and
// the draw alone; it never fails unless ctx is done.
func (m *Model) Complete(ctx context.Context, r llm.Request) (llm.Reply, error) {
	if err := ctx.Err(); err != nil {
		return llm.Reply{}, err
	}
	var b strings.Builder
	for _, part := range r.User {
		b.WriteString(part.Text)
		b.WriteByte('\n')
	}
	user := b.String()
	w := &writer{
		model: m, prompt: read(user), r: stream(r.System, user, r.Draw),
		heat: min(2, max(0.05, r.Temperature)),
	}
	w.vocabulary()
	text := w.reply()
	reply := llm.Reply{Text: text, Model: version, Finish: "stop"}
	if limit := 4 * r.MaxTokens; r.MaxTokens > 0 && len(text) > limit {
		reply.Text, reply.Finish = text[:limit], "length"
	}
	reply.Usage = llm.Usage{
		Prompt:     llm.EstimateTokens(r.System) + llm.EstimateTokens(strings.TrimSuffix(user, "\n")),
		Completion: llm.EstimateTokens(reply.Text),
		Estimated:  true,
	}
	return reply, nil
}

// stream is the source of all randomness of one answer. The parts are separated by NUL; the
// bytes are pinned by a test: another derivation would orphan every recorded run.
func stream(system, user string, draw uint64) *rand.Rand {
	h := sha256.New()
	h.Write([]byte(version + "\x00"))
	h.Write(binary.LittleEndian.AppendUint64(nil, draw))
	h.Write([]byte("\x00" + system + "\x00" + user))
	return rand.New(rand.NewChaCha8([32]byte(h.Sum(nil))))
}

// A writer writes one answer.
type writer struct {
	model  *Model
	prompt *prompt
	v      *Vocabulary // nil for a target that no vocabulary describes
	r      *rand.Rand
	heat   float64 // the temperature: how far constants move
	slip   slip
	// foreign is the import of a module that no task allows, for slipForeign.
	foreign string
}

// vocabulary finds the vocabulary for the target, and the shapes of the helpers by it. A
// prompt that shows no function is about the target that it names, or about the task whose
// phrases it uses.
func (w *writer) vocabulary() {
	p := w.prompt
	if p.target.name == "" {
		w.v = w.mentioned()
		if w.v != nil {
			p.target, _ = readFunction(w.v.Header + "\n    pass")
			p.target.body = nil
		}
		return
	}
	w.v = w.model.vocabularies[base(p.target.name)]
	if w.v == nil {
		return
	}
	for i := range p.eaps {
		p.eaps[i].shape = w.v.shapeOf(p.eaps[i].function)
	}
}

// mentioned is the vocabulary that a prompt without code is about, nil when none is.
func (w *writer) mentioned() *Vocabulary {
	var best *Vocabulary
	most := 0
	for _, target := range slices.Sorted(maps.Keys(w.model.vocabularies)) {
		w.v = w.model.vocabularies[target]
		count := len(w.hints())
		if strings.Contains(w.prompt.prose, strings.ToLower(target)) {
			count += 100
		}
		if count > most {
			best, most = w.v, count
		}
	}
	return best
}

// reply writes the answer in the form that the prompt asks for.
func (w *writer) reply() string {
	w.slip = w.model.rates.draw(w.prompt, w.r.Float64())
	if w.prompt.refusal != "" && w.slip == noSlip && !chance(w.r, w.model.rates.Repaired) {
		w.slip = w.again()
	}
	switch w.prompt.answer {
	case answerFunctions, answerFunction:
		return w.helpers()
	case answerText, answerSentence:
		return w.words()
	case answerRanges:
		return w.ranges()
	}
	return w.program()
}

// again is the slip that a failed repair makes: the same kind of fault as before.
func (w *writer) again() slip {
	switch w.prompt.answer {
	case answerProgram, answerCode:
		if len(w.prompt.eaps) > 0 && w.prompt.contract.stated() {
			return slipContract
		}
		return slipUnparsable
	case answerFunctions, answerFunction:
		if strings.Contains(strings.ToLower(w.prompt.refusal), "docstring") {
			return slipNoDocstring
		}
		return slipUnparsable
	}
	return noSlip
}
