package fit

import (
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Attribute is the quantity of a job to which a law is fitted.
type Attribute string

// The attributes. Times are in seconds.
const (
	RunTime      Attribute = "run_time"     // wall clock time from start to end
	Size         Attribute = "size"         // processors, as workload.Request.Size
	Work         Attribute = "work"         // processor seconds: size times run time
	Interarrival Attribute = "interarrival" // from the previous submission to this one
)

// Attributes lists all attributes.
func Attributes() []Attribute { return []Attribute{RunTime, Size, Work, Interarrival} }

// Validate returns an error that lists the attributes if a is not one of them.
func (a Attribute) Validate() error {
	for _, known := range Attributes() {
		if a == known {
			return nil
		}
	}
	return workload.OptionFault("attribute", string(a), "one of %s", joinAttributes())
}

func joinAttributes() string {
	var names []string
	for _, a := range Attributes() {
		names = append(names, string(a))
	}
	return strings.Join(names, ", ")
}

// words is the attribute in a sentence, and unit what follows a number of it.
func (a Attribute) words() (name, unit string) {
	switch a {
	case RunTime:
		return "run time", " s"
	case Interarrival:
		return "interarrival time", " s"
	case Work:
		return "work", " processor seconds"
	}
	return strings.ReplaceAll(string(a), "_", " "), ""
}

// Transform returns the logarithm that Lublin and Feitelson (2003) take of the
// attribute before they fit a law to it: ln of times, log2 of sizes.
func (a Attribute) Transform() Transform {
	if a == Size {
		return Log2
	}
	return Ln
}

// Of returns the attribute of a job, NaN if it is unknown. It is always NaN for
// interarrival times, which a single job does not have.
func (a Attribute) Of(j *workload.Job) float64 {
	if a == Interarrival {
		return math.NaN()
	}
	return shapeOf(j).of(a)
}

// known is n, NaN where it is unknown.
func known(n int64) float64 {
	if n == workload.Unknown {
		return math.NaN()
	}
	return float64(n)
}
