package reshape

import (
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Seconds is an option that is a length of time above 0.
type Seconds float64

// Set reads seconds, or a number with one of the units s, m, h, d and w. An error is a
// *workload.OptionError.
func (s *Seconds) Set(text string) error {
	x, err := workload.ParseSeconds(text)
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
	text := strconv.FormatFloat(float64(*s), 'f', -1, 64) + "s"
	for _, unit := range []string{"m", "h", "d", "w"} {
		one, _ := workload.ParseSeconds("1" + unit)
		if n := float64(*s) / one; n >= 1 && n == math.Trunc(n) {
			text = strconv.FormatFloat(n, 'f', -1, 64) + unit
		}
	}
	return text
}

// Type names the kind of value.
func (*Seconds) Type() string { return "seconds" }
