package offline

import (
	"slices"
	"strconv"
	"strings"
)

// features lists what a program's outputs rest on, in the vocabulary's noun phrases.
func (v *Vocabulary) features(body []statement) []string {
	read := map[string]bool{}
	for _, s := range body {
		for _, n := range s.reads {
			read[unnumbered(n)] = true
		}
	}
	var list []string
	text := bodyText(body)
	for i := range v.Outputs {
		for _, t := range v.Outputs[i].Terms {
			d, defined := v.definition(t.Code)
			start, _, _ := strings.Cut(t.Code, "@{")
			found := defined && read[d.Name] || !defined && len(start) > 8 && strings.Contains(text, start)
			if found && !slices.Contains(list, t.Says) {
				list = append(list, t.Says)
			}
		}
	}
	for _, n := range []string{"here", "inverse"} {
		if d, ok := v.definition(n); ok && read[n] && !slices.Contains(list, d.Says) {
			list = slices.Insert(list, 0, d.Says)
		}
	}
	return list
}

// sentence describes a draft.
func (w *writer) sentence(d *draft) string {
	features := w.v.features(d.body)
	// Features that others are computed from are not worth a word each.
	if len(features) > 4 {
		features = append(features[:1:1], features[len(features)-3:]...)
	}
	if len(features) == 0 {
		features = []string{"a simple rule"}
	}
	text := pick(w.r, []string{"Rank " + w.v.Subject + " by ", "Score " + w.v.Subject + " with ", "Rate " + w.v.Subject + " by a combination of ", "Weigh "}) + list(features)
	var names []string
	for _, h := range w.prompt.eaps {
		if len(d.calls([]string{h.name})) > 0 {
			names = append(names, h.name)
		}
	}
	if len(names) > 0 {
		text += ", helped by " + list(names)
	}
	if d.outputs != nil {
		if says := w.v.known(d.body[min(d.front()+1, d.tail()):d.tail()], w.v.Shifts); says != "" {
			text += ", where the rule " + says
		}
		if says := w.v.known(d.body[d.tail():], w.v.Closings); says != "" {
			text += ", " + says
		}
	}
	return text + "."
}

// known says what statements do that stem from one of the phrases; empty when none is recognised.
func (v *Vocabulary) known(body []statement, phrases []Phrase) string {
	text := ""
	for _, s := range body {
		text += s.code() + "\n"
	}
	for _, p := range phrases {
		start, _, _ := strings.Cut(p.Code, "@{")
		if p.Says != "" && len(start) > 8 && strings.Contains(text, start) {
			return p.Says
		}
	}
	return ""
}

