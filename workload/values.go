package workload

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Integer is an int64 that is null in JSON if it is Unknown.
type Integer int64

// Positive returns n if it is above 0, else Unknown.
func Positive(n int64) Integer {
	if n <= 0 {
		return Integer(Unknown)
	}
	return Integer(n)
}

// Known reports whether n is not Unknown.
func (n Integer) Known() bool { return int64(n) != Unknown }

// IsZero reports whether n is Unknown. encoding/json omits such a field if it is marked
// omitzero.
func (n Integer) IsZero() bool { return !n.Known() }

// MarshalJSON returns the number, or null if it is Unknown.
func (n Integer) MarshalJSON() ([]byte, error) {
	if !n.Known() {
		return []byte("null"), nil
	}
	return json.Marshal(int64(n))
}

// UnmarshalJSON parses a number, or null as Unknown.
func (n *Integer) UnmarshalJSON(text []byte) error {
	x := new(int64)
	if err := json.Unmarshal(text, &x); err != nil {
		return err
	}
	*n = Integer(Unknown)
	if x != nil {
		*n = Integer(*x)
	}
	return nil
}

// Status is a status code (StatusFailed, ... or Unknown) in a result. In JSON it is the
// code's name.
type Status int64

var statusNames = map[Status]string{
	Status(StatusFailed): "failed", Status(StatusCompleted): "completed", Status(StatusPartial): "partial",
	Status(StatusLastCompleted): "last part, completed", Status(StatusLastFailed): "last part, failed",
	Status(StatusCancelled): "cancelled", Status(Unknown): "unknown",
}

// Name returns the name of a code, or "" if the format does not define the code.
func (s Status) Name() string { return statusNames[s] }

// String returns the name, or a phrase with the number of a code that is not defined.
func (s Status) String() string {
	if name := s.Name(); name != "" {
		return name
	}
	return "with the undefined code " + strconv.FormatInt(int64(s), 10)
}

// MarshalText returns the bytes of String.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// SpreadsheetText returns s as a cell of a CSV file, with an apostrophe in front if a
// spreadsheet would take s for a formula: if s begins with =, +, -, @, a tab or a line end and
// is not a number (OWASP, "CSV Injection"). Names in a log may come from anybody. A lone "-",
// which means no value, is returned unchanged.
func SpreadsheetText(s string) string {
	if s == "" || s == "-" || !strings.ContainsRune("=+-@\t\r\n", rune(s[0])) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}
