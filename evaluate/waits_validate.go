package evaluate

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/internal/opt"
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
	opt.Fill(&o)
	return o
}

// Choices are the values of options that take one of some.
func (o *WaitsOptions) Choices(option string) []string {
	switch option {
	case "predictors":
		own := slices.DeleteFunc(o.boundNames(), func(name string) bool { return slices.Contains(AllWaitPredictors(), name) })
		return slices.Concat(AllWaitPredictors(), own)
	case "law":
		return Laws()
	case "by":
		return WaitsParts()
	case "changes":
		return predict.ChangeRules()
	case "policy":
		return policyNames(o.Policies)
	}
	return nil
}

// Grouping is that of ways to sort jobs.
func (o *WaitsOptions) Grouping(option string) *workload.Grouping {
	if option == "classes" || option == "groups" {
		return &workload.Grouping{Submitted: true, Named: o.Named}
	}
	return nil
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o WaitsOptions) Validate() error {
	o = o.filled()
	if err := opt.Check(&o); err != nil {
		return err
	}
	if _, err := PolicyNamed(o.Policy, o.Policies); err != nil {
		return err
	}
	names := o.boundNames()
	for i, b := range o.Bounds {
		if b.Name == "" || b.New == nil || slices.Index(names, b.Name) < i ||
			slices.Contains(AllWaitPredictors(), b.Name) && !slices.Contains(boundNames(), b.Name) {
			return workload.OptionFault("bounds", fmt.Sprintf("%q, number %d", b.Name, i+1), "methods with New, each with a different name")
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

// trim is the share as package fit takes it, where 0 stands for a default.
func (o *WaitsOptions) trim() float64 {
	if *o.Trim == 0 {
		return -1
	}
	return *o.Trim
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
