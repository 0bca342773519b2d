package lifetimes

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/words"
)

// Fitted is a class with the law of its run times: the conditional lifetime model of Downey
// (1997), section 3.1, which uses a separate law for each class.
type Fitted struct {
	Class  Class       `json:"-"`
	Report *fit.Report `json:"fit"`           // nil if the class is not fitted
	Why    string      `json:"why,omitempty"` // why it is not fitted
}

// Fit fits a family to the run times of each class. A class with fewer than minJobs jobs with a
// positive run time (0 means fit.DefaultMinJobs), or whose jobs do not determine a law, is not
// fitted; its Why has the reason. By in the options is replaced by the class's label. It is an
// error if the family or an option is wrong. The result does not depend on the number of cores.
func Fit(classes []Class, family string, o fit.Options, minJobs int64) ([]Fitted, error) {
	if minJobs < 0 {
		return nil, fmt.Errorf("fewest jobs of a class is %d, want 0 or more", minJobs)
	}
	minJobs = cmp.Or(minJobs, fit.DefaultMinJobs)
	fits := make([]Fitted, len(classes))
	errs := make([]error, len(classes))
	workers := o.Workers
	if len(classes) > 1 {
		o.Workers = 1
	}
	par.Each(workers, len(classes), func(i int) {
		fits[i], errs[i] = fitClass(classes[i], family, o, minJobs)
	})
	if len(classes) == 0 { // report a wrong name even without classes
		if _, err := fit.Fit(family, fit.RunTime, fit.Sample{}, o); err != nil && !degenerate(err) {
			return nil, err
		}
	}
	return fits, errors.Join(errs...)
}

func fitClass(class Class, family string, o fit.Options, minJobs int64) (Fitted, error) {
	out := Fitted{Class: class}
	if n := class.Sample.Jobs(); n < minJobs {
		out.Why = fmt.Sprintf("%s with a positive run time, want at least %d", words.Counted(n, "job"), minJobs)
		return out, nil
	}
	o.By = class.name()
	r, err := fit.Fit(family, fit.RunTime, class.Sample, o)
	switch {
	case degenerate(err):
		out.Why = err.Error()
		return out, nil
	case err != nil:
		return out, err
	}
	out.Report = &r
	return out, nil
}

func degenerate(err error) bool { return errors.As(err, new(*fit.DegenerateError)) }
