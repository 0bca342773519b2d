package fit

import (
	"fmt"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Rounding tells how the attribute was rounded to multiples of the resolution.
// The likelihood of a job is then the probability of its cell, all values that
// round to the one in the log, instead of a density. Such a likelihood is
// bounded, even if values repeat.
type Rounding string

// The roundings. A log's run time is most often the difference of two times
// in whole seconds, and nearest to the true one; generated run times are
// rounded down, as the authors' program of 1999 does.
const (
	NoRounding     Rounding = ""        // the likelihood is one of densities
	RoundedNearest Rounding = "nearest" // the cell of v is [v-r/2, v+r/2), r the resolution
	RoundedDown    Rounding = "down"    // the cell of v is [v, v+r)
)

// Validate returns an error that lists the roundings if r is not one of them.
func (r Rounding) Validate() error {
	switch r {
	case NoRounding, RoundedNearest, RoundedDown:
		return nil
	}
	return workload.OptionFault("rounding", string(r), "%s or %s, or nothing", RoundedNearest, RoundedDown)
}

// Cell returns the ends of the cell of v, in the unit of v, for a resolution of
// width.
func (r Rounding) Cell(v, width float64) (lo, hi float64) {
	if r == RoundedDown {
		return v, v + width
	}
	return v - width/2, v + width/2
}

// value returns the value of the cell that v lies in.
func (r Rounding) value(v, width float64) float64 {
	if r == RoundedDown {
		return width * math.Floor(v/width)
	}
	return width * math.Round(v/width)
}

// validateIntervals checks the options of likelihoods of cells, filled, for a
// family and a sample.
func (o Options) validateIntervals(f family, s Sample) error {
	if o.Max > 0 && o.Max <= o.Transform.least() {
		return workload.OptionFault("max", o.Max, "more than %g for the %s of it", o.Transform.least(), o.Transform)
	}
	if o.Rounding == NoRounding {
		return nil
	}
	if !(o.Resolution > 0) {
		return fmt.Errorf("rounding is %s, but no resolution is given and the values are not whole numbers", o.Rounding)
	}
	for _, v := range s.Values {
		if n := v / o.Resolution; !(math.Abs(n-math.Round(n)) <= 1e-6) {
			return fmt.Errorf("rounding is %s to multiples of %g, but the sample has the value %g", o.Rounding, o.Resolution, v)
		}
	}
	return nil
}

// validateCells says whether the family knows of rounding, censoring and limits,
// where they are asked for.
func (o Options) validateCells(f family) error {
	if err := o.Rounding.Validate(); err != nil {
		return err
	}
	if math.IsNaN(o.Max) || math.IsInf(o.Max, 0) || o.Max < 0 {
		return workload.OptionFault("max", o.Max, "a finite number above 0, or 0 for no limit")
	}
	option, saw := "", ""
	switch {
	case f.cells:
	case o.Rounding != NoRounding:
		option, saw = "rounding", string(o.Rounding)
	case o.Censored:
		option, saw = "censored", "true"
	case o.Max > 0:
		option, saw = "max", fmt.Sprintf("%g", o.Max)
	}
	if option == "" {
		return nil
	}
	return workload.OptionFault(option, saw, "one or more of %s; %s is fitted to exact and complete values only, %s", strings.Join(CellFamilies(), ", "), f.name, f.whyExact())
}

// whyExact says why a family knows nothing of rounding, censoring and limits.
func (f family) whyExact() string {
	if f.own {
		return "since its Fit is given these alone"
	}
	switch f.name {
	case "pareto":
		return "since its lower bound is the smallest value itself, which a cell does not tell; bounded-pareto has an upper bound too"
	case "bounded-pareto", "uniform":
		return "since its bounds are the smallest and the largest value themselves, which a cell or a killed job does not tell"
	}
	return "since it follows the distribution function of the values, or stages between them"
}

// CellFamilies returns the names of the families that support Options.Rounding,
// Censored and Max.
func CellFamilies() []string {
	var names []string
	for _, f := range families() {
		if f.cells {
			names = append(names, f.name)
		}
	}
	return names
}

// newRoundedTask is newTask where the likelihood is of cells. A job belongs to
// the fit if some of its cell is where the transform can take it: one of 1 s
// may have run for 1.4 s, whose logarithm is above 0, and one of 0 s for
// 0.4 s. x is the middle of that part.
func newRoundedTask(f family, a Attribute, s Sample, o Options) task {
	name, unit := a.words()
	least := o.Transform.least()
	kept := Sample{LeftOut: s.LeftOut}
	var x []float64
	var below, beyond float64
	add := func(v, jobs, censored float64) {
		lo, hi := o.Rounding.Cell(v, o.Resolution)
		lo = max(lo, least)
		if o.Max > 0 {
			hi = min(hi, o.Max)
		}
		switch {
		case hi <= least:
			below += jobs
			return
		case hi <= lo:
			beyond += jobs
			return
		}
		x = append(x, o.Transform.Apply((lo+hi)/2))
		kept.Values, kept.Counts = append(kept.Values, v), append(kept.Counts, jobs)
		if s.Censored != nil {
			kept.Censored = append(kept.Censored, censored)
		}
	}
	if least == 0 && s.Zeros > 0 {
		add(0, s.Zeros, 0)
		kept.takeBack(name+" not positive", int64(s.Zeros))
	}
	for i, v := range s.Values {
		censored := 0.0
		if s.Censored != nil {
			censored = s.Censored[i]
		}
		add(v, s.Counts[i], censored)
	}
	kept.LeaveOut(fmt.Sprintf("%s not above %g%s", name, least, unit), int64(below))
	kept.LeaveOut(fmt.Sprintf("%s above the limit of %g%s", name, o.Max, unit), int64(beyond))
	return task{family: f, attribute: a, sample: kept, x: x, options: o}
}

// takeBack takes jobs out of those left out.
func (s *Sample) takeBack(why string, jobs int64) {
	var out []LeftOut
	for _, l := range s.LeftOut {
		if l.Why == why {
			l.Jobs -= jobs
		}
		if l.Jobs > 0 {
			out = append(out, l)
		}
	}
	s.LeftOut = out
}
