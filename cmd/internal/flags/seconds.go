package flags

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/spf13/pflag"
)

// Seconds is a length of time as a flag: seconds, a clock's and Slurm's M:SS, H:MM:SS,
// D-HH, D-HH:MM and D-HH:MM:SS, or a number with a unit, such as 90m or 1h30m.
type Seconds float64

var _ pflag.Value = (*Seconds)(nil)

var clock = regexp.MustCompile(`^(?:(\d{1,6})-)?(\d{1,9})(?::([0-5]?\d))?(?::([0-5]?\d))?$`)

// Set reads a text.
func (s *Seconds) Set(text string) error {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		*s = Seconds(x)
		return nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		*s = Seconds(d.Seconds())
		return nil
	}
	m := clock.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("saw %q, want seconds, or a time such as 2:00:00, 1-12:00 or 90m", text)
	}
	part := func(i int) float64 {
		x, _ := strconv.ParseFloat(m[i], 64) // 0 where there is none
		return x
	}
	switch {
	case m[1] != "": // days and hours
		*s = Seconds(part(1)*86400 + part(2)*3600 + part(3)*60 + part(4))
	case m[4] != "":
		*s = Seconds(part(2)*3600 + part(3)*60 + part(4))
	default:
		*s = Seconds(part(2)*60 + part(3))
	}
	return nil
}

// String is in seconds.
func (s *Seconds) String() string { return strconv.FormatFloat(float64(*s), 'g', -1, 64) }

// Type names the value in help texts.
func (s *Seconds) Type() string { return "seconds" }
