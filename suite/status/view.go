package status

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// view returns the display: a line for each active run, and one or two lines for all runs.
func (b *Board) view(now time.Time) view {
	return func(width, height int, colour bool) []string {
		runs := b.running()
		more := 0
		all := b.overallLines(now, width, min(2, height-len(runs)), colour)
		if room := max(0, height-len(all)); len(runs) > room {
			more = len(runs) - max(0, room-1)
			runs = runs[:len(runs)-more]
		}
		spare := height - len(all) - len(runs)
		if more > 0 {
			spare = 0
		}
		lines := table(runs, now, width, spare, colour)
		if more > 0 && height > 1 {
			lines = append(lines, paint(faint, fmt.Sprintf("+%d more", more), colour))
		}
		return append(lines, all...)
	}
}

func (b *Board) running() []*Line {
	return slices.DeleteFunc(slices.Clone(b.lines), func(l *Line) bool {
		return l.begun.IsZero() || !l.ended.IsZero()
	})
}

// The columns of the table, in order. If a window is too narrow, table first leaves out the tokens,
// and then shortens the names.
const (
	colName = iota
	colEvaluations
	colBest
	colTokens
	columns
)

// room is the least width for a run's activity. nameRoom is the least width for its name.
const (
	room     = 24
	nameRoom = 10
	gap      = 2
)

// table shows one line for each run: its columns, then its activity. While there are spare lines,
// long activities continue on a line of their own.
func table(runs []*Line, now time.Time, width, spare int, colour bool) []string {
	rows := make([][columns]string, len(runs))
	var widths [columns]int
	for i, l := range runs {
		rows[i] = l.columns()
		for k, text := range rows[i] {
			widths[k] = max(widths[k], ansi.StringWidth(text))
		}
	}
	over := room - width
	for _, w := range widths {
		if w > 0 {
			over += w + gap
		}
	}
	if w := widths[colTokens]; over > 0 && w > 0 {
		over, widths[colTokens] = over-w-gap, 0
	}
	if over > 0 {
		widths[colName] = max(min(nameRoom, widths[colName]), widths[colName]-over)
	}
	var lines []string
	for i, l := range runs {
		var line strings.Builder
		for k, text := range rows[i] {
			if widths[k] == 0 {
				continue
			}
			text = pad(fit(text, widths[k]), widths[k], k == colEvaluations || k == colTokens)
			if k == colBest {
				text = paint(strong, text, colour)
			}
			line.WriteString(text + strings.Repeat(" ", gap))
		}
		parts, waiting := l.activity(now)
		if waiting != "" {
			if spare == 0 {
				parts = nil // the wait is more useful
			}
			parts = append(parts, paint(warning, waiting, colour))
		}
		mine := wrap(line.String(), parts, ", ", width, 1+spare)
		spare -= len(mine) - 1
		lines = append(lines, mine...)
	}
	return lines
}

// wrap adds parts to a line and to new lines, up to most lines. It drops a part that fits nowhere,
// except the first part, which the screen truncates.
func wrap(line string, parts []string, between string, width, most int) []string {
	lines := []string{line}
	for i, p := range parts {
		last := &lines[len(lines)-1]
		next := *last + p
		if i > 0 {
			next = *last + between + p
		}
		if ansi.StringWidth(next) <= width || i == 0 && most <= 1 {
			*last = next
		} else if len(lines) < most {
			lines = append(lines, "  "+p)
		}
	}
	return lines
}

func (l *Line) columns() [columns]string {
	row := [columns]string{colName: l.Name, colTokens: spent(l.progress.Tokens, l.progress.Cost, 0)}
	if l.Budget > 0 {
		row[colEvaluations] = fmt.Sprintf("%d/%d", l.progress.Evaluations, l.Budget)
		row[colBest] = "no score"
	}
	if l.progress.Best != nil {
		row[colBest] = "best " + l.best()
	}
	return row
}

// shownWait is the least share of waiting that is shown. Smaller shares hardly slow a run.
const shownWait = 0.05

// activity describes the present work of the run, and its wait after a failure.
func (l *Line) activity(now time.Time) (parts []string, waiting string) {
	switch {
	case !l.searched.IsZero():
		parts = l.testing(now)
	case l.doing != "":
		parts = append(parts, l.doing)
	}
	var oldest, next *request // next: the waiting request that is retried first
	sent := 0
	for _, q := range l.requests {
		if q.sent {
			sent++
			if oldest == nil || q.since.Before(oldest.since) {
				oldest = q
			}
		}
		if q.until.After(now) && (next == nil || q.until.Before(next.until)) {
			next = q
		}
	}
	if next != nil {
		waiting = fmt.Sprintf("waiting %s: %s", Seconds(next.until.Sub(now)), next.reason)
	}
	if sent > 0 {
		parts = append(parts, several(sent, "request", now.Sub(oldest.since)))
	}
	if n := len(l.requests) - sent; n > 0 {
		parts = append(parts, fmt.Sprintf("%d queued", n))
	}
	if n := len(l.candidates); n > 0 {
		c := l.candidates[0]
		parts = append(parts, several(n, "candidate", now.Sub(c.since))+
			fmt.Sprintf(", CPU %s of %s", Seconds(c.CPU()), Seconds(c.Limit())))
	}
	if l.Waited != nil && l.searched.IsZero() {
		if share := l.Waited(); share >= shownWait {
			parts = append(parts, fmt.Sprintf("answers waited %.0f %% of the time for their turn",
				100*share))
		}
	}
	switch {
	case len(parts) > 0:
		return parts, waiting
	case l.trains():
		return []string{"training"}, ""
	case l.Budget > 0:
		return []string{"evaluating"}, ""
	}
	return []string{"working"}, ""
}

