package results

import (
	"strconv"
	"strings"
)

// CSVText returns a text for a cell of a CSV file. Names and replies are untrusted, and a
// spreadsheet runs a text that begins with a character such as = or @ as a formula. Such a text
// gets a leading apostrophe, so the spreadsheet shows it as text. Numbers, and lists of numbers, do
// not change.
func CSVText(text string) string {
	if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return text
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return "'" + text
	}
	for _, word := range words {
		if _, err := strconv.ParseFloat(word, 64); err != nil {
			return "'" + text
		}
	}
	return text
}
