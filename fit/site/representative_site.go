package site

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// RepresentativeOptions are the options of Representative. Only Name is
// required.
type RepresentativeOptions struct {
	Name   string
	Method string // for the laws of run times and of work: MethodAverage or MethodSearch; "" means MethodAverage
	// Processors is the size of the machine; 0 means the largest of the sites.
	Processors int64
}

// RepresentativeReport describes how a representative site was made.
type RepresentativeReport struct {
	Method  string
	Sites   []string // their names
	Classes []RepresentativeClass
}

// RepresentativeClass contains the results of the search for a class; nil for
// MethodAverage.
type RepresentativeClass struct {
	Name           string
	RunTimes, Work *LawSearch
}

// The sizes of the paper's final model, section 4.3: the law of log2 of the
// size begins 0.2 below that of the smallest parallel job, 2, has its border
// 2.5 below that of the machine, and ends there.
const (
	representativeLow = 1 - 0.2
	representativeMid = 2.5
)

// Representative makes one model of several, class by class, as Lublin and
// Feitelson (2003) made theirs of four logs:
//
//   - sizes: shares of serial jobs, of powers of two and below the border are
//     arithmetic means; the law's ends are the machine's (section 4.3);
//   - run times, and work where every site has it: AverageLaw or SearchLaw
//     (section 5.2); the line p(size) is the arithmetic mean (section 6.3);
//   - arrivals: peak Gamma and cycle are geometric means of each parameter
//     (section 7.1), and so are the ARAR and, where every site has it, the mean
//     interarrival time of a class; sites without a cycle do not count
//     for it. A weekly cycle is the arithmetic mean.
//
// Limits are the largest of the sites'. Classes are matched by name; the names
// must be the same in all sites, unless each site has only one class. Column
// and value are those of the first site.
//
// It is an error if there is no site, if one is not valid or has a part of
// another form than a log's fit, if classes or forms of p(size) differ, if no law is found, and if the machine is too small.
func Representative(sites []model.Site, o RepresentativeOptions) (model.Site, RepresentativeReport, error) {
	r := RepresentativeReport{Method: o.Method}
	if r.Method == "" {
		r.Method = MethodAverage
	}
	if r.Method != MethodAverage && r.Method != MethodSearch {
		return model.Site{}, r, fmt.Errorf("method of a representative site is %q, want %q or %q", o.Method, MethodAverage, MethodSearch)
	}
	if len(sites) == 0 {
		return model.Site{}, r, errors.New("representative site of no sites, want at least one")
	}
	processors := o.Processors
	for _, s := range sites {
		if err := s.Validate(); err != nil {
			return model.Site{}, r, fmt.Errorf("representative site: %s: %w", s.Name, err)
		}
		if o.Processors == 0 {
			processors = max(processors, s.Processors)
		}
		r.Sites = append(r.Sites, s.Name)
	}
	if !(math.Log2(float64(processors))-representativeMid > representativeLow) {
		return model.Site{}, r, fmt.Errorf("representative site of %d processors, want at least 10", processors)
	}
	out := model.Site{
		Schema: model.Schema, Name: o.Name, Processors: processors,
		Source: fmt.Sprintf("representative model (%s) of %d sites", r.Method, len(sites)),
	}
	for _, s := range sites {
		for _, c := range s.Classes {
			if form := otherForm(c); form != "" {
				return model.Site{}, r, fmt.Errorf("representative site: class %s of %s has %s, want sizes by two stages, ln run times of two Gammas and arrivals by a Gamma and a daily cycle, as a log's fit has them", c.Name, s.Name, form)
			}
		}
	}
	for i := range sites[0].Classes {
		classes, err := sameClass(sites, i)
		if err != nil {
			return model.Site{}, r, err
		}
		c, rc, err := representativeClass(classes, processors, r.Method)
		if err != nil {
			return model.Site{}, r, fmt.Errorf("representative site: class %s: %w", classes[0].Name, err)
		}
		out.Classes = append(out.Classes, c)
		r.Classes = append(r.Classes, rc)
	}
	if err := out.Validate(); err != nil {
		return model.Site{}, r, fmt.Errorf("representative site: %w", err)
	}
	return out, r, nil
}

// sameClass is class i of the first site and those of its name in the others.
func sameClass(sites []model.Site, i int) ([]model.Class, error) {
	first := sites[0].Classes[i]
	var classes []model.Class
	for _, s := range sites {
		if len(s.Classes) != len(sites[0].Classes) {
			return nil, fmt.Errorf("representative site: %s has %d classes and %s has %d, want the same", sites[0].Name, len(sites[0].Classes), s.Name, len(s.Classes))
		}
		found := len(s.Classes) == 1
		for _, c := range s.Classes {
			if found || c.Name == first.Name {
				classes, found = append(classes, c), true
				break
			}
		}
		if !found {
			var names []string
			for _, c := range s.Classes {
				names = append(names, c.Name)
			}
			return nil, fmt.Errorf("representative site: %s has the classes %s, want one named %s, as %s has", s.Name, strings.Join(names, ", "), first.Name, sites[0].Name)
		}
	}
	return classes, nil
}