// trains reports whether the line is a policy in training.
func (l *Line) trains() bool { return l.Unit == "resets" }

// several formats the number of things and the age of the oldest one.
func several(n int, what string, oldest time.Duration) string {
	if n == 1 {
		return "1 " + what + ", " + Seconds(oldest)
	}
	return fmt.Sprintf("%d %ss, oldest %s", n, what, Seconds(oldest))
}

// testing shows the instances of each stage, and the time left for the stages.
func (l *Line) testing(now time.Time) (parts []string) {
	for _, s := range l.stages {
		if s.done < s.total {
			parts = append(parts, fmt.Sprintf("%s %d/%d", s.name, s.done, s.total))
		}
	}
	if len(parts) == 0 {
		return []string{"tests done"}
	}
	d, ok := l.stagesLeft(now)
	return append(parts, "ETA "+estimate(d, d > 0 || ok, ok))
}

// estimate formats the time left, of which a part may be unknown.
func estimate(d time.Duration, known, tests bool) string {
	switch {
	case !known:
		return "?"
	case !tests:
		return Seconds(d) + " and tests"
	}
	return Seconds(d)
}

// overall describes the progress of all runs, the most important part first.
func (b *Board) overall(now time.Time) (percent int, parts []string) {
	done, total, ended, tokens, cost, what := 0, 0, 0, 0, 0.0, "evaluated"
	failed, refused, retried := 0, 0, 0
	for _, l := range b.lines {
		total += l.Budget
		done += l.progress.Evaluations
		tokens += l.progress.Tokens
		cost += l.progress.Cost
		failed += l.progress.Failed
		refused += l.progress.Refused
		retried += l.retried
		if l.trains() {
			what = "trained"
		}
		if !l.ended.IsZero() {
			ended++
			done += l.Budget - l.progress.Evaluations // the run may have ended early
		}
	}
	if total > 0 {
		percent = 100 * done / total
		parts = append(parts, fmt.Sprintf("%d %% %s", percent, what))
	} else {
		percent = 100 * ended / max(1, len(b.lines))
	}
	d, search, tests := b.left(now)
	parts = append(parts, fmt.Sprintf("runs %d/%d", ended, len(b.lines)),
		"ETA "+estimate(d, search, tests))
	if done < total {
		parts = append(parts, fmt.Sprintf("%d in the last minute", b.lastMinute(now)))
	}
	parts = append(parts, Seconds(now.Sub(b.start))+" elapsed")
	if b.purse.Max > 0 {
		cost = b.purse.Spent()
	}
	if text := spent(tokens, cost, b.purse.Max); text != "" {
		parts = append(parts, text)
	}
	var counts []string
	for _, c := range []struct {
		n    int
		what string
	}{{failed, "failed"}, {refused, "refused"}, {retried, "retried"}} {
		if c.n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if counts != nil {
		parts = append(parts, strings.Join(counts, ", "))
	}
	return percent, parts
}

// lastMinute returns the number of evaluations computed in the last minute.
func (b *Board) lastMinute(now time.Time) (n int) {
	b.recent = slices.DeleteFunc(b.recent, func(c commit) bool {
		return now.Sub(c.at) >= time.Minute
	})
	for _, c := range b.recent {
		n += c.n
	}
	return n
}

// overallLines shows the progress of all runs in at most the given number of lines.
func (b *Board) overallLines(now time.Time, width, most int, colour bool) []string {
	percent, parts := b.overall(now)
	n := min(20, width/7)
	full := n * percent / 100
	bar := paint(good, strings.Repeat("█", full), colour) +
		paint(faint, strings.Repeat("░", n-full), colour)
	return wrap(bar+"  ", parts, "  ", width, most)
}

// text formats overall for a line of text.
func (b *Board) text(now time.Time) string {
	_, parts := b.overall(now)
	return strings.Join(parts, ", ")
}

// summary formats the display as one line of text.
func (b *Board) summary(now time.Time) string {
	text, lines := b.text(now), b.running()
	const shown = 3
	for i, l := range lines {
		if i == shown {
			text += fmt.Sprintf("; +%d more", len(lines)-shown)
			break
		}
		activity, waiting := l.activity(now)
		if waiting != "" {
			activity = append(activity, waiting)
		}
		text += "; " + l.Name + ":"
		if l.Budget > 0 {
			text += " " + l.charged() + ","
		}
		text += " " + strings.Join(activity, ", ")
	}
	return text
}

// Seconds formats a duration to the second, or from an hour on to the minute: "59 s", "1:05 min",
// "2:30 h".
func Seconds(d time.Duration) string {
	switch s := int(d.Round(time.Second) / time.Second); {
	case s < 0:
		return "0 s"
	case s < 60:
		return fmt.Sprintf("%d s", s)
	case s < 3600:
		return fmt.Sprintf("%d:%02d min", s/60, s%60)
	default:
		return fmt.Sprintf("%d:%02d h", s/3600, s/60%60)
	}
}

// count shortens a large number.
func count(n int) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 1e4:
		return fmt.Sprintf("%.0fk", float64(n)/1e3)
	case n >= 1e3:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return fmt.Sprint(n)
}

// spent formats the use of tokens, and the money if the cost is known or bounded by most.
func spent(tokens int, usd, most float64) string {
	var parts []string
	if tokens > 0 {
		parts = append(parts, count(tokens)+" tokens")
	}
	if usd > 0 || most > 0 {
		parts = append(parts, "$"+dollars(usd))
	}
	if most > 0 {
		parts = append(parts, "of "+dollars(most))
	}
	return strings.Join(parts, " ")
}

func dollars(usd float64) string {
	if usd < 1 {
		return fmt.Sprintf("%.3f", usd)
	}
	return fmt.Sprintf("%.2f", usd)
}
