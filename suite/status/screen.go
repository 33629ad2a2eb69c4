package status

import (
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// A screen is the lower end of a terminal: lines that are redrawn in place. The cursor rests at the
// start of the line below them.
type screen struct {
	w      io.Writer
	size   func() (width, height int, err error)
	colour bool

	lines         []string // on the terminal now
	width, height int      // size for which they were drawn
}

// A view makes the lines of the display for a width and a height.
type view func(width, height int, colour bool) []string

// draw prints messages above the view and redraws the view. A nil view draws nothing. Each call
// is one write, so that a terminal never shows half a view.
func (s *screen) draw(messages []string, f view) {
	width, height, err := s.size()
	if err != nil || width < 1 || height < 1 {
		width, height = 80, 24
	}
	var lines []string
	if f != nil {
		// One column and one row stay free, so that the terminal neither wraps nor scrolls.
		lines = f(width-1, height-1, s.colour)
		lines = lines[:min(len(lines), height-1)]
		for i, l := range lines {
			lines[i] = ansi.Truncate(l, width-1, "…")
		}
	}
	if len(messages) == 0 && width == s.width && height == s.height &&
		slices.Equal(lines, s.lines) {
		return
	}
	var b strings.Builder
	b.WriteString(ansi.SetModeSynchronizedOutput)
	if up := s.rows(width, height); up > 0 {
		b.WriteString("\r" + ansi.CursorUp(up))
	}
	b.WriteString("\r" + ansi.EraseScreenBelow)
	for _, l := range slices.Concat(messages, lines) {
		b.WriteString(l + "\r\n")
	}
	b.WriteString(ansi.ResetModeSynchronizedOutput)
	io.WriteString(s.w, b.String())
	s.lines, s.width, s.height = lines, width, height
}

// rows returns the number of rows that the drawn lines take at another width. A terminal wraps long
// lines when it becomes narrower.
func (s *screen) rows(width, height int) int {
	n := 0
	for _, l := range s.lines {
		n += max(1, (ansi.StringWidth(l)+width-1)/width)
	}
	return min(n, height-1)
}

// printable replaces control characters and invisible characters with "?", because names and errors
// come from servers.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsPrint(r):
			return r
		}
		return '?'
	}, strings.ToValidUTF8(text, "?"))
}

// fit shortens text to a width. It cuts the start, because the end says more.
func fit(text string, width int) string {
	short := text
	for n := 1; ansi.StringWidth(short) > width; n++ {
		short = ansi.TruncateLeft(text, n, "…") // a narrow character may replace a wide one
	}
	return short
}

// pad pads text to a width, on the left if right is set.
func pad(text string, width int, right bool) string {
	space := strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
	if right {
		return space + text
	}
	return text + space
}

// The colours are the terminal's own, so that they suit light and dark backgrounds.
var (
	strong  = ansi.Style{}.Bold()
	faint   = ansi.Style{}.Faint()
	good    = ansi.Style{}.ForegroundColor(ansi.Green)
	warning = ansi.Style{}.ForegroundColor(ansi.Yellow)
)

func paint(style ansi.Style, text string, colour bool) string {
	if !colour || text == "" {
		return text
	}
	return style.Styled(text)
}
