package fit

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/words"
)

// family is how one family of laws is fitted.
type family struct {
	name      string
	transform Transform // the only one that makes sense; "" for any
	positive  bool      // the transformed attribute must be above 0
	censored  bool      // it can count jobs that were killed at their limit
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
		{name: "gamma", positive: true, censored: true, fit: fitGamma},
		{name: "hyper-gamma", positive: true, fit: fitHyperGamma, refit: refitHyperGamma},
		{name: "hyper-exponential", transform: None, positive: true, shape: 1, fit: fitHyperExponential, refit: refitHyperExponential},
		{name: "hyper-erlang", positive: true, fit: fitHyperErlang, refit: refitHyperErlang},
		{name: "two-stage-uniform", positive: true, fit: fitTwoStageUniform},
		{name: "log-normal", transform: None, positive: true, censored: true, fit: fitLogNormal},
		{name: "weibull", transform: None, positive: true, censored: true, fit: fitWeibull},
		{name: "pareto", transform: None, positive: true, fit: fitPareto},
		{name: "exponential", transform: None, censored: true, fit: fitExponential},
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

// CensoredFamilies returns the names of the families that support Options.Censored:
// those of one component, to whose likelihood a killed job adds one term.
func CensoredFamilies() []string {
	var names []string
	for _, f := range families() {
		if f.censored {
			names = append(names, f.name)
		}
	}
	return names
}

// whyEnded says why a family takes all jobs as ended.
func (f family) whyEnded() string {
	switch {
	case f.own:
		return "since its Fit is given complete values alone"
	case f.refit != nil:
		return "since EM shares out jobs among the components by where they ended"
	case f.name == "pareto" || f.name == "uniform":
		return "since its bounds are values of the sample themselves"
	}
	return "since it follows the distribution function of the values, or stages between them"
}

// leastSquares are the families fitted by MethodLeastSquares.
var leastSquares = []string{"uniform-log", "multi-stage-uniform-log", "two-stage-uniform"}

// The methods by which laws are fitted, as Report.Method names them.
const (
	MethodLeastSquares      = "least-squares" // of the distribution function
	MethodMaximumLikelihood = "maximum-likelihood"
)

// method is how the family is fitted; "" for a custom one, which alone knows.
func (f family) method() string {
	switch {
	case f.own:
		return ""
	case slices.Contains(leastSquares, f.name):
		return MethodLeastSquares
	}
	return MethodMaximumLikelihood
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
