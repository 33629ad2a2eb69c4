package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/aymanbagabas/go-udiff"
	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report"
	"github.com/pacebench/pacebench/suite"
)

func (c *console) inspectCommand() *cli.Command {
	files := &fileNames{}
	return command(cli.Command{
		Name:        "inspect",
		Usage:       "look inside a run: its improvements, a program, why it got stuck",
		Description: "pacebench inspect runs/tsp-construct/pace/offline/1 --why",
		ArgsUsage:   "RUN|BUNDLE:RUN [EVALUATION]",
		Flags: []cli.Flag{
			files.taskFlag(), files.methodFlag(),
			&cli.BoolFlag{Name: "why", Usage: "show when and how the search stopped improving"},
			&cli.BoolFlag{Name: "texts", Usage: "with EVALUATION: also show prompts and replies"},
			&cli.BoolFlag{Name: "diff", Usage: "with EVALUATION: show the changes from each " +
				"parent instead of the program"},
			&cli.BoolFlag{Name: "json", Usage: "print everything as JSON"},
		},
	}, 1, 2, func(cc *cli.Context) error {
		o, err := c.optionsWith(cc, files)
		if err != nil {
			return err
		}
		return opened(cc.Context, cc.Args().Slice()[:1], func(in *input) error {
			return c.inspect(cc, o, in)
		})
	})
}

func (c *console) inspect(cc *cli.Context, o suite.Options, in *input) error {
	dir := in.dirs[0]
	d, err := results.Open(suite.Decoders(), dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, results.ErrNoRun),
		errors.Is(err, syscall.ENOTDIR):
		return noRun(dir, err)
	case err != nil:
		return suite.Located(dir, err)
	case !d.Run.Journal:
		advice := "restore journal.jsonl from a copy"
		if suite.IsBaseline(d.Run.Header) {
			advice = "baselines have no journal; pacebench report shows their scores"
		}
		return hint.Add(usagef("%s: the result has no journal to inspect", dir), advice)
	}
	d.Run.Shown = in.rename(dir)
	i := &inspection{Detail: d, out: c.out, labels: labels(o.Files)}
	if cc.NArg() < 2 {
		switch {
		case cc.Bool("texts") || cc.Bool("diff"):
			return hint.Add(usagef("--texts and --diff need one EVALUATION"),
				"pacebench inspect RUN EVALUATION")
		case cc.Bool("why") && cc.Bool("json"):
			return i.json(d.Why())
		case cc.Bool("json"):
			return i.json(d)
		case cc.Bool("why"):
			return i.why()
		}
		return i.overview()
	}
	word := cc.Args().Get(1)
	n, err := strconv.Atoi(word)
	p := d.Program(n)
	switch {
	case cc.Bool("why"):
		return usagef("--why is for a whole run; leave out %s", word)
	case err != nil:
		return usagef("EVALUATION %q: must be a number", word)
	case p == nil:
		if d.Run.Evaluations == 0 {
			return usagef("%s has no evaluation yet", dir)
		}
		if d.Run.Trained() { // its policies have numbers such as 50, 100, …
			return usagef("%s has no policy after %d %s", dir, n, d.Run.Header.Unit)
		}
		return usagef("%s has no evaluation %d; its evaluations are 1 to %d",
			dir, n, d.Run.Evaluations)
	case cc.Bool("json"):
		return i.json(struct {
			*results.Program
			Exchanges []results.Exchange `json:"exchanges,omitempty"`
			Notes     []results.Note     `json:"remarks,omitempty"`
		}{p, d.StepOf(p).Exchanges, d.StepOf(p).Notes})
	}
	return i.program(p, cc.Bool("texts"), cc.Bool("diff"))
}

func noRun(dir string, err error) error {
	runs, _, walk := results.RunDirs(dir)
	switch {
	case walk != nil:
		return hint.Add(usage(walk), hintRun)
	case len(runs) > 0 && runs[0] != filepath.Clean(dir):
		return hint.Add(usagef("%s: not a run, but a directory of runs", dir),
			"name one of them, such as "+runs[0])
	}
	return hint.Add(usagef("%s: %w", dir, err), hintRun)
}

type inspection struct {
	*results.Detail
	out    io.Writer
	labels report.Labels
}

