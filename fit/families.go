package fit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// family describes how a family of laws is fitted: a row of the table below.
type family struct {
	name      string
	method    string    // Report.Method
	transform Transform // "" for Attribute.Transform
	positive  bool      // the transformed attribute must be above 0
	// complete is the reason why the family must assume that all jobs ended; "" if it supports
	// Options.Censored.
	complete string
	shape    float64 // shape of all components of a Gamma mixture; 0 if it is estimated
	fit      func(task) (outcome, error)
	// refit fits a bootstrap replicate; near is the law that it was drawn from. nil means fit.
	refit func(t task, near dist.Law) (outcome, error)
}

// transformOf returns the transform that is applied to an attribute before a law is fitted.
func (f family) transformOf(a Attribute) Transform { return cmp.Or(f.transform, a.Transform()) }

// least returns the value that an attribute must exceed for the family to use it.
func (f family) least(a Attribute) float64 {
	if f.positive {
		return f.transformOf(a).least()
	}
	return 0
}

// The methods by which laws are fitted, as in Report.Method.
const (
	MethodLeastSquares      = "least-squares" // least squares of the distribution function
	MethodMaximumLikelihood = "maximum-likelihood"
)

// Reasons why families must assume that all jobs ended.
const (
	ofPlaces = "since it follows the distribution function of the values, or stages between them"
	ofShares = "since EM shares out jobs among the components by where they ended"
	ofBounds = "since its bounds are values of the sample themselves"
)

// families returns the table of the families. A new family is one row here and one file.
func families() []family {
	const squares, likelihood = MethodLeastSquares, MethodMaximumLikelihood
	return []family{
		{"uniform-log", squares, None, true, ofPlaces, 0, fitUniformLog, nil},
		{"multi-stage-uniform-log", squares, None, true, ofPlaces, 0, fitMultiStageUniformLog, nil},
		{"gamma", likelihood, "", true, "", 0, fitGamma, nil},
		{"hyper-gamma", likelihood, "", true, ofShares, 0, fitHyperGamma, refitHyperGamma},
		{"hyper-exponential", likelihood, None, true, ofShares, 1, fitHyperGamma, refitHyperGamma},
		{"hyper-erlang", likelihood, "", true, ofShares, 0, fitHyperErlang, refitHyperErlang},
		{"two-stage-uniform", squares, "", true, ofPlaces, 0, fitTwoStageUniform, nil},
		{"log-normal", likelihood, None, true, "", 0, fitLogNormal, nil},
		{"weibull", likelihood, None, true, "", 0, fitWeibull, nil},
		{"pareto", likelihood, None, true, ofBounds, 0, fitPareto, nil},
		{"exponential", likelihood, None, false, "", 0, fitExponential, nil},
		{"uniform", likelihood, None, false, ofBounds, 0, fitUniform, nil},
	}
}

// Families returns the names of the families of this package.
func Families() []string { return namesOf(families(), func(family) bool { return true }) }

// CensoredFamilies returns the names of the families that support Options.Censored: those of one
// component, where a killed job adds one term to the likelihood.
func CensoredFamilies() []string {
	return namesOf(families(), func(f family) bool { return f.complete == "" })
}

func namesOf(table []family, has func(family) bool) (names []string) {
	for _, f := range table {
		if has(f) {
			names = append(names, f.name)
		}
	}
	return names
}

// Family is a custom family of laws (Options.Families). Fit, RankFamilies and the bootstrap treat
// it like those of this package. It does not support Options.Censored.
type Family struct {
	Name      string    // unique name in reports, such as "log-logistic"
	Transform Transform // transform before laws are fitted; "" for Attribute.Transform
	Positive  bool      // whether jobs whose transformed attribute is not above 0 are left out
	Free      int       // number of parameters that Fit estimates, for AIC and BIC; 1 or more

	// Fit returns the law for one or more transformed values, which are distinct and ascending;
	// counts[i] is the number of jobs with values[i]. If they do not determine a law, the error
	// states what is missing. Fit must depend only on its arguments, must not modify or keep
	// them, and is called from several goroutines. A law that fails dist.Check is an error that
	// names the family.
	Fit func(values, counts []float64) (dist.Law, error)
}

