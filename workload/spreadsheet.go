package workload

import (
	"strconv"
	"strings"
)

// SpreadsheetText returns a cell of a CSV file for a text, with an apostrophe
// in front where a spreadsheet would take the text for a formula: where it
// begins with =, +, -, @, a tab or a line end and is no number (OWASP, "CSV
// Injection"). A name in a log may have been made up by anybody. A lone "-",
// our sign for no value, stays.
func SpreadsheetText(s string) string {
	if s == "" || s == "-" || !strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}
