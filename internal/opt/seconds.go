package opt

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

var clock = regexp.MustCompile(`^(?:(\d{1,6})-)?(\d{1,9})(?::([0-5]?\d))?(?::([0-5]?\d))?$`)

// Seconds parses a duration and returns it in seconds. The text is a number of seconds, a time
// as on a clock or in Slurm (M:SS, H:MM:SS, D-HH, D-HH:MM or D-HH:MM:SS), or numbers with units,
// such as 90m or 1h30m.
func Seconds(text string) (float64, error) {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x, nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		return d.Seconds(), nil
	}
	m := clock.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%q is no time", text)
	}
	part := func(i int) float64 {
		x, _ := strconv.ParseFloat(m[i], 64) // 0 if the part is missing
		return x
	}
	switch {
	case m[1] != "": // days and hours
		return part(1)*86400 + part(2)*3600 + part(3)*60 + part(4), nil
	case m[4] != "":
		return part(2)*3600 + part(3)*60 + part(4), nil
	}
	return part(2)*60 + part(3), nil
}