// families returns the families of this package and those of the options.
func (o Options) families() []family {
	table := families()
	for _, f := range o.Families {
		table = append(table, family{f.Name, "", f.Transform, f.Positive, "since its Fit is given complete values alone", 0, f.fit, nil})
	}
	return table
}

func (f Family) fit(t task) (outcome, error) {
	law, err := f.Fit(t.x, t.sample.Counts)
	if err == nil {
		err = dist.Validate(law)
	}
	if err != nil {
		return outcome{}, t.degenerate(err.Error())
	}
	if err := dist.Check(law); err != nil {
		return outcome{}, fmt.Errorf("fit: family %s: %w", f.Name, err)
	}
	return outcome{law: law, free: f.Free, status: Converged, family: f.Name}, nil
}

// familyOf returns the family with the given name. The error is a
// *workload.OptionError if the name is unknown or if a custom family is not complete.
func (o Options) familyOf(name string) (family, error) {
	known := Families()
	for _, f := range o.Families {
		if f.Name == "" || f.Fit == nil || f.Free < 1 || !f.Transform.known() || slices.Contains(known, f.Name) {
			return family{}, workload.OptionFault("families", fmt.Sprintf("%q", f.Name), "families with a unique name, a transform of this package or none, Fit, and 1 or more in Free")
		}
		known = append(known, f.Name)
	}
	i := slices.Index(known, name)
	if i < 0 {
		return family{}, workload.OptionFault("family", strconv.Quote(name), "one of %s", strings.Join(known, ", "))
	}
	return o.families()[i], nil
}

// Fit fits a family of laws to a sample of an attribute.
//
// Most families need a transformed attribute above 0, so run times up to 1 s are left out of a
// fit to their logarithm and counted in Report.LeftOut. It is an error if a name is unknown, if
// the sample or an option is out of range, and, as a *DegenerateError, if the sample does not
// determine the law. A fit that did not converge is not an error; see Report.Status.
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
	o = o.filled(s)
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
	transform Transform
	sample    Sample
	x         []float64 // the transformed values
	options   Options
	pressed   bool // whether a mixture is refitted to the pressed sample
}

func newTask(f family, a Attribute, s Sample, o Options) task {
	transform := f.transformOf(a)
	s = s.above(a, f.least(a))
	if !slices.ContainsFunc(s.Censored, func(jobs float64) bool { return o.Censored && jobs > 0 }) {
		s.Censored = nil
	}
	x := s.Values
	if transform != None {
		x = make([]float64, len(s.Values))
		for i, v := range s.Values {
			x[i] = transform.Apply(v)
		}
	}
	return task{family: f, attribute: a, transform: transform, sample: s, x: x, options: o}
}

// resolution returns the width of a rounding cell at x.
func (t task) resolution(x float64) float64 {
	return t.transform.width(x, t.options.Resolution)
}

// need returns an error if there are fewer than the given numbers of jobs and distinct values.
func (t task) need(jobs, distinct int) error {
	if len(t.x) < distinct || t.sample.Jobs() < int64(jobs) {
		return t.degenerate(fmt.Sprintf("want at least %d jobs and %d distinct values", jobs, distinct))
	}
	return nil
}

// DegenerateError reports a sample that does not determine a law: it has too few jobs or too few
// distinct values.
type DegenerateError struct {
	Family    string
	Attribute Attribute
	By        string
	Jobs      int64 // number of jobs that the family could use
	Distinct  int   // number of their distinct values
	Why       string
}

func (e *DegenerateError) Error() string {
	return fmt.Sprintf("%s of %s (%s): %s with %s can be used: %s",
		e.Family, e.Attribute, e.By, words.Counted(e.Jobs, "job"), words.Counted(e.Distinct, "distinct value"), e.Why)
}

func (t task) degenerate(why string) error {
	return &DegenerateError{t.family.name, t.attribute, t.options.By, t.sample.Jobs(), len(t.x), why}
}
