package lifetimes

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// Schema names the JSON form of Result and its version.
const Schema = "loadstone.lifetimes/1"

// Result is the result of Compute.
type Result struct {
	Schema   string             `json:"schema"`
	Log      string             `json:"log"`
	Family   string             `json:"family"`
	Classes  []ClassLifetimes   `json:"classes"`
	Overlap  Overlap            `json:"overlap"`
	Drift    []ClassDrift       `json:"drift,omitempty"` // nil without periods
	Warnings []workload.Warning `json:"warnings,omitempty"`
}

// ClassLifetimes contains the law of one class and the remaining lifetimes of
// its jobs.
type ClassLifetimes struct {
	Label     string      `json:"class"`
	Jobs      int64       `json:"jobs"` // with a positive run time
	Fitted                // its Class, Report and Why
	Remaining []Remaining `json:"remaining" row:"each"` // empty if the class is not fitted
}

// At returns the remaining lifetime at one of the ages in Remaining, in
// seconds; its fields are NaN for other ages.
func (c ClassLifetimes) At(age float64) Remaining {
	for _, r := range c.Remaining {
		if float64(r.Age) == age {
			return r
		}
	}
	return Remaining{MedianData: unknown, MedianModel: unknown, MeanData: unknown, MeanModel: unknown}
}

func (r *Result) warn(rule, text string) {
	r.Warnings = append(r.Warnings, workload.Warning{Rule: rule, Text: text, Count: 1})
}

// fill fits the classes, and those of the parts of time.
func (r *Result) fill(classes, parts []Class, o ComputeOptions) error {
	fits, err := Fit(classes, r.Family, o.Fit, o.LeastJobs)
	if err != nil {
		return err
	}
	for _, f := range fits {
		c := ClassLifetimes{Label: f.Class.Label, Jobs: f.Class.Sample.Jobs(), Fitted: f, Remaining: []Remaining{}}
		if f.Report != nil {
			law, _ := f.Report.AttributeLaw()
			if c.Remaining, err = RemainingAt(law, f.Class.Sample, TableAges(f.Class.Sample)); err != nil {
				return err
			}
		}
		r.Classes = append(r.Classes, c)
	}
	r.Overlap = NewOverlap(classes, o.LeastJobs)
	if parts != nil {
		r.Drift, err = Drift(parts, o.Fit, o.LeastJobs)
	}
	return err
}
