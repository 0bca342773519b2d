package workload

import (
	"strconv"
	"strings"
)

// SpreadsheetText returns s as a cell of a CSV file. It puts an apostrophe in front if a
// spreadsheet would take s for a formula: if s begins with =, +, -, @, a tab or a line end
// and is not a number (OWASP, "CSV Injection"). Names in a log may come from anybody. A
// lone "-", which stands for no value, is left alone.
func SpreadsheetText(s string) string {
	if s == "" || s == "-" || !strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}
