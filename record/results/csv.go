package results

import (
	"strconv"
	"strings"
)

// CSVText is a text as it stands in a cell of a CSV file. Names and replies are foreign text, and a
// spreadsheet runs what begins with =, +, - or @ as a formula: such a text gets a leading
// apostrophe, which shows it as text. Numbers stay as they are.
func CSVText(text string) string {
	if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}
