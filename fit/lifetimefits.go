package fit

import (
	"errors"
	"fmt"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// LifetimeFit is a class with the law of its run times: the conditional
// lifetime model of Downey (1997), section 3.1, which uses a law of its own
// for each class.
type LifetimeFit struct {
	Class  LifetimeClass
	Report *Report // nil where the class is not fitted
	Why    string  // why it is not
}

// FitLifetimes fits a family to the run times of each class. A class with
// fewer than minJobs jobs with a positive run time (0 is 100), or whose jobs
// do not determine a law, is reported, not fitted. By in the options is set to
// the class's label. It is an error if the family or an option is wrong. The
// result does not depend on the number of cores.
func FitLifetimes(classes []LifetimeClass, family string, o Options, minJobs int64) ([]LifetimeFit, error) {
	if minJobs < 0 {
		return nil, fmt.Errorf("fit: fewest jobs of a class is %d, want 0 or more", minJobs)
	}
	if minJobs == 0 {
		minJobs = defaultMinJobs
	}
	fits := make([]LifetimeFit, len(classes))
	errs := make([]error, len(classes))
	workers := o.Workers
	if len(classes) > 1 {
		o.Workers = 1
	}
	par.Each(workers, len(classes), func(i int) {
		fits[i], errs[i] = fitLifetime(classes[i], family, o, minJobs)
	})
	if len(classes) == 0 { // a wrong name is wrong without classes too
		if _, err := Fit(family, RunTime, Sample{}, o); err != nil && !isDegenerate(err) {
			return nil, err
		}
	}
	return fits, errors.Join(errs...)
}

func fitLifetime(class LifetimeClass, family string, o Options, minJobs int64) (LifetimeFit, error) {
	out := LifetimeFit{Class: class}
	if n := class.Sample.Jobs(); n < minJobs {
		out.Why = fewJobs(n, minJobs)
		return out, nil
	}
	o.By = class.Label
	if class.Period.Label != "" {
		o.By += ", " + class.Period.Label
	}
	r, err := Fit(family, RunTime, class.Sample, o)
	switch {
	case isDegenerate(err):
		out.Why = err.Error()
		return out, nil
	case err != nil:
		return out, err
	}
	out.Report = &r
	return out, nil
}

func isDegenerate(err error) bool {
	var degenerate *DegenerateError
	return errors.As(err, &degenerate)
}

// AttributeLaw returns the law of the attribute itself, in its own unit; false
// where Law is of the binary logarithm.
func (r Report) AttributeLaw() (dist.Law, bool) {
	switch r.Transform {
	case None:
		return r.Law, true
	case Ln:
		return dist.Ln{Inner: r.Law}, true
	}
	return nil, false
}

func fewJobs(n, want int64) string {
	return fmt.Sprintf("%d jobs with a positive run time, want at least %d", n, want)
}
