package evaluate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// filled has the defaults in place of zeros.
func (o WaitsOptions) filled() WaitsOptions {
	if len(o.Predictors) == 0 {
		o.Predictors = WaitPredictors()
		if o.Sample > 0 {
			o.Predictors = SamplePredictors()
		}
	}
	if o.Law == "" {
		o.Law = "uniform-log"
	}
	for of, usual := range map[*float64]float64{&o.Quantile: 0.95, &o.Confidence: 0.95, &o.Trim: 0.1} {
		if *of == 0 {
			*of = usual
		}
	}
	if o.Policy == "" {
		o.Policy = sched.EASY{}.Name()
	}
	return o
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o WaitsOptions) Validate() error {
	o = o.filled()
	if err := validateReplicates(o.Replicates); err != nil {
		return err
	}
	if _, err := PolicyNamed(o.Policy, o.Policies); err != nil {
		return err
	}
	switch {
	case !(o.Quantile > 0 && o.Quantile < 1):
		return workload.OptionFault("quantile", o.Quantile, "a number between 0 and 1")
	case !(o.Confidence > 0 && o.Confidence < 1):
		return workload.OptionFault("confidence", o.Confidence, "a number between 0 and 1")
	case math.IsNaN(o.Trim) || o.Trim >= 0.5:
		return workload.OptionFault("trim", o.Trim, "0 or more and less than 0.5")
	case o.Months < 0 || o.Months > 0 && 12%o.Months != 0:
		return workload.OptionFault("months", o.Months, "0, 1, 2, 3, 4, 6 or 12")
	case o.FirstJobs < 0:
		return workload.OptionFault("first-jobs", o.FirstJobs, "1 or more")
	case o.Sample < 0:
		return workload.OptionFault("sample", o.Sample, "1 or more")
	case o.Processors < 0:
		return workload.OptionFault("procs", o.Processors, "1 or more")
	case o.EstimateFactor != 0 && !(o.EstimateFactor >= 1 && o.EstimateFactor <= 1e6):
		return workload.OptionFault("estimate-factor", o.EstimateFactor, "a number from 1 to 1e6")
	case int(o.Changes) >= len(predict.ChangeRules()):
		return workload.OptionFault("changes", uint8(o.Changes), "one of package predict's rules")
	}
	names := o.boundNames()
	for i, b := range o.Bounds {
		if b.Name == "" || b.New == nil || slices.Index(names, b.Name) < i ||
			slices.Contains(AllWaitPredictors(), b.Name) && !slices.Contains(boundNames(), b.Name) {
			return workload.OptionFault("bounds", fmt.Sprintf("%q, number %d", b.Name, i+1), "methods with New, each with a different name")
		}
	}
	own := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(AllWaitPredictors(), name) })
	for _, x := range []struct {
		option string
		saw    []string
		valid  []string
	}{
		{"predictors", o.Predictors, slices.Concat(AllWaitPredictors(), own)},
		{"by", o.By, WaitsParts()},
		{"law", []string{o.Law}, Laws()},
	} {
		for _, name := range x.saw {
			if !slices.Contains(x.valid, name) {
				return workload.OptionFault(x.option, strconv.Quote(name), "one of %s", strings.Join(x.valid, ", "))
			}
		}
	}
	for _, x := range []struct {
		option  string
		columns []string
	}{{"classes", o.Classes}, {"groups", o.Groups}} {
		if _, err := workload.ParseClasses(x.columns, workload.Grouping{Submitted: true, Named: o.Named}); err != nil {
			return workload.OptionNamed(x.option, err)
		}
	}
	if o.Sample == 0 {
		for _, name := range ArrivalPredictors() {
			if slices.Contains(o.Predictors, name) {
				return workload.OptionFault("predictors", strconv.Quote(name), "it with a `sample` of jobs: it is scored at submissions alone")
			}
		}
	}
	names = o.Scored()
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return workload.OptionFault("predictors", strconv.Quote(name)+" twice", "each once")
		}
	}
	return nil
}

// arrivalPolicy is the policy of the schedules of the sample.
func (o *WaitsOptions) arrivalPolicy() sched.Policy {
	p, _ := PolicyNamed(o.Policy, o.Policies)
	return p
}

// grouping reads the words of Classes and Groups.
func (r *waits) grouping() workload.Grouping {
	return workload.Grouping{Submitted: true, Named: r.o.Named, Header: &r.log.Header}
}

// boundOptions are those that all bounds share.
func (r *waits) boundOptions() (b predict.BoundOptions, err error) {
	b.Changes, b.Methods = r.o.Changes, r.o.Bounds
	if len(r.o.Groups) > 0 {
		b.Groups, err = workload.ClassesOf(r.o.Groups, r.grouping())
	}
	return b, err
}