// list joins words as in a sentence.
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func sentenceCase(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// hints lists the terms that the prompt's prose mentions outside the thoughts of programs, as
// reflections do.
func (w *writer) hints() []string {
	if w.v == nil {
		return nil
	}
	prose := withoutThoughts(w.prompt.prose)
	var hints []string
	for i := range w.v.Outputs {
		for _, t := range w.v.Outputs[i].Terms {
			if strings.Contains(prose, strings.ToLower(t.Says)) && !slices.Contains(hints, t.Says) {
				hints = append(hints, t.Says)
			}
		}
	}
	return hints
}

func withoutThoughts(prose string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(prose, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, prose, _ = strings.Cut(rest, "}")
	}
}

// words answers a request for prose.
func (w *writer) words() string {
	p := w.prompt
	if p.answer == answerSentence || len(p.parents) == 1 && strings.Contains(p.prose, "describe") {
		text := w.describe()
		if p.answer == answerSentence || strings.Contains(p.prose, "brace") {
			text = "{" + text + "}"
		}
		return text
	}
	switch {
	case strings.Contains(p.prose, "analysis") && strings.Contains(p.prose, "experience"):
		good, bad := w.contrast()
		return "**Analysis:**\n" + analysis(good, bad) + "\n\n**Experience:**\n" + w.limited(w.advice(good, bad), 55)
	case strings.Contains(p.prose, "keywords") && strings.Contains(p.prose, "avoid"):
		good, bad := w.contrast()
		return "- Keywords: " + strings.Join(firstWords(good, 4), ", ") + "\n- Advice: " + w.limited(w.advice(good, bad), 40) +
			"\n- Avoid: large weights and terms that cancel each other\n- Explanation: small weights on few terms keep the first choice and settle close calls"
	}
	limit := p.words
	if limit == 0 {
		limit = 60
	}
	good, bad := w.contrast()
	return w.limited(w.advice(good, bad), limit-1)
}

// describe says what the last program shown does.
func (w *writer) describe() string {
	p := w.prompt
	if w.v == nil || len(p.parents) == 0 {
		return "Apply a simple rule to the inputs and return its result."
	}
	d := w.newDraft()
	d.adopt(p.parents[len(p.parents)-1].target)
	text := w.sentence(d)
	if found := constants(bodyText(d.body)); len(found) > 0 && chance(w.r, 0.6) {
		text = strings.TrimSuffix(text, ".") + ", with " + plural(len(found), "tuned constant") + "."
	}
	return text
}

func plural(n int, noun string) string {
	if n == 1 {
		return "one " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

func bodyText(body []statement) string {
	var b strings.Builder
	for _, s := range body {
		b.WriteString(s.text + "\n")
	}
	return b.String()
}

// contrast lists the features of the better programs shown that the worse ones lack, and the
// other way round. A prompt says which is which by the words better and worse, or by an order
// from best to worst. Phrases of earlier reflections count as good.
func (w *writer) contrast() (good, bad []string) {
	p := w.prompt
	if w.v == nil {
		return []string{"a simple rule"}, nil
	}
	half := (len(p.parents) + 1) / 2
	var better, worse []string
	for i, q := range p.parents {
		features := w.v.features(q.target.body)
		top := i < half
		if strings.Contains(q.label, "better") {
			top = true
		} else if strings.Contains(q.label, "worse") {
			top = false
		}
		if top {
			better = append(better, features...)
		} else {
			worse = append(worse, features...)
		}
	}
	better = append(better, w.hints()...)
	for _, f := range better {
		if !slices.Contains(worse, f) && !slices.Contains(good, f) {
			good = append(good, f)
		}
	}
	for _, f := range worse {
		if !slices.Contains(better, f) && !slices.Contains(bad, f) {
			bad = append(bad, f)
		}
	}
	for len(good) == 0 {
		if says := pick(w.r, w.v.Outputs[0].Terms).Says; !slices.Contains(bad, says) {
			good = append(good, says)
		}
	}
	w.r.Shuffle(len(good), func(i, j int) { good[i], good[j] = good[j], good[i] })
	return good, bad
}

// advice is a reflection.
func (w *writer) advice(good, bad []string) string {
	text := pick(w.r, []string{"Use ", "Favour ", "Build on ", "Add "}) + list(firstWords(good, 2)) + "."
	if len(bad) > 0 {
		text += " Rely less on " + bad[0] + "."
	}
	return text + pick(w.r, []string{" Keep weights small.", " Let weights depend on progress.", " Tune few constants at a time.", " Combine few terms."})
}

func firstWords(items []string, n int) []string { return items[:min(n, len(items))] }

// limited cuts a text to a number of words.
func (w *writer) limited(text string, words int) string {
	fields := strings.Fields(text)
	if len(fields) <= words {
		return text
	}
	return strings.TrimRight(strings.Join(fields[:max(1, words)], " "), ",.;") + "."
}

// analysis compares the programs shown, best first.
func analysis(good, bad []string) string {
	lines := []string{"Comparing the best with the worst, the best rests on " + list(firstWords(good, 3)) + "."}
	if len(bad) > 0 {
		lines = append(lines, "The weaker ones spend their effort on "+list(firstWords(bad, 2))+".")
	}
	lines = append(lines, "Between neighbours in the ranking mostly constants differ; overall, fewer and better weighted terms win.")
	return strings.Join(lines, "\n")
}
