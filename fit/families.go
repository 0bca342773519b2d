package fit

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/words"
)

// family is how one family of laws is fitted.
type family struct {
	name      string
	transform Transform // the only one that makes sense; "" for any
	positive  bool      // the transformed attribute must be above 0
	cells     bool      // it knows of rounding, censoring and limits
	own       bool      // it is of Options.Families
	shape     float64   // of all components of a Gamma mixture; 0 where it is estimated
	fit       func(task) (outcome, error)
	// refit fits a bootstrap replicate; near is the law that it was drawn
	// from. nil is fit.
	refit func(t task, near dist.Law) (outcome, error)
}

// families is the table of what can be fitted: a new family is one row here
// and one file.
func families() []family {
	return []family{
		{name: "uniform-log", transform: None, positive: true, fit: fitUniformLog},
		{name: "multi-stage-uniform-log", transform: None, positive: true, fit: fitMultiStageUniformLog},
		{name: "gamma", positive: true, cells: true, fit: fitGamma},
		{name: "hyper-gamma", positive: true, cells: true, fit: fitHyperGamma, refit: refitHyperGamma},
		{name: "hyper-exponential", transform: None, positive: true, cells: true, shape: 1, fit: fitHyperExponential, refit: refitHyperExponential},
		{name: "hyper-erlang", positive: true, cells: true, fit: fitHyperErlang, refit: refitHyperErlang},
		{name: "two-stage-uniform", positive: true, fit: fitTwoStageUniform},
		{name: "log-normal", transform: None, positive: true, cells: true, fit: fitLogNormal},
		{name: "log-normal-mixture", transform: None, positive: true, cells: true, fit: fitLogNormalMixture, refit: refitLogNormalMixture},
		{name: "weibull", transform: None, positive: true, cells: true, fit: fitWeibull},
		{name: "pareto", transform: None, positive: true, fit: fitPareto},
		{name: "bounded-pareto", transform: None, positive: true, fit: fitBoundedPareto},
		{name: "exponential", transform: None, cells: true, fit: fitExponential},
		{name: "uniform", transform: None, fit: fitUniform},
	}
}

// Families returns the names of the families of this package.
func Families() []string {
	var names []string
	for _, f := range families() {
		names = append(names, f.name)
	}
	return names
}

// Fit fits a family of laws to a sample of an attribute.
//
// The laws of a transformed attribute need it above 0, so that run times up
// to 1 s are left out of a fit on their logarithm; the report says how many.
// It is an error if a name is unknown, if the sample or an option is out of
// range, and, as a *DegenerateError, if the sample does not determine the
// law. A fit that did not converge is a report with another Status.
func Fit(name string, a Attribute, s Sample, o Options) (Report, error) {
	f, err := o.familyOf(name)
	if err != nil {
		return Report{}, err
	}
	if err := a.Validate(); err != nil {
		return Report{}, err
	}
	if err := o.validate(f); err != nil {
		return Report{}, err
	}
	if err := s.Validate(); err != nil {
		return Report{}, err
	}
	o = o.filled(f, a, s)
	if err := o.validateIntervals(f, s); err != nil {
		return Report{}, err
	}
	t := newTask(f, a, s, o)
	if len(t.x) == 0 {
		return Report{}, t.degenerate("want at least one")
	}
	out, err := f.fit(t)
	if err != nil {
		return Report{}, err
	}
	return newReport(t, out)
}

// task is one fit: a family and the part of a sample that it can use.
type task struct {
	family    family
	attribute Attribute
	sample    Sample
	x         []float64 // the transformed values
	options   Options
	pressed   bool // a mixture is refitted to the pressed sample
}

func newTask(f family, a Attribute, s Sample, o Options) task {
	if o.Rounding != NoRounding {
		return newRoundedTask(f, a, s, o)
	}
	if o.Max > 0 {
		name, unit := a.words()
		s = s.UpTo(o.Max, fmt.Sprintf("%s above the limit of %g%s", name, o.Max, unit))
	}
	if f.positive && o.Transform != None {
		least := o.Transform.least()
		kept, cut := s.Above(least)
		name, unit := a.words()
		kept.LeaveOut(fmt.Sprintf("%s not above %g%s", name, least, unit), cut)
		s = kept
	}
	x := s.Values
	if o.Transform != None {
		x = make([]float64, len(s.Values))
		for i, v := range s.Values {
			x[i] = o.Transform.Apply(v)
		}
	}
	return task{family: f, attribute: a, sample: s, x: x, options: o}
}

// resolution is the width of a rounding cell at x.
func (t task) resolution(x float64) float64 {
	return t.options.Transform.width(x, t.options.Resolution)
}

// need returns an error unless there are as many jobs and distinct values.
func (t task) need(jobs, distinct int) error {
	if len(t.x) < distinct || t.sample.Jobs() < int64(jobs) {
		return t.degenerate(fmt.Sprintf("want at least %d jobs and %d distinct values", jobs, distinct))
	}
	return nil
}

// DegenerateError says that a sample does not determine a law: too few jobs,
// or too few distinct values.
type DegenerateError struct {
	Family    string
	Attribute Attribute
	By        string
	Jobs      int64 // jobs that the family could use
	Distinct  int   // their distinct values
	Why       string
}

func (e *DegenerateError) Error() string {
	return fmt.Sprintf("%s of %s (%s): %s with %s can be used: %s",
		e.Family, e.Attribute, e.By, words.Counted(e.Jobs, "job"), words.Counted(e.Distinct, "distinct value"), e.Why)
}

func (t task) degenerate(why string) error {
	return &DegenerateError{t.family.name, t.attribute, t.options.By, t.sample.Jobs(), len(t.x), why}
}
