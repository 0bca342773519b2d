package survey

import (
	"math"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Schema names the JSON form of Result and its version.
const Schema = "loadstone.fit/1"

// Result is the result of Compute.
type Result struct {
	Schema string           `json:"schema"`
	Log    workload.Summary `json:"log"`
	// Fits are the fitted laws; those of one class and attribute are in order
	// of rank.
	Fits []fit.Report `json:"fits"`
	// Site is the report of the model, nil if there is none. If its classes
	// are interactive and batch jobs, SiteOfAll is the fit of all jobs as one
	// class: the paper fits all three.
	Site      *site.Report `json:"site,omitempty"`
	SiteOfAll *site.Report `json:"site_of_all_jobs,omitempty"`
	// Check is that of the model, which Compute leaves nil: evaluate.CheckWaits makes it.
	Check    *model.Check       `json:"check,omitempty"`
	Warnings []workload.Warning `json:"warnings,omitempty"`

	// Model is the model of the site, without classes if there is none;
	// ModelOfAll belongs to SiteOfAll.
	Model      model.Site  `json:"-"`
	ModelOfAll *model.Site `json:"-"`
	// WhyNoModel is the reason why a requested model is missing;
	// WhyNoIntervals the reason why its parameters have no intervals.
	WhyNoModel     error  `json:"-"`
	WhyNoIntervals string `json:"-"`

	// By and Attributes are those of the options, with defaults filled in.
	By         string          `json:"-"`
	Attributes []fit.Attribute `json:"-"`
	// Classes are the jobs to which laws are fitted; SiteClasses are those of
	// the model, which together are the whole log.
	Classes     []fit.Class `json:"-"`
	SiteClasses []fit.Class `json:"-"`
	// First and Last are the times of the first and the last submission, in
	// seconds; infinite if no job has one.
	First float64 `json:"-"`
	Last  float64 `json:"-"`
}

// SeveralSchema names the JSON form of Several and its version.
const SeveralSchema = "loadstone.fits/1"

// Several are the results of several logs.
type Several struct {
	Schema string    `json:"schema"`
	Logs   []*Result `json:"logs"`
}

// Sites returns the reports of the model: SiteOfAll, if there is one, and Site.
func (r *Result) Sites() []*site.Report {
	var all []*site.Report
	for _, s := range []*site.Report{r.SiteOfAll, r.Site} {
		if s != nil {
			all = append(all, s)
		}
	}
	return all
}

// OfferedLoad returns the load that the jobs of the model's classes offered to
// the model's machine, from the first submission to the last. Laws of the
// logarithm of interarrival times do not preserve it. It is NaN if there is no
// model, or no time between submissions.
func (r *Result) OfferedLoad() float64 {
	if len(r.Model.Classes) == 0 || !(r.Last > r.First) {
		return math.NaN()
	}
	work := 0.0
	for _, c := range r.SiteClasses {
		s := c.Sample(fit.Work)
		for i, v := range s.Values {
			work += v * s.Counts[i]
		}
	}
	return work / (float64(r.Model.Processors) * (r.Last - r.First))
}

// Ranked returns Fits with their places, by class and attribute.
func (r *Result) Ranked() []fit.Ranked {
	var all []fit.Ranked
	for from := 0; from < len(r.Fits); {
		to := from + 1
		for to < len(r.Fits) && r.Fits[to].Attribute == r.Fits[from].Attribute && r.Fits[to].By == r.Fits[from].By {
			to++
		}
		all = append(all, fit.Rank(r.Fits[from:to])...)
		from = to
	}
	return all
}
