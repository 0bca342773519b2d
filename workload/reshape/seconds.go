package reshape

import (
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// units are the seconds of a unit of time.
var units = map[string]float64{"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}

// parseSeconds reads a length of time: a number, of seconds or of the unit after it.
func parseSeconds(text string) (float64, error) {
	number := strings.TrimRight(text, "smhdw")
	x, err := strconv.ParseFloat(number, 64)
	x *= units[text[len(number):]]
	if err == nil && (math.IsNaN(x) || math.IsInf(x, 0) || len(text) > len(number)+1) {
		err = strconv.ErrRange
	}
	return x, err
}

// Seconds is an option that is a length of time above 0.
type Seconds float64

// Set reads seconds, or a number with one of the units s, m, h, d and w. An error is a
// *workload.OptionError.
func (s *Seconds) Set(text string) error {
	x, err := parseSeconds(text)
	if err != nil || x <= 0 {
		return workload.OptionFault("window", strconv.Quote(text), "a time above 0: %s", forms[durationField])
	}
	*s = Seconds(x)
	return nil
}

// String returns the shortest text that Set reads back; "" if there is none.
func (s *Seconds) String() string {
	if *s == 0 {
		return ""
	}
	x, unit := float64(*s), "s"
	for _, u := range []string{"m", "h", "d", "w"} {
		if n := float64(*s) / units[u]; n >= 1 && n == math.Trunc(n) {
			x, unit = n, u
		}
	}
	return strconv.FormatFloat(x, 'f', -1, 64) + unit
}

// Type names the kind of value.
func (*Seconds) Type() string { return "seconds" }
