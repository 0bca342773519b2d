package reshape

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

var weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// scale is what a condition's values need of the log to have a meaning.
type scale struct {
	header workload.Header
	clock  workload.Clock

	names   *workload.Names // grow as the log is read; nil where the header has them all
	waiting []*waitingName
}

func scaleOf(h workload.Header) *scale {
	clock, _ := h.Clock()
	return &scale{header: h, clock: clock}
}

// whole reads a value of a field of whole numbers.
func (f *field) whole(text string, s *scale) (int64, error) {
	if f.kind == weekdayField {
		if i := slices.Index(weekdays, strings.ToLower(text)); i >= 0 {
			return int64(i), nil
		}
		return 0, f.fault(text)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err == nil && n != workload.Unknown:
		return n, nil
	case f.kind == nameField:
		return f.numberOf(text, s.header)
	}
	return 0, f.fault(text)
}

// numberOf is the number that the header gives a name.
func (f *field) numberOf(name string, h workload.Header) (int64, error) {
	var found []int64
	for n, x := range h.Names(f.key) {
		if x == name {
			found = append(found, n)
		}
	}
	switch len(found) {
	case 0:
		return 0, f.noSuchName(name)
	case 1:
		return found[0], nil
	}
	return 0, fmt.Errorf("the log's header gives the name %[2]q to %[1]d numbers; want a number for %[3]s", len(found), name, f.names[0])
}

func (f *field) noSuchName(name string) error {
	return fmt.Errorf("no %s %q among the log's names; its number would do", f.names[0], name)
}

// float reads a value of a field of numbers.
func (f *field) float(text string, s *scale) (float64, error) {
	switch f.kind {
	case durationField:
		if x, ok := parseSeconds(text); ok {
			return x, nil
		}
	case instantField:
		return parseInstant(text, s.clock)
	default:
		if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(x) {
			return x, nil
		}
	}
	return 0, f.fault(text)
}

func (f *field) fault(text string) error {
	return fmt.Errorf("%s: %q: want %s", f.names[0], text, f.form())
}

// units are the seconds of a unit of time.
var units = map[byte]float64{'s': 1, 'm': 60, 'h': 3600, 'd': 86400, 'w': 7 * 86400}

// parseSeconds reads a length of time: a number, of seconds or of the unit
// behind it.
func parseSeconds(text string) (float64, bool) {
	unit := 1.0
	if n := len(text); n > 0 {
		if u, ok := units[text[n-1]]; ok {
			text, unit = text[:n-1], u
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	x *= unit
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// formatSeconds is the shortest text that parseSeconds reads back.
func formatSeconds(x float64) string {
	for _, u := range []byte("wdhm") {
		if n := x / units[u]; n == math.Trunc(n) && n != 0 && n*units[u] == x {
			return strconv.FormatFloat(n, 'f', -1, 64) + string(u)
		}
	}
	return strconv.FormatFloat(x, 'f', -1, 64) + "s"
}

// parseInstant reads seconds from the log's start, or a date at the site,
// which has to be known.
func parseInstant(text string, c workload.Clock) (float64, error) {
	if x, ok := parseSeconds(text); ok {
		return x, nil
	}
	if t, ok := workload.ParseDate(text, c.Start.Location()); ok {
		if !c.Known {
			return 0, fmt.Errorf("%q: the log's header has no UnixStartTime, so a date has no meaning; want seconds", text)
		}
		return float64(t.Unix() - c.Start.Unix()), nil
	}
	return 0, fmt.Errorf("%q: want seconds from the log's start, or a date such as 2024-02-01 or 2024-02-01T15:04:05", text)
}
