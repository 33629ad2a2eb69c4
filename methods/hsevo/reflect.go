package hsevo

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
)

// A flash is a flash reflection, split into its two parts.
type flash struct{ analysis, experience string }

// reflect asks for the generation's two reflections. A reply without text changes nothing.
func (r *run) reflect(ctx context.Context, pairs []pair) error {
	// A program that was drawn often is listed often (design decision H20).
	var ranked []*Individual
	for _, p := range pairs {
		ranked = append(ranked, p.better, p.worse)
	}
	slices.SortStableFunc(ranked, byObjective)
	text, err := r.consult(ctx, flashPrompt(ranked))
	if err != nil {
		return err
	}
	if text != "" {
		r.flash = parseFlash(text)
	}
	text, err = r.consult(ctx, comprehensivePrompt(r.flash.experience, r.good, r.bad))
	if err != nil {
		return err
	}
	if text != "" {
		r.comprehensive = strings.TrimSpace(r.ExternalKnowledge + "\n" + text)
	}
	return nil
}

func (r *run) consult(ctx context.Context, q llm.Request) (string, error) {
	return bench.Consult(ctx, r.s, func(ctx context.Context, st *bench.Step) (string, error) {
		reply, err := r.at(r.Temperature).Ask(ctx, st, q)
		return strings.TrimSpace(program.Words(reply)), err
	})
}

// judge adds the experience of the newest flash reflection to the good or the bad experience.
func (r *run) judge(better bool) {
	list := &r.bad
	if better {
		list = &r.good
	}
	if r.flash.experience != "" {
		*list = append(*list, r.flash.experience)
	}
	r.s.Note(Verdict{r.generation, better})
}

var (
	analysisMarker   = marker("analysis")
	experienceMarker = marker("experience")
)

// marker matches a heading of a flash reflection: in bold anywhere, or at the beginning of a line
// if a colon follows or the line ends.
func marker(word string) *regexp.Regexp {
	return regexp.MustCompile(`(?im)\*\*[ \t]*` + word +
		`[ \t]*:?[ \t]*\*\*[ \t]*:?|^[ \t#>*_.\d-]*` + word + `[ \t*_]*(:[*_]*|$)`)
}

// parseFlash splits a flash reflection. The official code looks for two literal headings in bold
// and cuts at arbitrary places if one is missing. parseFlash takes a reply without a heading for
// its experience as experience only (design decision H13).
func parseFlash(text string) flash {
	var f flash
	start := 0
	if at := analysisMarker.FindStringIndex(text); at != nil {
		start = at[1]
	}
	at := experienceMarker.FindStringIndex(text[start:])
	if at == nil {
		return flash{experience: strings.TrimSpace(text)}
	}
	if start > 0 {
		f.analysis = strings.TrimSpace(text[start : start+at[0]])
	}
	f.experience = strings.TrimSpace(text[start+at[1]:])
	return f
}
