package figure

import (
	"fmt"
	"io"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// ComparedAttribute is an attribute of which two workloads have a picture.
type ComparedAttribute struct {
	Attribute string // as package score names it
	Quantity  Quantity
	Name      string // of the picture
}

// ComparedAttributes are the attributes in the order of a score.Comparison's.
func ComparedAttributes() []ComparedAttribute {
	return []ComparedAttribute{
		{score.RunTimeOf, RunTime, "run-times"},
		{score.SizeOf, Size, "sizes"},
		{score.WorkOf, Work, "work"},
		{score.InterarrivalOf, Interarrival, "interarrivals"},
	}
}

// DailyCyclesName is of the picture of two workloads' daily cycles.
const DailyCyclesName = "daily-cycles"

// OfCompared returns the pictures of two workloads: the distributions of each
// attribute, the daily cycles and those of a verdict.
func OfCompared(c *evaluate.CompareResult) []Picture {
	var names []string
	for _, w := range c.Workloads {
		names = append(names, w.Name)
	}
	var all []Picture
	for i, p := range ComparedAttributes() {
		all = append(all, comparedOf(p, c.Comparison.Attributes[i], names, c.Profiles))
	}
	day := c.Comparison.Day
	cycles := absent(DailyCyclesName, "submissions are not known of both")
	if day != nil {
		cycles = Picture{Name: DailyCyclesName, Draw: func(w io.Writer, format string) error {
			source := fmt.Sprintf("chi-square %s, both scaled to %s jobs; up to about %d by chance", present.Sig(day.ChiSquare), present.Sig(day.Jobs), len(day.A))
			return DailyCycles(w, format, source, names, [][]float64{floats(day.A), floats(day.B)})
		}}
	}
	all = append(all, cycles)
	if c.Verdict != nil {
		all = append(all, ofTwins(c)...)
	}
	return all
}

// comparedOf is the distribution of an attribute in two workloads.
func comparedOf(p ComparedAttribute, x score.Attribute, names []string, profiles []*score.Profile) Picture {
	var samples []Sample
	drawn := x.Why == ""
	for _, profile := range profiles {
		values, counts := profile.Sample(p.Attribute)
		samples = append(samples, Sample{Values: values, Counts: counts})
		drawn = drawn && values[len(values)-1] >= 1
	}
	if !drawn {
		return absent(p.Name, p.Attribute+" needs values of 1 or more in both")
	}
	return Picture{Name: p.Name, Draw: func(w io.Writer, format string) error {
		source := fmt.Sprintf("%d and %d jobs, whose shares are at most %s apart (D)", x.A.Jobs, x.B.Jobs, present.Fixed(x.D, 4))
		return Distributions(w, format, source, p.Quantity, names, samples)
	}}
}

func floats(all []stats.Share) []float64 {
	out := make([]float64, len(all))
	for i, s := range all {
		out[i] = float64(s)
	}
	return out
}
