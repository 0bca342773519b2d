package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// loadOption is --load of generate and scale: an offered load, or "1.2x", so many times the load of
// the model or the log.
type loadOption struct{ load, times float64 } // one of which is 0

func (l *loadOption) String() string {
	if l.times != 0 {
		return fmt.Sprintf("%gx", l.times)
	}
	return strconv.FormatFloat(l.load, 'g', -1, 64)
}

func (l *loadOption) Type() string { return "float64" }

func (l *loadOption) Set(text string) error {
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
		*l = loadOption{times: x}
	default:
		*l = loadOption{load: x}
	}
	return nil
}

// warnOfLoad warns of an offered load that the machine cannot do, and that may be meant
// in percent or as a multiple.
func (a *app) warnOfLoad(asked float64) {
	const most = 3 // above which hardly anyone studies a machine
	switch {
	case !(asked > 1) || math.IsInf(asked, 1):
	case asked > most:
		a.warn("--load %g is %g times what the machine can do; for %g %% give --load %g", asked, asked, asked, asked/100)
	default:
		a.warn("--load %g is more than the machine can do, so its queue grows until the last job is submitted; for %g times the log's or the model's load give --load %gx", asked, asked, asked)
	}
}
