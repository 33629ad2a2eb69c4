package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/offline/pytext"
)

func (w *writer) words() string {
	p := w.prompt
	says := func(words ...string) bool { return containsAny(p.prose, words...) }
	if p.answer == answerSentence || len(p.parents) == 1 && says("describe") {
		if p.answer == answerSentence || says("brace") {
			return "{" + w.describe() + "}"
		}
		return w.describe()
	}
	good, bad := w.contrast()
	switch {
	case says("analysis") && says("experience"):
		return "**Analysis:**\n" + analysis(good, bad) + "\n\n**Experience:**\n" +
			limited(w.advice(good, bad), 55)
	case says("keywords") && says("avoid"):
		return "- Keywords: " + strings.Join(good[:min(4, len(good))], ", ") +
			"\n- Advice: " + limited(w.advice(good, bad), 40) +
			"\n- Avoid: large weights and terms that cancel each other" +
			"\n- Explanation: small weights on few terms keep the first choice " +
			"and settle close calls"
	case p.words > 0:
		return limited(w.advice(good, bad), p.words-1)
	}
	return w.advice(good, bad)
}

func (v knowledge) features(body []pytext.Statement) []string {
	text, read := pytext.Text(body), map[string]bool{}
	for _, s := range body {
		for _, n := range s.Reads {
			read[unnumbered(n)] = true
		}
	}
	var list []string
	for _, o := range v.Outputs {
		for _, t := range slices.Concat(o.Main, o.Terms) {
			_, isFeature := v.definition(t.Code)
			if !slices.Contains(list, t.Says) && (read[t.Code] && isFeature || in(t, text)) {
				list = append(list, t.Says)
			}
		}
	}
	return list
}

// in reports whether a text contains the start of a phrase, up to its first slot. If a phrase
// begins with a slot, the text must contain all its parts between slots, in order.
// The start, or the longest part, must have more than 8 characters, because shorter texts match by
// chance.
func in(p bench.Phrase, text string) bool {
	start, rest, slot := strings.Cut(p.Code, "@{")
	if start != "" {
		return len(start) > 8 && strings.Contains(text, start)
	}
	most, found := 0, true
	for slot && found {
		_, rest, _ = strings.Cut(rest, "}")
		start, rest, slot = strings.Cut(rest, "@{")
		_, text, found = strings.Cut(text, start)
		most = max(most, len(start))
	}
	return found && most > 8
}

func (w *writer) sentence(d *draft) string {
	features := w.v.features(d.body)
	if len(features) == 0 {
		features = []string{"a simple rule"}
	}
	if n := len(features); n > 4 { // keep the first and the last three
		features = append(features[:1:1], features[n-3:]...)
	}
	ways := []string{"Rank %s by ", "Score %s with ", "Rate %s by a combination of "}
	if len(w.v.Outputs) > 1 {
		ways = []string{"Set %s by ", "Control %s with ", "Derive %s from "}
	}
	text := pick(w.r, ways)
	text = fmt.Sprintf(text, w.v.Subject) + enumerate(features)
	unused := func(n string) bool { return !d.calls(n) }
	if called := slices.DeleteFunc(names(w.prompt.eaps), unused); len(called) > 0 {
		text += ", helped by " + enumerate(called)
	}
	if len(d.outputs) > 0 {
		if says := known(d.body[:d.tail()], w.v.Shifts); says != "" {
			text += ", where the rule " + says
		}
		if says := known(d.body[d.tail():], w.v.Closings); says != "" {
			text += ", " + says
		}
	}
	return text + "."
}

// known describes statements by the last phrase that they contain.
func known(body []pytext.Statement, phrases []bench.Phrase) string {
	text := pytext.Text(body)
	for _, p := range slices.Backward(phrases) {
		if in(p, text) {
			return p.Says
		}
	}
	return ""
}

func enumerate(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// hints lists the terms that the prompt's prose mentions outside the thoughts of programs, for
// example in reflections.
func (w *writer) hints() []bench.Phrase { return w.v.mentioned(w.prompt.prose) }

func (v knowledge) mentioned(prose string) []bench.Phrase {
	var outside strings.Builder
	for rest, found := prose, true; found; {
		var before string
		before, rest, found = strings.Cut(rest, "{")
		outside.WriteString(before)
		_, rest, _ = strings.Cut(rest, "}")
	}
	prose = outside.String()
	return slices.DeleteFunc(v.terms(), func(t bench.Phrase) bool {
		return !strings.Contains(prose, strings.ToLower(t.Says))
	})
}

func (v knowledge) terms() (list []bench.Phrase) {
	for _, o := range v.Outputs {
		list = append(list, o.Terms...)
	}
	return list
}

func (w *writer) describe() string {
	p, d := w.prompt, w.newDraft()
	if len(p.parents) == 0 {
		return "Apply a simple rule to the inputs and return its result."
	}
	d.take(p.parents[len(p.parents)-1].Function)
	text, n := w.sentence(d), 0
	replaceConstants(pytext.Text(d.body), func(text string, _ float64, _ bool) string {
		n++
		return text
	})
	if n > 1 && chance(w.r, 0.6) {
		text = strings.TrimSuffix(text, ".") + fmt.Sprintf(", with %d tuned constants.", n)
	}
	return text
}

// contrast lists the features that only the better programs of the prompt have, and the features
// that only the worse programs have. A prompt ranks programs by the words better and worse, or by
// an order from best to worst. Terms of earlier reflections count as good.
func (w *writer) contrast() (good, bad []string) {
	var better, worse []string
	for i, q := range w.prompt.parents {
		top := i < (len(w.prompt.parents)+1)/2
		if features := w.v.features(q.Body); containsAny(q.label, "better") ||
			top && !containsAny(q.label, "worse") {
			better = append(better, features...)
		} else {
			worse = append(worse, features...)
		}
	}
	for _, t := range w.hints() {
		better = append(better, t.Says)
	}
	without := func(list, other []string) []string {
		list = slices.Compact(slices.Sorted(slices.Values(list)))
		return slices.DeleteFunc(list, func(f string) bool { return slices.Contains(other, f) })
	}
	good, bad = without(better, worse), without(worse, better)
	if len(good) == 0 {
		good = []string{"a simple rule"}
		if terms := w.v.terms(); len(terms) > 0 {
			good[0] = pick(w.r, terms).Says
		}
	}
	w.r.Shuffle(len(good), func(i, j int) { good[i], good[j] = good[j], good[i] })
	return good, bad
}

func (w *writer) advice(good, bad []string) string {
	text := pick(w.r, []string{"Use ", "Favour ", "Build on ", "Add "}) +
		enumerate(good[:min(2, len(good))]) + "."
	if len(bad) > 0 {
		text += " Rely less on " + bad[0] + "."
	}
	return text + pick(w.r, []string{" Keep weights small.", " Let weights depend on progress.",
		" Tune few constants at a time.", " Combine few terms."})
}

func limited(text string, words int) string {
	fields := strings.Fields(text)
	if len(fields) <= words {
		return text
	}
	return strings.TrimRight(strings.Join(fields[:max(1, words)], " "), ",.;") + "."
}

func analysis(good, bad []string) string {
	text := "Comparing the best with the worst, the best rests on " +
		enumerate(good[:min(3, len(good))]) + ".\n"
	if len(bad) > 0 {
		text += "The weaker ones spend their effort on " + enumerate(bad[:min(2, len(bad))]) + ".\n"
	}
	return text + "Between neighbours in the ranking mostly constants differ; overall, fewer and " +
		"better weighted terms win."
}
