package reshape

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// LoadTarget is an offered load to reach, or so many times that of a model or a log: "1.2x".
// One of the two is 0.
type LoadTarget struct{ Load, Times float64 }

// String implements the value of an option.
func (l *LoadTarget) String() string {
	if l.Times != 0 {
		return fmt.Sprintf("%gx", l.Times)
	}
	return strconv.FormatFloat(l.Load, 'g', -1, 64)
}

// Type implements the value of an option.
func (l *LoadTarget) Type() string { return "float64" }

// Set implements the value of an option.
func (l *LoadTarget) Set(text string) error {
	if number, ok := strings.CutSuffix(text, "%"); ok {
		x, err := strconv.ParseFloat(number, 64)
		switch more := strings.HasPrefix(text, "+") || x < 0; {
		case err != nil || math.IsInf(x, 0) || x <= -100:
		case more:
			return workload.OptionFault("load", text, "the load as a number: %gx for the load of the log or the model %s", 1+x/100, text)
		case x > 0:
			return workload.OptionFault("load", text, "the load as a number: %g, or %gx for %s of the log's or the model's", x/100, x/100, text)
		}
	}
	const want = "an offered load above 0, such as 0.9, or 1.2x for 1.2 times the model's or the log's"
	number, relative := strings.CutSuffix(text, "x")
	x, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil || !(x > 0) || math.IsInf(x, 1):
		return workload.OptionFault("load", strconv.Quote(text), want)
	case relative:
		*l = LoadTarget{Times: x}
	default:
		*l = LoadTarget{Load: x}
	}
	return nil
}
