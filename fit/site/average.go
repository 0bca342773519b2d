package site

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// AverageSchema names the JSON form of AverageResult and its version.
const AverageSchema = "loadstone.fit-representative/1"

// AverageOptions are the options of Average. Only Name is required.
type AverageOptions struct {
	Name   string
	Method string // for the laws of run times: MethodAverage or MethodSearch; "" means MethodAverage
	// Processors is the size of the machine; 0 means the largest of the sites.
	Processors int64
}

// AverageResult is the result of Average: one model of several sites.
type AverageResult struct {
	Schema   string         `json:"schema"`
	Method   string         `json:"method"` // MethodAverage or MethodSearch
	Sites    []AveragedSite `json:"sites"`
	Model    AveragedSite   `json:"model"`
	Searches []ClassSearch  `json:"-"` // of MethodSearch, by class
}

// ClassSearch is the search for the law of a class's run times.
type ClassSearch struct {
	Class string
	LawSearch
}

// AveragedSite is a model with its origin.
type AveragedSite struct {
	Input string    `json:"input,omitempty"` // file; "" for the average
	Model ModelFile `json:"model"`
	Fit   *Report   `json:"fit,omitempty"` // nil unless Input is a log
}

// ModelFile is a model whose JSON is the model file.
type ModelFile struct{ model.Site }

// MarshalJSON writes the model file.
func (m ModelFile) MarshalJSON() ([]byte, error) {
	return m.Site.Encode()
}

// JSONShape returns the type of the JSON: an object that package model describes.
func (ModelFile) JSONShape() any { return map[string]any{} }

// The sizes of the paper's final model, section 4.3: the law of log2 of the
// size begins 0.2 below log2 of the smallest parallel size, 2, has its border
// 2.5 below log2 of the machine's size, and ends at the latter.
const (
	averageLow = 1 - 0.2
	averageMid = 2.5
)

// Average makes one model of several, class by class, as Lublin and
// Feitelson (2003) made theirs of four logs:
//
//   - sizes: shares of serial jobs, of powers of two and below the border are
//     arithmetic means; the law's ends are the machine's (section 4.3);
//   - run times: AverageLaw or SearchLaw (section 5.2); the line p(size) is the
//     arithmetic mean (section 6.3);
//   - arrivals: peak Gamma and cycle are geometric means of each parameter (section 7.1), and so
//     are the ARAR and, if every site has it, the mean interarrival time of a class; sites
//     without a cycle are not included in its mean. A weekly cycle is the arithmetic mean.
//
// Limits are the largest of those of the sites. Classes are matched by name; the names must be
// the same in all sites, unless each site has only one class. Column and value are the first
// site's.
//
// It is an error if there is no site, if one is not valid or has a part whose form is not that of
// a fit, if classes differ, if no law is found, or if the machine is too small.
func Average(sites []AveragedSite, o AverageOptions) (*AverageResult, error) {
	r := &AverageResult{Schema: AverageSchema, Method: o.Method, Sites: sites}
	if r.Method == "" {
		r.Method = MethodAverage
	}
	if r.Method != MethodAverage && r.Method != MethodSearch {
		return nil, fmt.Errorf("method of an average site is %q, want %q or %q", o.Method, MethodAverage, MethodSearch)
	}
	if len(sites) == 0 {
		return nil, errors.New("average of no sites, want at least one")
	}
	out := &r.Model.Model.Site
	*out = model.Site{Schema: model.Schema, Name: o.Name, Processors: o.Processors, Source: fmt.Sprintf("representative model (%s) of %d sites", r.Method, len(sites))}
	for _, s := range sites {
		if err := s.Model.Validate(); err != nil {
			return nil, fmt.Errorf("average of sites: %s: %w", s.Model.Name, err)
		}
		if o.Processors == 0 {
			out.Processors = max(out.Processors, s.Model.Processors)
		}
		for _, c := range s.Model.Classes {
			if form := otherForm(c); form != "" {
				return nil, fmt.Errorf("average of sites: class %s of %s has %s, want sizes by two stages, ln run times of two Gammas and arrivals by a Gamma and a daily cycle, as a log's fit has them", c.Name, s.Model.Name, form)
			}
		}
	}
	if !(math.Log2(float64(out.Processors))-averageMid > averageLow) {
		return nil, fmt.Errorf("average site of %d processors, want at least 10", out.Processors)
	}
	for _, first := range sites[0].Model.Classes {
		classes, err := sameClass(sites, first.Name)
		if err == nil {
			err = r.average(classes)
		}
		if err != nil {
			return nil, fmt.Errorf("average of sites: class %s: %w", first.Name, err)
		}
	}
	return r, out.Validate()
}

