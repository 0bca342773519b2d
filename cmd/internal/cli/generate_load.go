package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// loadFlag is --load of generate: an offered load, or "1.2x", so many times the load of
// the model or the log.
type loadFlag struct {
	load  *float64
	times float64 // 0 where load is given
}

func (l *loadFlag) String() string {
	switch {
	case l.load == nil: // as pflag makes one to find the zero value
		return "0"
	case l.times != 0:
		return fmt.Sprintf("%gx", l.times)
	}
	return strconv.FormatFloat(*l.load, 'g', -1, 64)
}

func (l *loadFlag) Type() string { return "float64" }

func (l *loadFlag) Set(text string) error {
	number, relative := strings.CutSuffix(text, "x")
	x, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return fmt.Errorf("want an offered load such as 0.9, or 1.2x for 1.2 times the model's")
	}
	if !relative {
		*l.load, l.times = x, 0
		return nil
	}
	if !(x > 0) || math.IsInf(x, 1) {
		return fmt.Errorf("want a number above 0 before the x")
	}
	*l.load, l.times = 0, x
	return nil
}

// zero reports whether the load is 0, which no workload has.
func (l *loadFlag) zero() bool { return l.times == 0 && *l.load == 0 }
