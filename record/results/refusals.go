package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
)

// Refusals counts, by kind, the replies of a run that contain no program.
type Refusals struct {
	Of    int            // replies to prompts that ask for a program
	Kinds map[string]int // by RefusalOf, or "refused" for code that the method refused
}

// Kinds of refusals that package program does not define.
const (
	cutOff   = "cut at the limit on tokens"
	tool     = "a tool call"
	filtered = "stopped by a content filter"
	refused  = "refused"
)

// RefusalOf returns the kind of refusal of a reply without a function definition; "" if the reply
// has a definition.
func RefusalOf(r llm.Reply) string {
	lacks := program.Lacks(r.Text)
	switch {
	case lacks == "":
		return ""
	case r.Finish == "length", r.Finish == "max_tokens", r.Finish == "MAX_TOKENS":
		return cutOff
	case r.Finish == llm.FinishTool, r.Finish == "function_call":
		return tool
	case r.Finish == "content_filter":
		return filtered
	case r.Finish == llm.FinishThinking:
		return program.Thinking
	}
	return lacks
}

// cures say what to change for each kind of refusal.
var cures = map[string]string{
	program.Empty: "try the model by hand, and check that the server uses this model's chat " +
		"template",
	cutOff: "raise the limit with --set max-tokens=N and --max-tokens, or let the model think " +
		"less (reasoning_effort in models.toml)",
	program.Thinking: "the server's reasoning parser takes the whole reply for reasoning: choose " +
		"the parser for this model, or no parser, or raise the limit on tokens",
	tool:         "start the server without a tool parser; pacebench offers no tools",
	program.Diff: "this model replies with edits instead of a whole function: use another model",
	program.NoCode: "this model does not follow the format of the reply: use a larger or an " +
		"instruction-tuned model",
	filtered: "the server's content filter refuses prompts or replies: use another server or model",
	refused:  "pacebench export writes the reasons into requests.csv, column refused",
}

// Add counts a reply of a kind.
func (l *Refusals) Add(kind string) {
	if l.Kinds == nil {
		l.Kinds = map[string]int{}
	}
	l.Kinds[kind]++
}

// Total returns the number of replies without a program.
func (l Refusals) Total() (n int) {
	for _, k := range l.Kinds {
		n += k
	}
	return n
}

// String returns, for example, "60 of 60 replies without a program: 55 empty, 5 no function"; ""
// for no refusals.
func (l Refusals) String() string {
	if l.Total() == 0 {
		return ""
	}
	var parts []string
	for _, kind := range l.byNumber() {
		parts = append(parts, fmt.Sprintf("%d %s", l.Kinds[kind], kind))
	}
	return fmt.Sprintf("%d of %d replies without a program: %s",
		l.Total(), l.Of, strings.Join(parts, ", "))
}

// Cure returns advice on the most frequent kind.
func (l Refusals) Cure() string {
	if kinds := l.byNumber(); len(kinds) > 0 {
		return cures[kinds[0]]
	}
	return ""
}

func (l Refusals) byNumber() []string {
	return slices.SortedFunc(maps.Keys(l.Kinds), func(a, b string) int {
		return cmp.Or(cmp.Compare(l.Kinds[b], l.Kinds[a]), cmp.Compare(a, b))
	})
}

// refusals counts the replies of all steps that asked for a program, and how many of them were
// refused.
func (d *Detail) refusals() (l Refusals) {
	for _, s := range d.Steps {
		for i, x := range s.Exchanges {
			if x.Purpose.Role() != "algorithm" && x.Refused == "" {
				continue
			}
			l.Of++
			last := i == len(s.Exchanges)-1 && s.Operator != "" && len(s.Programs) == 0
			if !s.Consulted && (x.Refused != "" || last) {
				l.Add(cmp.Or(RefusalOf(x.Reply), refused))
			}
		}
	}
	return l
}