// sameClass returns the class with the given name of each site.
func sameClass(sites []AveragedSite, name string) (classes []model.Class, err error) {
	for _, s := range sites {
		of := s.Model.Classes
		if n := len(sites[0].Model.Classes); len(of) != n {
			return nil, fmt.Errorf("%s has %d classes and %s has %d, want the same", sites[0].Model.Name, n, s.Model.Name, len(of))
		}
		at := 0
		if len(of) > 1 {
			at = slices.IndexFunc(of, func(c model.Class) bool { return c.Name == name })
		}
		if at < 0 {
			return nil, fmt.Errorf("%s has no class of this name, as %s has", s.Model.Name, sites[0].Model.Name)
		}
		classes = append(classes, of[at])
	}
	return classes, nil
}

// otherForm returns a description of the first part of a class whose form is not that of a fit
// and cannot be averaged; "" if there is none.
func otherForm(c model.Class) string {
	if c.Malleable != nil {
		return "malleable jobs"
	}
	_, isGamma := c.RunTimes.(*model.GammaRunTimes)
	_, isTwoStage := c.Sizes.(*model.TwoStageSizes)
	switch {
	case !isGamma:
		return "a distribution of run times in seconds"
	case !isTwoStage:
		return "a table of sizes"
	case c.Arrivals.Interarrival.Law != nil:
		return "a distribution of interarrival times in seconds"
	case c.Arrivals.Day != nil:
		return "the weights of half hours instead of a daily cycle"
	}
	return ""
}

// average adds the average of classes to the model.
func (r *AverageResult) average(classes []model.Class) (err error) {
	first := classes[0]
	c := model.Class{Name: first.Name, Column: first.Column, Value: first.Value}
	end := math.Log2(float64(r.Model.Model.Processors))
	sizes, run, arrivals := new(model.TwoStageSizes), new(model.GammaRunTimes), &c.Arrivals
	c.Sizes, c.RunTimes = sizes, run
	var runs []dist.HyperGamma
	var peaks, cycles []dist.Gamma
	var arars, rates []float64
	var week [model.Weekdays]float64
	weeks, n := 0.0, float64(len(classes))
	for _, k := range classes {
		c.Jobs += k.Jobs
		own := k.Sizes.(*model.TwoStageSizes)
		sizes.SerialShare += own.SerialShare / n
		sizes.PowerOfTwoShare += own.PowerOfTwoShare / n
		sizes.Log2.P += own.Log2.P / n
		ran := k.RunTimes.(*model.GammaRunTimes)
		run.PSlope += ran.PSlope / n
		run.PIntercept += ran.PIntercept / n
		run.Law.MaxLn = max(run.Law.MaxLn, ran.Law.MaxLn)
		arrivals.Peak.MaxLn = max(arrivals.Peak.MaxLn, k.Arrivals.Peak.MaxLn)
		arars, rates = append(arars, k.Arrivals.ARAR), append(rates, k.Arrivals.MeanSeconds)
		runs, peaks = append(runs, ran.Law.HyperGamma), append(peaks, k.Arrivals.Peak.Gamma)
		if k.Arrivals.Method != model.Stationary {
			cycles = append(cycles, k.Arrivals.Cycle)
		}
		if k.Arrivals.Week != nil {
			weeks++
			for d, w := range k.Arrivals.Week {
				week[d] += w
			}
		}
	}
	// A mean of shares may be above 1 by rounding alone.
	sizes.SerialShare, sizes.PowerOfTwoShare = min(1, sizes.SerialShare), min(1, sizes.PowerOfTwoShare)
	sizes.Log2 = dist.TwoStageUniform{Low: averageLow, Mid: end - averageMid, High: end, P: min(1, sizes.Log2.P)}
	if weeks > 0 {
		for d := range week {
			week[d] /= weeks
		}
		arrivals.Week = &week
	}
	arrivals.ARAR, arrivals.Peak.Gamma = geometric(arars), geometricGamma(peaks)
	arrivals.MeanSeconds = geometric(rates) // 0, for none, unless all sites have it
	arrivals.Method = model.Stationary
	if len(cycles) > 0 {
		arrivals.Method, arrivals.Cycle = model.SlotWeights, geometricGamma(cycles)
	}
	if run.Law.HyperGamma, err = r.law(c.Name, runs); err != nil {
		return fmt.Errorf("run times: %w", err)
	}
	r.Model.Model.Classes = append(r.Model.Model.Classes, c)
	return nil
}

// law combines the laws of a class's run times into one by the method.
func (r *AverageResult) law(class string, laws []dist.HyperGamma) (dist.HyperGamma, error) {
	if r.Method == MethodAverage {
		return AverageLaw(laws)
	}
	s, err := SearchLaw(laws)
	r.Searches = append(r.Searches, ClassSearch{class, s})
	return s.Law, err
}

// geometric returns the geometric mean; 0 if a value is 0.
func geometric(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += math.Log(v) / float64(len(x))
	}
	return math.Exp(sum)
}

// geometricGamma returns the Gamma law with the geometric means of the parameters.
func geometricGamma(laws []dist.Gamma) dist.Gamma {
	var shapes, scales []float64
	for _, l := range laws {
		shapes, scales = append(shapes, l.Shape), append(scales, l.Scale)
	}
	return dist.Gamma{Shape: geometric(shapes), Scale: geometric(scales)}
}
