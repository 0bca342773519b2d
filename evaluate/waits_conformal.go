package evaluate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// conformalNames are the predictors that have features and a state.
var conformalNames = []string{predict.ConformalBound, predict.ConformalPoint}

// feature is a column that conformal learns from.
type feature struct {
	*workload.Column
	known bool // some job has a value
}

// validateConformal checks Features, Load and Save.
func (o *WaitsOptions) validateConformal() error {
	var features []*workload.Column
	for _, name := range o.Features {
		c := workload.FindColumn(name)
		if c == nil || !c.Submitted() {
			return workload.OptionFault("features", strconv.Quote(name), "columns that are known at submission: %s", workload.Grouping{Submitted: true, Plain: true}.Help(name))
		}
		if slices.Contains(features, c) {
			return workload.OptionFault("features", strconv.Quote(name)+" twice", "each column once")
		}
		features = append(features, c)
	}
	conformal := func(name string) bool { return slices.Contains(conformalNames, name) }
	if o.Save != nil && !slices.ContainsFunc(o.Predictors, conformal) {
		return workload.OptionFault("save", "without conformal", "conformal or conformal-point among the predictors")
	}
	if o.Load == nil {
		return nil
	}
	for _, name := range o.Scored() {
		if !conformal(name) {
			return workload.OptionFault("load", "together with "+name, "conformal and conformal-point alone")
		}
	}
	if o.Calibration {
		return workload.OptionFault("calibration", "together with a state that is loaded", "one of them: each level of a calibration takes a run from the beginning")
	}
	if len(o.Features) > 0 {
		return workload.OptionFault("features", "together with a state that is loaded", "one of them: the state has its features")
	}
	return nil
}

// load reads the state that the bounds go on from, and the jobs under way in it.
func (r *waits) load(options *predict.BoundOptions) error {
	if r.o.Load == nil {
		return nil
	}
	c, under, err := predict.LoadConformal(r.o.Load, *options)
	if err != nil {
		return err
	}
	if !c.Has(r.o.Quantile) {
		return workload.OptionFault("quantile", r.o.Quantile, "one that the loaded state has: %s", strings.Trim(fmt.Sprint(c.Quantiles()), "[]"))
	}
	if r.o.Confidence != c.Confidence() {
		return workload.OptionFault("confidence", r.o.Confidence, "%g, as the loaded state has", c.Confidence())
	}
	options.Resume, r.underWay = c, under
	return nil
}

// goingOn yields the jobs under way of a loaded state, then those of the log, and saves
// the state when the last job has been submitted: later events belong to the log that
// continues this one.
func (r *waits) goingOn(jobs workload.JobSeq, c *predict.Conformal) workload.JobSeq {
	if c == nil {
		return jobs
	}
	return func(yield func(workload.Job, error) bool) {
		kept := slices.Clone(r.underWay) // of which those under way are saved
		for _, j := range r.underWay {
			if !yield(j, nil) {
				return
			}
		}
		begun, full := r.o.Load == nil, 1024
		for j, err := range jobs {
			if err == nil && !begun {
				if begun = true; j.Submit < c.Moment() {
					err = fmt.Errorf("the log begins at %s s, before the moment of the loaded state, %s s: want a log that begins where the other ended, in the same time",
						strconv.FormatFloat(j.Submit, 'f', -1, 64), strconv.FormatFloat(c.Moment(), 'f', -1, 64))
				}
			}
			if !yield(j, err) || err != nil {
				return
			}
			if r.o.Save == nil {
				continue
			}
			if kept = append(kept, j); len(kept) > full {
				kept = slices.DeleteFunc(kept, func(k workload.Job) bool { return ended(&k) < j.Submit })
				full = 2*len(kept) + 1024
			}
		}
		if r.o.Save != nil {
			if err := c.Save(r.o.Save, kept); err != nil {
				yield(workload.Job{}, err)
			}
		}
	}
}

// ended returns the time of the last event of a job, s.
func ended(j *workload.Job) float64 {
	last := j.Submit
	for _, x := range []float64{j.Wait, j.Run} {
		if !math.IsNaN(x) {
			last += max(0, x)
		}
	}
	return last
}