// otherForm is the part of a class that is of another form than a log's fit, of
// which no average is known; "" where there is none.
func otherForm(c model.Class) string {
	if c.Malleable != nil {
		return "malleable jobs"
	}
	switch c.RunTimes.(type) {
	case model.SecondsRunTimes:
		return "laws of run times in seconds"
	case model.WorkRunTimes:
		return "work with a speedup instead of run times"
	}
	if _, ok := c.Sizes.(model.SizeTable); ok {
		return "shares of sizes"
	}
	l := c.Lublin()
	switch {
	case l.Log2 == dist.TwoStageUniform{}:
		return "a Gamma distribution of sizes"
	case l.Gaps == model.LnGaps{}:
		return "a distribution of interarrival times in seconds"
	case c.Arrivals.Cycle != nil && l.Cycle == dist.Gamma{}:
		return "the weights of half hours instead of a daily cycle"
	}
	return ""
}

func representativeClass(classes []model.Class, processors int64, method string) (c model.Class, r RepresentativeClass, err error) {
	first := classes[0]
	c = model.Class{Name: first.Name, Column: first.Column, Value: first.Value}
	r.Name = first.Name
	n := float64(len(classes))
	end := math.Log2(float64(processors))
	sizes, log2 := model.RoundedSizes{}, dist.TwoStageUniform{Low: representativeLow, Mid: end - representativeMid, High: end}
	run := model.LnRunTimes{Line: model.Line{PForm: first.Lublin().RunTimes.PForm}}
	var runs, works []dist.HyperGamma
	var peaks, cycles []dist.Gamma
	var work model.Work
	var gaps model.LnGaps
	var week [model.Weekdays]float64
	arar, weeks, rate := 0.0, 0.0, 0.0
	for _, k := range classes {
		l := k.Lublin()
		if l.RunTimes.PForm != run.PForm {
			return c, r, errors.New("p(size) is a line in one site and a line of log-odds in another, want one form")
		}
		c.Jobs += k.Jobs
		sizes.SerialShare += l.Sizes.SerialShare / n
		sizes.PowerOfTwoShare += l.Sizes.PowerOfTwoShare / n
		log2.P += l.Log2.P / n
		run.PSlope += l.RunTimes.PSlope / n
		run.PIntercept += l.RunTimes.PIntercept / n
		run.MaxLn = max(run.MaxLn, l.RunTimes.MaxLn)
		gaps.MaxLn = max(gaps.MaxLn, l.Gaps.MaxLn)
		arar += math.Log(l.Gaps.ARAR) / n
		rate += math.Log(k.Arrivals.MeanSeconds) / n // without end unless all sites have it
		runs, peaks = append(runs, l.RunTimes.Law), append(peaks, l.Gaps.Peak)
		if k.Arrivals.Method != model.Stationary {
			cycles = append(cycles, l.Cycle)
		}
		if k.Work != nil {
			works = append(works, k.Work.Law)
			work.MaxLn = max(work.MaxLn, k.Work.MaxLn)
		}
		if k.Arrivals.Week != nil {
			weeks++
			for d, w := range k.Arrivals.Week {
				week[d] += w
			}
		}
	}
	// A mean of shares may be above 1 by rounding alone.
	sizes.SerialShare = min(1, sizes.SerialShare)
	sizes.PowerOfTwoShare = min(1, sizes.PowerOfTwoShare)
	log2.P = min(1, log2.P)
	sizes.Log2 = log2
	c.Sizes = sizes
	if weeks > 0 {
		for d := range week {
			week[d] /= weeks
		}
		c.Arrivals.Week = &week
	}
	gaps.ARAR, gaps.Peak = math.Exp(arar), geometricGamma(peaks)
	c.Arrivals.Gaps = gaps
	c.Arrivals.MeanSeconds = math.Exp(rate)
	c.Arrivals.Method = model.Stationary
	if len(cycles) > 0 {
		c.Arrivals.Method, c.Arrivals.Cycle = model.SlotWeights, model.GammaCycle(geometricGamma(cycles))
	}
	if run.Law, r.RunTimes, err = representativeLaw(runs, method); err != nil {
		return c, r, fmt.Errorf("run times: %w", err)
	}
	c.RunTimes = run
	if len(works) < len(classes) {
		return c, r, nil
	}
	if work.Law, r.Work, err = representativeLaw(works, method); err != nil {
		return c, r, fmt.Errorf("work: %w", err)
	}
	c.Work = &work
	return c, r, nil
}

func representativeLaw(laws []dist.HyperGamma, method string) (dist.HyperGamma, *LawSearch, error) {
	if method == MethodAverage {
		law, err := AverageLaw(laws)
		return law, nil, err
	}
	s, err := SearchLaw(laws)
	return s.Law, &s, err
}

// geometricGamma is the Gamma of the geometric means of the parameters.
func geometricGamma(laws []dist.Gamma) dist.Gamma {
	shape, scale := 0.0, 0.0
	for _, l := range laws {
		shape += math.Log(l.Shape) / float64(len(laws))
		scale += math.Log(l.Scale) / float64(len(laws))
	}
	return dist.Gamma{Shape: math.Exp(shape), Scale: math.Exp(scale)}
}