func (i *inspection) json(v any) error {
	e := json.NewEncoder(i.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func (i *inspection) say(format string, args ...any) { fmt.Fprintf(i.out, format+"\n", args...) }

func (i *inspection) number(v *float64) string {
	if v == nil {
		return "–"
	}
	return strconv.FormatFloat(*v, 'f', i.labels.Digits(i.Run.Header.Task)+2, 64)
}

// overview prints the run's conditions, its counts, and every improvement of the best so far.
func (i *inspection) overview() error {
	r := i.Run
	state := "under way or interrupted"
	if r.Finished() {
		state = "finished: " + r.Result.Stopped
	}
	i.say("%s", r.Path(""))
	i.say("%s, seed %d, %s; %s",
		i.labels.RunTitle(r), r.Header.Seed, results.Models(r.Header.Models), state)
	i.say("%d of %s, %s, %d tokens", r.Evaluations, counted(r.Header.Budget, "evaluation"),
		counted(r.Asked, "request"), r.Tokens().Total())
	i.say("faults: %s", orNone(faultCounts(r.Faults)))
	i.refusals()
	if r.Doubtful > 0 {
		i.say("doubtful evaluations, near their time limit: %d", r.Doubtful)
	}
	for _, w := range r.Warnings {
		if w.Reason != r.Refused.String() { // printed above
			i.say("note: %s", w.Reason)
		}
	}
	i.say("\nThe best so far changed %s:", times(len(r.Curve)))
	for _, c := range r.Curve {
		if p := i.Program(c.Evaluation); p != nil {
			i.say("  %5d  %s  %s", c.Evaluation, i.number(&c.Value), i.origin(p))
		}
	}
	i.say("\ninspect RUN EVALUATION shows a program; --why shows how the search got stuck.")
	return nil
}

func (i *inspection) refusals() {
	if l := i.Run.Refused; l.Total() > 0 {
		i.say("%s", l)
		if 2*l.Total() >= l.Of {
			i.say("  %s", l.Cure())
		}
	}
}

// origin names the operator that made a program, the program's parents and its EAP.
func (i *inspection) origin(p *results.Program) string {
	s := p.Operator
	if len(p.Parents) > 0 {
		s += " of " + list(p.Parents, 5)
	}
	if p.Focus != nil {
		if name, known := i.eap(*p.Focus); known {
			s += ", EAP " + name
		}
	}
	return s
}

// eap returns the name of an EAP that the run admitted.
func (i *inspection) eap(id int) (name string, known bool) {
	if id < 0 || id >= len(i.Run.EAPs) {
		return "", false
	}
	return i.Run.EAPs[id].Name, true
}

func (i *inspection) program(p *results.Program, texts, diff bool) error {
	i.say("evaluation %d (step %d): %s", p.Evaluation, p.Step, i.origin(p))
	switch {
	case p.Fault != nil:
		i.say("fault: %s: %s", p.Fault.Kind, p.Fault.Detail)
	case p.Best:
		i.say("value: %s, the best so far", i.number(p.Value))
	default:
		i.say("value: %s", i.number(p.Value))
	}
	if p.Doubtful {
		i.say("doubtful: it ended near the time limit; on another machine the outcome may differ")
	}
	if len(p.Values) > 1 {
		var all []string
		for _, v := range p.Values {
			all = append(all, i.number(&v))
		}
		i.say("instances: %s", strings.Join(all, " "))
	}
	if p.Twin > 0 {
		i.say("the same source as evaluation %d", p.Twin)
	}
	for _, id := range p.Calls {
		if name, known := i.eap(id); known {
			i.say("calls EAP %d: %s", id, name)
		}
	}
	i.say("ancestors: %s", list(i.Ancestors(p.Evaluation)[1:], 12))
	i.say("children: %s; descendants: %d", list(p.Children, 12), len(i.Descendants(p.Evaluation)))
	i.say("%d tokens, %.3f s of evaluation", p.Tokens, p.Seconds)
	step := i.StepOf(p)
	for n, x := range step.Exchanges {
		if x.Refused != "" {
			i.say("reply %d was refused: %s", n+1, x.Refused)
		}
	}
	if p.Idea != "" {
		i.say("idea: %s", p.Idea)
	}
	if texts {
		for n, x := range step.Exchanges {
			i.text(fmt.Sprintf("request %d, %s", n+1, x.Purpose),
				strings.TrimSpace(x.System+"\n\n"+promptText(x)))
			i.text(fmt.Sprintf("reply %d, %s", n+1, x.Reply.Model), x.Reply.Text)
		}
	}
	if diff && len(p.Parents) > 0 {
		for _, e := range p.Parents {
			if q := i.Program(e); q != nil {
				i.text(fmt.Sprintf("from %d to %d", e, p.Evaluation),
					udiff.Unified(strconv.Itoa(e), strconv.Itoa(p.Evaluation), q.Source, p.Source))
			}
		}
		return nil
	}
	i.text("program", p.Source)
	return nil
}

func (i *inspection) text(title, body string) {
	i.say("\n── %s", title)
	i.say("%s", strings.TrimRight(body, "\n"))
}

// promptText returns a prompt as text, with the digests of its images.
func promptText(x results.Exchange) string {
	var parts []string
	for _, p := range x.User {
		if p.Image != nil {
			parts = append(parts, "[image "+p.Image.Digest+"]")
		} else {
			parts = append(parts, p.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// why prints when the search stopped improving, and compares the programs up to the best program
// with the later programs. It also describes a search that is still improving or has no score.
func (i *inspection) why() error {
	w := i.Why()
	if w.Best == 0 {
		if len(i.Run.Faults) == 0 {
			i.say("No program has been evaluated yet.")
		} else {
			i.say("No program has a score: %s.", faultCounts(i.Run.Faults))
		}
		i.refusals()
		return nil
	}
	rest := w.Evaluations - w.Best
	i.say("The best program, %s, is evaluation %d of %d; the best so far changed %s.",
		i.number(&w.Value), w.Best, w.Evaluations, times(w.Improved))
	if rest == 0 {
		i.say("It is the last evaluation: the search was still improving.")
		return nil
	}
	i.refusals()
	i.say("%s after it (%s of the run) found nothing better.",
		counted(rest, "evaluation"), share(rest, w.Evaluations))
	a, b := w.After, w.Before
	i.say("")
	i.say("%-44s %14s %14s", "", "up to the best", "after it")
	row := func(name string, before, of, after, ofAfter int) {
		i.say("%-44s %14s %14s", name, count(before, of), count(after, ofAfter))
	}
	row("programs evaluated", b.Programs, 0, a.Programs, 0)
	row("  that failed", b.Faults, b.Programs, a.Faults, a.Programs)
	row("  with the source of an earlier program", b.Twins, b.Programs, a.Twins, a.Programs)
	row("  new source, score of an earlier program", b.Alike, b.Programs, a.Alike, a.Programs)
	row("  better than their first parent", b.Better, b.Programs, a.Better, a.Programs)
	row("proposals without a program", b.Refused, b.Steps, a.Refused, a.Steps)
	for _, o := range w.Operators {
		row("better than the first parent: "+o.Name,
			o.Before.Better, o.Before.Programs, o.After.Better, o.After.Programs)
	}
	if a.Trials+b.Trials > 0 {
		row("EAP trials better than the first parent", b.Gains, b.Trials, a.Gains, a.Trials)
	}
	var used, failed int
	for _, e := range w.EAPs {
		if e.After.Trials > 0 {
			used++
			if e.After.Gains == 0 {
				failed++
			}
		}
	}
	if used > 0 {
		i.say("\nEAPs tried after the best program: %d. "+
			"Of these, %d never gave a program better than its first parent.", used, failed)
	}
	for _, reason := range reasons(w) {
		i.say("%s", reason)
	}
	return nil
}

// reasons names what changed after the last improvement, by a fixed rule: it names a share that at
// least doubled and is now a fifth or more. It also says if fewer than 5 % of at least 20 later
// programs are better than their first parent.
func reasons(w results.Why) []string {
	var out []string
	rule := func(text string, before, of, after, ofAfter int) {
		if ofAfter == 0 || 5*after < ofAfter {
			return
		}
		if of == 0 || after*of >= 2*before*ofAfter {
			out = append(out, fmt.Sprintf("%s: %s after the best program, %s before.", text,
				share(after, ofAfter), share(before, of)))
		}
	}
	a, b := w.After, w.Before
	rule("More programs fail", b.Faults, b.Programs, a.Faults, a.Programs)
	rule("More programs repeat an earlier source", b.Twins, b.Programs, a.Twins, a.Programs)
	rule("More programs repeat an earlier score", b.Alike, b.Programs, a.Alike, a.Programs)
	rule("More proposals give no program", b.Refused, b.Steps, a.Refused, a.Steps)
	if a.Programs >= 20 && 100*a.Better < 5*a.Programs {
		out = append(out, fmt.Sprintf(
			"Hardly any child is better than its parent: %s after the best program, %s before.",
			share(a.Better, a.Programs), share(b.Better, b.Programs)))
	}
	if len(out) > 0 {
		out = append([]string{"\nWhat stands out:"}, out...)
	}
	return out
}

// faultCounts lists faults by kind: "nonfinite 8, raised 39".
func faultCounts(faults map[record.FaultKind]int) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(faults)) {
		parts = append(parts, fmt.Sprintf("%s %d", kind, faults[kind]))
	}
	return strings.Join(parts, ", ")
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// share formats a part as a percentage, or as a dash if the whole is 0.
func share(part, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(of))
}

// count formats a number with its share of another number.
func count(n, of int) string {
	if of == 0 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d (%s)", n, share(n, of))
}

func list(ns []int, most int) string {
	var parts []string
	for _, n := range ns[:min(most, len(ns))] {
		parts = append(parts, strconv.Itoa(n))
	}
	if len(ns) > most {
		parts = append(parts, fmt.Sprintf("and %d more", len(ns)-most))
	}
	return orNone(strings.Join(parts, ", "))
}
